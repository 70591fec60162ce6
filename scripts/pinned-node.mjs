import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, join } from "node:path";

export function pinnedNodePath(root) {
  return join(root, "node_modules", "node", "bin", "node");
}

export function isPinnedNode(root) {
  return realpathSync(pinnedNodePath(root)) === realpathSync(process.execPath);
}

/** Runs the pinned Node with these arguments, passing signals on; resolves with an exit code, a signal being 128 + its number. */
export function runPinned(root, args, { endWithChild = false, ...options } = {}) {
  const [script, ...rest] = args;
  const child = spawn(pinnedNodePath(root), [join(root, script), ...rest], {
    stdio: "inherit",
    env: { ...process.env, PATH: pathWithPinnedNode(root) },
    ...options,
  });
  const stopForwarding = forwardSignals(child);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      stopForwarding();
      if (endWithChild && signal) process.kill(process.pid, signal);
      const exitCode = code ?? 128 + constants.signals[signal];
      if (endWithChild) process.exitCode = exitCode;
      resolve(exitCode);
    });
  });
}

/** In which the program itself runs: the C library keeps one heap for all threads, for what each has once used stays resident in it. */
export function programEnvironment(root) {
  return { MALLOC_ARENA_MAX: "1", ...process.env, PATH: pathWithPinnedNode(root) };
}

export function pathWithPinnedNode(root) {
  return [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter);
}

function forwardSignals(child) {
  const forward = (signal) => {
    // a terminal sends Ctrl-C to the child as well; passed on, it would count as a second, impatient one
    if (signal === "SIGINT" && process.stdin.isTTY) return;
    child.kill(signal);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, forward);
  return () => {
    for (const signal of signals) process.off(signal, forward);
  };
}
