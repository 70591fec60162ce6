import { existsSync, readFileSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { diskIsFull, explainNpmFailure, isNetworkFailure } from "./explain-npm-failure.mjs";
import { takeInstallLock } from "./install-lock.mjs";
import { isInstalled, readStamp, removeStamp, writeStamp } from "./install-stamp.mjs";
import { pinnedNodePath } from "./pinned-node.mjs";
import { runNpm } from "./run-npm.mjs";

const lockName = ".steward-installing";
const neededBytes = 600e6;

/** Makes node_modules match package-lock.json; returns nothing, or the sentence to show a person. */
export async function install(root) {
  let lock;
  try {
    lock = await takeInstallLock(join(root, lockName), () =>
      console.error("Another start of Steward is installing here; waiting for it to finish."),
    );
    if (isInstalled(root)) return undefined;
    const failure = matchesLockFile(root) ? undefined : await installPackages(root, lock);
    if (!failure) writeStamp(root);
    return failure;
  } catch (cause) {
    return explainNpmFailure(root, cause);
  } finally {
    lock?.release();
  }
}

// npm keeps its own record of a finished install: if that agrees, somebody has just run npm by hand
function matchesLockFile(root) {
  const installed = readPackages(join(root, "node_modules", ".package-lock.json"));
  if (!installed || !existsSync(pinnedNodePath(root))) return false;
  const wanted = readPackages(join(root, "package-lock.json")) ?? {};
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === "" ||
      entry.optional ||
      (installed[path]?.version === entry.version && installed[path]?.integrity === entry.integrity),
  );
}

function readPackages(path) {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    // a record cut off in the middle is no record
    return undefined;
  }
}

async function installPackages(root, lock) {
  const isUpdate = readStamp(root) !== undefined;
  removeStamp(root);
  // npm reports a full disk as whatever broke first, so it is asked before
  if (!isUpdate && freeBytes(root) < neededBytes) return diskIsFull(root);
  const progress = showProgress(
    isUpdate
      ? "Steward has changed since it was installed. Installing its packages again"
      : "Steward is being installed into node_modules (about 450 MB; a minute or so, once)",
  );
  const result = await npmInstall(root, lock).finally(progress.stop);
  if (result.code !== 0 || !existsSync(pinnedNodePath(root))) return explainNpmFailure(root, result);
  progress.finish();
  return undefined;
}

function freeBytes(path) {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

async function npmInstall(root, lock) {
  // npm asks for one package after the other, each with retries: minutes, if nobody is there. One question is enough
  const ping = await runNpm(root, ["ping", "--fetch-retries=0", "--fetch-timeout=15000"], lock.setWorker);
  const isOffline = isNetworkFailure(ping);
  const args = ["ci", "--include=dev", "--include=optional"];
  const result = await runNpm(root, isOffline ? [...args, "--offline"] : args, lock.setWorker);
  // without a network npm's cache may still hold everything; if it does not, the network is what to speak of
  return isOffline && result.code !== 0 ? ping : result;
}

// to stderr: what Steward answers on stdout may be going into a file
function showProgress(what) {
  const startedAtMs = performance.now();
  const seconds = () => Math.round((performance.now() - startedAtMs) / 1000);
  const isTerminal = process.stderr.isTTY;
  process.stderr.write(`${what}…${isTerminal ? "" : "\n"}`);
  const timer = setInterval(
    () => process.stderr.write(isTerminal ? `\r${what}… ${seconds()} s` : `  still at it, ${seconds()} s\n`),
    isTerminal ? 1000 : 15_000,
  );
  return {
    stop() {
      clearInterval(timer);
      if (isTerminal) process.stderr.write("\n");
    },
    finish: () => process.stderr.write(`Installed in ${seconds()} s.\n`),
  };
}
