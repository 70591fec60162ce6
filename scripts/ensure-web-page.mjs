// The web page is built from its sources on the machine that serves it: once, and again when a source has changed.
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeInstallLock } from "./install-lock.mjs";
import { runBuild } from "./run-build.mjs";
import { stampOf } from "./source-stamp.mjs";

const vite = ["node_modules/vite/bin/vite.js", "build", "web", "--outDir", "dist.new", "--emptyOutDir"];
const serving = new Set([undefined, "chat", "daemon"]);

/** Builds the page if a Steward that serves it is about to start. A failure is told and costs the page, not the start. */
export async function ensureWebPage(root, [command]) {
  if (!serving.has(command) && !command?.startsWith("--")) return;
  const failure = await buildWebPage(root).catch((cause) => cause.message);
  if (failure) console.error(`The web page could not be built, so it is not served: ${failure}`);
}

/** Resolves with what went wrong, or with nothing when web/dist is as the sources want it. */
export async function buildWebPage(root) {
  if (readStamp(root) === stampOfPage(root)) return undefined;
  const lock = await takeInstallLock(join(root, ".steward-building"), () => {});
  try {
    const stamp = stampOfPage(root);
    // somebody else may have built it while we waited
    if (readStamp(root) === stamp) return undefined;
    console.error("Building the web page…");
    const failure = await runBuild(root, vite);
    if (failure) return failure;
    writeFileSync(join(root, "web", "dist.new", ".stamp"), stamp);
    rmSync(join(root, "web", "dist"), { recursive: true, force: true });
    renameSync(join(root, "web", "dist.new"), join(root, "web", "dist"));
    return undefined;
  } finally {
    lock.release();
  }
}

function readStamp(root) {
  try {
    return readFileSync(join(root, "web", "dist", ".stamp"), "utf8");
  } catch {
    // not built, or not to its end
    return undefined;
  }
}

// the page is also made of the contract
function stampOfPage(root) {
  const isSource = (path) => !path.startsWith("web/dist");
  return `${stampOf(root, ["web", "src/contract"], isSource)}\n`;
}
