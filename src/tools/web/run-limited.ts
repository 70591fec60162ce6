import { type ExecFileException, execFile } from "node:child_process";

export type LimitedRun = {
  program: string;
  args: readonly string[];
  input: Uint8Array;
  timeoutMs: number;
  /** More output than this is dropped, and the program with it. */
  maxOutputBytes: number;
  signal: AbortSignal;
};

type FailedRun = { kind: "failed"; why: "time" | "stopped" | "broke"; detail: string };
export type LimitedEnd = { kind: "done"; output: Buffer; isCut: boolean } | FailedRun;

const keptErrorBytes = 2_000;

/** Runs a program on bytes: with no environment and no way to outlive its time. Never rejects. */
export async function runLimited({ program, args, input, ...run }: LimitedRun): Promise<LimitedEnd> {
  if (run.signal.aborted) return failed("stopped", "it was stopped");
  const { promise, resolve } = Promise.withResolvers<LimitedEnd>();
  const late = AbortSignal.timeout(run.timeoutMs);
  const over = AbortSignal.any([late, run.signal]);
  const limits = { encoding: "buffer", maxBuffer: run.maxOutputBytes, killSignal: "SIGKILL" } as const;
  const child = execFile(program, args, { ...limits, env: {}, cwd: "/" }, (error, output, errors) => {
    if (over.aborted && over.reason === late.reason) return resolve(failed("time", "it took too long"));
    if (over.aborted) return resolve(failed("stopped", "it was stopped"));
    const isCut = error?.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER" && output.length === run.maxOutputBytes;
    if (!error || isCut) return resolve({ kind: "done", output, isCut });
    resolve(failed("broke", errors.toString("utf8", 0, keptErrorBytes).trim() || endOf(error)));
  });
  // not by execFile's own signal, which sends SIGTERM whatever it is told, and a program may pass over that
  over.addEventListener("abort", () => child.kill("SIGKILL"), { once: true });
  // a program may end without reading all of its input; how it ended tells the story
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  return promise;
}

function failed(why: FailedRun["why"], detail: string): FailedRun {
  return { kind: "failed", why, detail };
}

function endOf({ code, signal, message }: ExecFileException): string {
  return typeof code === "string" ? message : `it ended with ${signal ?? `exit code ${code}`}`;
}
