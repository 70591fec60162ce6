import { type ChildProcess, spawn } from "node:child_process";

export type LimitedRun = {
  program: string;
  args: readonly string[];
  input: Uint8Array;
  timeoutMs: number;
  /** More output than this is dropped, and the program with it. */
  maxOutputBytes: number;
  signal: AbortSignal;
};

export type LimitedEnd =
  | { kind: "done"; output: Buffer; isCut: boolean }
  | { kind: "failed"; why: "time" | "stopped" | "broke"; detail: string };

const keptErrorBytes = 2_000;

/** Runs a program on bytes: with no environment and no way to outlive its time. Never rejects. */
export async function runLimited(run: LimitedRun): Promise<LimitedEnd> {
  if (run.signal.aborted) return { kind: "failed", why: "stopped", detail: "it was stopped" };
  const child = spawn(run.program, [...run.args], { env: {}, cwd: "/", stdio: ["pipe", "pipe", "pipe"] });
  const heard = listen(child, run.maxOutputBytes);
  const late = AbortSignal.timeout(run.timeoutMs);
  const over = AbortSignal.any([late, run.signal]);
  over.addEventListener("abort", () => child.kill("SIGKILL"), { once: true });
  child.stdin.end(run.input);
  const exit = await exitOf(child);
  if (over.aborted && over.reason === late.reason) return { kind: "failed", why: "time", detail: "it took too long" };
  if (over.aborted) return { kind: "failed", why: "stopped", detail: "it was stopped" };
  if (heard.isCut()) return { kind: "done", output: heard.output(), isCut: true };
  if (exit !== undefined) return { kind: "failed", why: "broke", detail: heard.errors() || exit };
  return { kind: "done", output: heard.output(), isCut: false };
}

function listen(child: ChildProcess, maxOutputBytes: number) {
  const chunks: Buffer[] = [];
  let length = 0;
  let errors = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    const room = maxOutputBytes - length;
    length += chunk.length;
    if (room > 0) chunks.push(chunk.subarray(0, room));
    if (length > maxOutputBytes) child.kill("SIGKILL");
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    if (errors.length < keptErrorBytes) errors += chunk.toString("utf8").slice(0, keptErrorBytes - errors.length);
  });
  // a program may end without reading all of its input; how it ended tells the story
  child.stdin?.on("error", () => {});
  return { output: () => Buffer.concat(chunks), isCut: () => length > maxOutputBytes, errors: () => errors.trim() };
}

/** Undefined: it ended well. */
function exitOf(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => {
      resolve(code === 0 ? undefined : `it ended with ${signal ?? `exit code ${code}`}`);
    });
  });
}
