import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";

const quiet = ["--loglevel=error", "--no-progress", "--no-audit", "--no-fund", "--no-update-notifier"];
const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** One run of npm, which ends when we are told to end; `onStart` gets the number of its process group. */
export function runNpm(root, args, onStart) {
  const stop = (signal) => {
    if (child.pid) process.kill(-child.pid, signal);
    process.exit(exitCodes[signal]);
  };
  // before there is anything to stop: whoever is told to end in between would leave npm behind
  for (const signal of Object.keys(exitCodes)) process.once(signal, stop);
  const child = spawn("npm", [...args, ...quiet], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    // npm must not run on the Node that it is about to replace
    env: { ...process.env, PATH: withoutFolder(process.env.PATH, join(root, "node_modules", ".bin")) },
    // a group of its own, so that all of it can be stopped, and found again if we are killed
    detached: true,
  });
  if (child.pid) onStart(child.pid);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      for (const signal of Object.keys(exitCodes)) process.off(signal, stop);
      resolve({ code, output });
    });
  });
}

function withoutFolder(path = "", folder) {
  return path
    .split(delimiter)
    .filter((part) => part !== folder)
    .join(delimiter);
}
