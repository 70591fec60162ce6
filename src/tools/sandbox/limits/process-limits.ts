import type { SandboxLimits } from "../sandbox.ts";
import type { LimitLayer } from "./limit-layer.ts";

/** The layer that is always possible: nothing outside the command, all of it set on the process itself. */
export const processLimitsOnly: LimitLayer = {
  countsWholeCommand: false,
  hold: async () => ({ prefix: [], joinFiles: [], release: async () => {} }),
  describe: () => "memory per process, processes per command, CPU seconds and file size (prlimit), and a wall clock",
};

/** Which limits the process gets from the inside: those that nothing outside holds already. */
export type InnerLimits = { time: boolean; memory: boolean };

/**
 * The words that set limits, run inside the sandbox: counted there, the processes are the command's own, while outside
 * they would be all of the user's.
 */
export function processLimitWords(prlimit: string, limits: SandboxLimits, inner: InnerLimits): string[] {
  const time = ["--core=0", `--cpu=${limits.cpuSeconds}`, `--fsize=${limits.fileBytes}`];
  // data, not address space: V8, Go and Java reserve far more addresses than they ever use
  const memory = [`--data=${limits.memoryBytes}`, `--nproc=${limits.processes}`];
  const words = [...(inner.time ? time : []), ...(inner.memory ? memory : [])];
  return words.length > 0 ? [prlimit, ...words, "--"] : [];
}
