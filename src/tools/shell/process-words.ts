import type { CommandEnd } from "../sandbox/sandbox.ts";
import { maxOutputBytes, type ProcessEnd, processLifeMs, type ShellProcess } from "./process-registry.ts";

const shownCommandLength = 80;

/** A command in one short line. */
export function shortCommand(command: string): string {
  const line = command.replace(/[\s\p{C}]+/gu, " ").trim();
  return line.length <= shownCommandLength ? line : `${line.slice(0, shownCommandLength - 1).toWellFormed()}…`;
}

export function describeEnd(end: ProcessEnd): string {
  if (end.flooded) return `ended: more than ${maxOutputBytes / 1024 ** 2} MB of output; write it to a file instead`;
  return describeTrouble(end, processLifeMs) ?? "exit code 0";
}

export function describeState(process: ShellProcess, nowMs: number): string {
  if (!process.end) return `running for ${describeTime(nowMs - process.startedMs)}`;
  return `${describeEnd(process.end)}, ${describeTime(nowMs - process.end.atMs)} ago`;
}

export function describeTime(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}

/** How a command ended, for a sentence; nothing when it ended well. */
export function describeTrouble(end: CommandEnd, wallMs: number): string | undefined {
  if (end.notStarted !== undefined) return `not run: ${end.notStarted}`;
  const lost = end.sawDiskFull ? "; the disk was full, so some of the output may be missing" : "";
  const how = howItEnded(end, wallMs);
  return how === undefined && lost === "" ? undefined : `${how ?? "exit code 0"}${lost}`;
}

function howItEnded(end: CommandEnd, wallMs: number): string | undefined {
  if (end.cutOff) return `cut off with Steward after ${describeTime(end.durationMs)}`;
  if (end.timedOut) return `stopped after ${wallMs / 1000} s`;
  if (end.killed) return "stopped";
  if (end.signal) return `ended by ${end.signal}${end.outputCut ? ": too much output" : ""}`;
  return end.exitCode === 0 ? undefined : `exit code ${end.exitCode}`;
}

export function endedWell(end: CommandEnd): boolean {
  return end.exitCode === 0 && !end.timedOut;
}
