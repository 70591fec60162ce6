// One line of the log files, read back.
import { z } from "zod";
import type { LogFields, LogLevel } from "./daily-log.ts";

export type WrittenLine = { text: string; atMs: number; level: LogLevel; message: string; fields: LogFields };

const ranks: Readonly<Record<LogLevel, number>> = { debug: 20, info: 30, warn: 40, error: 50 };
const Written = z.looseObject({ level: z.number(), time: z.string(), msg: z.string().default("") });

/** Undefined for a lower level, and for what is no whole line, as a crash leaves one. */
export function readLogLine(text: string, least: LogLevel): WrittenLine | undefined {
  const written = text === "" ? undefined : parse(text);
  if (!written || written.level < ranks[least]) return undefined;
  const { level, time, msg: message, pid: _, ...fields } = written;
  return { text, atMs: Date.parse(time), level: levelName(level), message, fields };
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
