// The end of the daily log files, for whoever looks for a fault: newest file first, read from its end, never the whole.
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { orIfMissing } from "../../contract/failure.ts";
import type { MethodResult } from "../../contract/wire/method.ts";
import type { LogLevel } from "./daily-log.ts";
import { logFilesIn } from "./log-files.ts";
import { readLogLine, type WrittenLine } from "./log-line.ts";

export type LogLine = MethodResult<"logs.tail">["lines"][number];
export type LogTailDeps = { folder: string; redact(text: string): string };

const pieceBytes = 1 << 16;
const mostBytes = 8 << 20;
const mostFiles = 7;
const maxDetailLength = 4_000;
/** The last lines of at least this level, oldest first, as a client is shown them. */
export async function tailLog(deps: LogTailDeps, wanted: { lines: number; level: LogLevel }): Promise<LogLine[]> {
  return (await lastLines(deps.folder, wanted)).map((line) => shownLine(line, deps.redact));
}

/** The last lines of at least this level, oldest first. */
export async function lastLines(
  folder: string,
  wanted: { lines: number; level: LogLevel },
): Promise<readonly WrittenLine[]> {
  const found: WrittenLine[] = [];
  const budget = { bytes: mostBytes };
  for (const name of (await logFilesIn(folder)).slice(-mostFiles).toReversed()) {
    // it may have been set aside meanwhile
    await using file = await open(join(folder, name), "r").catch(orIfMissing(undefined));
    if (!file) continue;
    for await (const text of linesFromEnd(file, budget)) {
      if (found.length >= wanted.lines) return found.reverse();
      const line = readLogLine(text, wanted.level);
      if (line) found.push(line);
    }
  }
  return found.reverse();
}

async function* linesFromEnd(file: FileHandle, budget: { bytes: number }): AsyncGenerator<string> {
  let end = (await file.stat()).size;
  let rest: Buffer = Buffer.alloc(0);
  while (end > 0 && budget.bytes > 0) {
    const length = Math.min(pieceBytes, end);
    end -= length;
    budget.bytes -= length;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, end);
    const piece = Buffer.concat([buffer.subarray(0, bytesRead), rest]);
    const firstBreak = piece.indexOf(10);
    // the first line of a piece may have begun in the one before it
    const whole = end === 0 ? piece : piece.subarray(firstBreak < 0 ? piece.length : firstBreak + 1);
    rest = end === 0 ? Buffer.alloc(0) : piece.subarray(0, firstBreak < 0 ? piece.length : firstBreak + 1);
    yield* whole.toString("utf8").split("\n").reverse();
  }
}

function shownLine({ atMs, level, message, fields }: WrittenLine, redact: (text: string) => string): LogLine {
  const detail = Object.keys(fields).length === 0 ? "" : redact(JSON.stringify(fields));
  return {
    atMs,
    level,
    message: redact(message),
    detail: detail.length > maxDetailLength ? `${detail.slice(0, maxDetailLength)}…` : detail,
  };
}
