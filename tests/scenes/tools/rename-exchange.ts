// An attacker next to the assistant: a process that keeps exchanging two names, such as a folder and a link.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export type Exchange = { stop(): Promise<void> };

const python = fileURLToPath(new URL("rename-exchange.py", import.meta.url));

// for machines without python3 or renameat2: not atomic, the name is missing for a moment
const renameLoop = `
  import { renameSync } from "node:fs";
  const [first, second] = process.argv.slice(1);
  const parent = process.ppid;
  console.log("exchanging");
  while (process.ppid === parent) {
    renameSync(first, first + ".away");
    renameSync(second, first);
    renameSync(first + ".away", second);
  }`;

export async function startExchange(first: string, second: string): Promise<Exchange> {
  const child =
    (await startProgram("python3", [python, first, second])) ??
    (await startProgram(process.execPath, ["--input-type=module", "-e", renameLoop, first, second]));
  if (!child) throw new Error("neither python3 nor Node could exchange the names");
  return {
    async stop() {
      const ended = once(child, "exit");
      if (child.exitCode !== null) throw new Error(`the exchange ended by itself with ${child.exitCode}`);
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** The running program once it has said that it exchanges, or nothing if it cannot. */
async function startProgram(command: string, args: readonly string[]): Promise<ChildProcess | undefined> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "ignore"] });
  const began = new Promise<boolean>((resolve) => {
    child.stdout.once("data", () => resolve(true));
    child.once("error", () => resolve(false));
    child.once("exit", () => resolve(false));
  });
  return (await began) ? child : undefined;
}
