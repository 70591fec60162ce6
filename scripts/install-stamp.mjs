// The mark of an install that ran to its end: it is written last and removed before anything changes.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pinnedNodePath } from "./pinned-node.mjs";

export function isInstalled(root) {
  return readStamp(root) === expectedStamp(root) && existsSync(pinnedNodePath(root));
}

export function readStamp(root) {
  try {
    return readFileSync(stampPath(root), "utf8");
  } catch {
    // no stamp, or none that can be read: not installed either way
    return undefined;
  }
}

export function writeStamp(root, stamp = expectedStamp(root)) {
  writeFileSync(stampPath(root), stamp);
}

export function removeStamp(root) {
  rmSync(stampPath(root), { force: true });
}

function expectedStamp(root) {
  const lock = readFileSync(join(root, "package-lock.json"));
  return `${process.platform}-${process.arch} ${createHash("sha256").update(lock).digest("hex")}\n`;
}

function stampPath(root) {
  return join(root, "node_modules", ".steward-installed");
}
