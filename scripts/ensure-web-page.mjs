// The web page is built from its sources on the machine that serves it: once, and again when a source has changed.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { takeInstallLock } from "./install-lock.mjs";
import { pathWithPinnedNode, pinnedNodePath } from "./pinned-node.mjs";

const serving = new Set([undefined, "chat", "daemon"]);

/** Builds the page if a Steward that serves it is about to start. A failure is told and costs the page, not the start. */
export async function ensureWebPage(root, [command]) {
  if (!serving.has(command) && !command?.startsWith("--")) return;
  const failure = await buildWebPage(root).catch((cause) => cause.message);
  if (failure) console.error(`The web page could not be built, so it is not served: ${failure}`);
}

/** Resolves with what went wrong, or with nothing when web/dist is as the sources want it. */
export async function buildWebPage(root) {
  if (readStamp(root) === stampOf(root)) return undefined;
  const lock = await takeInstallLock(join(root, ".steward-building"), () => {});
  try {
    const stamp = stampOf(root);
    // somebody else may have built it while we waited
    if (readStamp(root) === stamp) return undefined;
    console.error("Building the web page…");
    const failure = await runVite(root);
    if (failure) return failure;
    writeFileSync(join(root, "web", "dist.new", ".stamp"), stamp);
    rmSync(join(root, "web", "dist"), { recursive: true, force: true });
    renameSync(join(root, "web", "dist.new"), join(root, "web", "dist"));
    return undefined;
  } finally {
    lock.release();
  }
}

async function runVite(root) {
  const { spawn } = await import("node:child_process");
  const args = ["node_modules/vite/bin/vite.js", "build", "web", "--outDir", "dist.new", "--emptyOutDir"];
  const child = spawn(pinnedNodePath(root), args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_ENV: "production", PATH: pathWithPinnedNode(root) },
  });
  let words = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (words += piece));
  const code = await new Promise((resolve) => {
    child.once("error", (cause) => {
      words += cause.message;
      resolve(1);
    });
    child.once("close", resolve);
  });
  return code === 0 ? undefined : words.trim() || `vite ended with code ${code}`;
}

function readStamp(root) {
  try {
    return readFileSync(join(root, "web", "dist", ".stamp"), "utf8");
  } catch {
    // not built, or not to its end
    return undefined;
  }
}

// names, sizes and times are enough: whoever changes a file changes one of them; the page is also made of the contract
function stampOf(root) {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  for (const folder of [join(root, "web"), join(root, "src", "contract")])
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).sort(byPath)) {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      if (!entry.isFile() || path.startsWith(join(root, "web", "dist"))) continue;
      const { size, mtimeMs } = statSync(path);
      hash.update(`${relative(root, path)} ${size} ${mtimeMs}\n`);
    }
  return `${hash.digest("hex")}\n`;
}

function byPath(a, b) {
  return join(a.parentPath ?? a.path, a.name) < join(b.parentPath ?? b.path, b.name) ? -1 : 1;
}
