import { spawn } from "node:child_process";

const usualLimitMs = 120_000;
const mostHeard = 100_000;

/** What the program has printed. It ends in time with all that it has begun, also if it does not listen to signals. */
export function transcribe(
  [program, ...args]: readonly [string, ...string[]],
  limitMs: number = usualLimitMs,
): Promise<string> {
  return new Promise((resolve, reject) => {
    // a group of its own, so that what it has begun ends with it
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"], detached: true });
    let output = "";
    const timer = setTimeout(() => {
      reject(new Error(`${program} took longer than ${limitMs / 1_000} seconds`));
      if (child.pid !== undefined) endGroup(child.pid);
      child.stdout.destroy();
    }, limitMs);
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (piece: string) => {
      if (output.length < mostHeard) output += piece;
    });
    child.once("error", (cause) => {
      clearTimeout(timer);
      reject(cause);
    });
    child.once("close", (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(output);
      else reject(new Error(`${program} ended with ${code ?? "a signal"}`));
    });
  });
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // it has ended just now
  }
}
