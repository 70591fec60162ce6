// The record of a command comes in; the command goes out as if it had just run, ended or cut off where Steward was.
import { createReadStream, existsSync, statSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { setTimeout } from "node:timers/promises";
import { graceSeconds } from "../bwrap/keeper.ts";
import type { CommandEnd, OutputPiece, RunningCommand } from "../sandbox.ts";
import { pathsOf, recordAt } from "./box-record.ts";
import { exitCodeIn, innerPidIn, isSettled, readReport } from "./box-report.ts";
import { isStillHidden } from "./hidden-then.ts";

export type ReplayedCommand = Pick<RunningCommand, "output" | "finished"> & { startedMs: number };

export type Replay =
  /** Nothing is known of it. */
  | { kind: "missing" }
  /** It surely never began. */
  | { kind: "not begun" }
  | { kind: "ended" | "cut off"; command: ReplayedCommand };

const pauseMs = 50;
const attempts = ((graceSeconds + 1) * 1000) / pauseMs;

/** `place` is the folder that the command was given for its record. */
export async function replayCommand(place: string, limits: { outputBytes: number }): Promise<Replay> {
  if (!existsSync(place)) return { kind: "missing" };
  const folder = recordAt(place);
  if (folder === undefined) return { kind: "not begun" };
  const paths = pathsOf(folder);
  const report = await settledReport(paths.report);
  if (innerPidIn(report) === undefined) return { kind: "not begun" };
  const exitCode = exitCodeIn(report);
  const [printed, reported] = [statSync(paths.output), statSync(paths.report)];
  // when the record was moved there, which is the last thing before a command begins
  const startedMs = statSync(place).mtimeMs;
  const end: CommandEnd = {
    exitCode: exitCode ?? null,
    ...{ signal: null, timedOut: false, killed: false },
    outputCut: printed.size > limits.outputBytes,
    outputBytes: printed.size,
    durationMs: Math.max(0, reported.mtimeMs - startedMs),
    ...(exitCode === undefined && { cutOff: true }),
  };
  // the watch that holds output back has died with Steward
  const isShown = await isStillHidden(place);
  const read = () => (isShown ? readPrinted(paths.output, limits.outputBytes) : onlyNotice());
  const output = { [Symbol.asyncIterator]: read };
  const command = { output, finished: Promise.resolve(end), startedMs };
  return { kind: exitCode === undefined ? "cut off" : "ended", command };
}

/** A box outlives Steward by a moment; until then its command may still end. */
async function settledReport(path: string): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const report = readReport(path);
    if (isSettled(report) || attempt >= attempts) return report;
    const isAlive = existsSync(`/proc/${innerPidIn(report)}`);
    await setTimeout(pauseMs);
    // whoever reports its end was ended before it, as by a power failure
    if (!isAlive && innerPidIn(report) !== undefined) return readReport(path);
  }
}

async function* onlyNotice(): AsyncGenerator<OutputPiece> {
  yield {
    text: "[Steward: a file with keys has come into the workspace or was replaced since the command began, which could have read it: its output is not shown. Run it again.]\n",
  };
}

async function* readPrinted(path: string, limitBytes: number): AsyncGenerator<OutputPiece> {
  const decoder = new StringDecoder("utf8");
  for await (const bytes of createReadStream(path, { end: limitBytes - 1 })) yield { text: decoder.write(bytes) };
  yield { text: decoder.end() };
}
