import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";

/** Technical notes for whoever looks for a fault, one JSON line each, a file a day, secrets masked. */
export type DailyLog = {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, cause?: unknown): void;
  error(message: string, cause?: unknown): void;
  close(): void;
};

export type DailyLogDeps = {
  folder: string;
  level: "debug" | "info" | "warn" | "error";
  keepDays: number;
  nowMs(): number;
  redact(text: string): string;
};

export function openDailyLog(deps: DailyLogDeps): DailyLog {
  mkdirSync(deps.folder, { recursive: true, mode: 0o700 });
  let day = "";
  let file = -1;
  const logger = pino(
    {
      level: deps.level,
      base: { pid: process.pid },
      timestamp: () => `,"time":"${new Date(deps.nowMs()).toISOString()}"`,
    },
    { write: (line: string) => writeLine(deps.redact(line)) },
  );
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, cause) => logger.warn(cause === undefined ? {} : { err: cause }, message),
    error: (message, cause) => logger.error(cause === undefined ? {} : { err: cause }, message),
    close() {
      if (file >= 0) closeSync(file);
      file = -1;
      day = "";
    },
  };

  function writeLine(line: string): void {
    try {
      const today = new Date(deps.nowMs()).toISOString().slice(0, 10);
      if (today !== day) turnOver(today);
      writeSync(file, line);
    } catch {
      // a log that cannot be written (a full disk, most likely) must not stop the work it tells of
    }
  }

  function turnOver(today: string): void {
    if (file >= 0) closeSync(file);
    file = openSync(join(deps.folder, `${today}.jsonl`), "a", 0o600);
    day = today;
    const oldest = new Date(deps.nowMs() - deps.keepDays * 86_400_000).toISOString().slice(0, 10);
    for (const name of readdirSync(deps.folder)) {
      if (/^\d{4}-\d\d-\d\d\.jsonl$/.test(name) && name.slice(0, 10) < oldest) rmSync(join(deps.folder, name));
    }
  }
}
