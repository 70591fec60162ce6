// The end of the daily log files, for whoever looks for a fault: newest file first, read from its end, never the whole.
import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { orIfMissing } from "../../contract/failure.ts";
import type { MethodResult } from "../../contract/wire/method.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogLine = MethodResult<"logs.tail">["lines"][number];
export type LogTailDeps = { folder: string; redact(text: string): string };

const pieceBytes = 1 << 16;
const mostBytes = 8 << 20;
const mostFiles = 7;
const maxDetailLength = 4_000;
const ranks: Readonly<Record<LogLevel, number>> = { debug: 20, info: 30, warn: 40, error: 50 };

/** The last lines of at least this level, oldest first. */
export async function tailLog(deps: LogTailDeps, wanted: { lines: number; level: LogLevel }): Promise<LogLine[]> {
  const found: LogLine[] = [];
  const budget = { bytes: mostBytes };
  for (const name of (await namesIn(deps.folder)).slice(-mostFiles).reverse()) {
    await using file = await open(join(deps.folder, name), "r");
    for await (const text of linesFromEnd(file, budget)) {
      const line = readLine(text, ranks[wanted.level], deps.redact);
      if (line) found.push(line);
      if (found.length === wanted.lines) return found.reverse();
    }
  }
  return found.reverse();
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(orIfMissing<string[]>([]));
  return names.filter((name) => /^\d{4}-\d\d-\d\d\.jsonl$/.test(name)).sort();
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

const Written = z.looseObject({ level: z.number(), time: z.string(), msg: z.string().default("") });

/** Undefined for a lower level, and for what is no whole line, as a crash leaves one. */
function readLine(text: string, leastRank: number, redact: (text: string) => string): LogLine | undefined {
  if (text === "") return undefined;
  const written = parse(text);
  if (!written || written.level < leastRank) return undefined;
  const { level, time, msg, pid: _, ...fields } = written;
  const detail = Object.keys(fields).length === 0 ? "" : redact(JSON.stringify(fields));
  return {
    atMs: Date.parse(time),
    level: levelName(level),
    message: redact(msg),
    detail: detail.length > maxDetailLength ? `${detail.slice(0, maxDetailLength)}…` : detail,
  };
}

function parse(text: string): z.infer<typeof Written> | undefined {
  try {
    const written = Written.safeParse(JSON.parse(text));
    return written.success && !Number.isNaN(Date.parse(written.data.time)) ? written.data : undefined;
  } catch {
    // a line that a crash or a full disk has cut off says nothing
    return undefined;
  }
}

function levelName(rank: number): LogLevel {
  if (rank >= ranks.error) return "error";
  if (rank >= ranks.warn) return "warn";
  return rank >= ranks.info ? "info" : "debug";
}
