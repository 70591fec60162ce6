import { spawn } from "node:child_process";

const usualLimitMs = 120_000;
const mostHeard = 100_000;

/** What the program has printed. It ends in time with all that it has begun, also if it does not listen to signals. */
export function transcribe(
  [program, ...args]: readonly [string, ...string[]],
  closing: AbortSignal,
  limitMs: number = usualLimitMs,
): Promise<string> {
  return new Promise((resolve, reject) => {
    // a group of its own, so that what it has begun ends with it
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"], detached: true });
    let output = "";
    const giveUp = (why: string) => {
      reject(new Error(`${program} ${why}`));
      if (child.pid !== undefined) endGroup(child.pid);
      child.stdout.destroy();
    };
    const close = () => giveUp("was stopped");
    const timer = setTimeout(() => giveUp(`took longer than ${limitMs / 1_000} seconds`), limitMs);
    closing.addEventListener("abort", close, { once: true });
    const settle = () => {
      clearTimeout(timer);
      closing.removeEventListener("abort", close);
    };
    if (closing.aborted) close();
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (piece: string) => {
      if (output.length < mostHeard) output += piece;
    });
    child.once("error", (cause) => {
      settle();
      reject(cause);
    });
    child.once("close", (code) => {
      settle();
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
