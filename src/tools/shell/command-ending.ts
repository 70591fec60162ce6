import type { CommandEnd } from "../sandbox/sandbox.ts";

/** How a command ended, for a sentence; nothing when it ended well. */
export function describeTrouble(end: CommandEnd, wallMs: number): string | undefined {
  if (end.notStarted !== undefined) return `not run: ${end.notStarted}`;
  if (end.timedOut) return `stopped after ${wallMs / 1000} s`;
  if (end.killed) return "stopped";
  if (end.signal) return `ended by ${end.signal}${end.outputCut ? ": too much output" : ""}`;
  return end.exitCode === 0 ? undefined : `exit code ${end.exitCode}`;
}

export function endedWell(end: CommandEnd): boolean {
  return end.exitCode === 0 && !end.timedOut;
}
