import { mkdirSync } from "node:fs";
import { pino } from "pino";
import { type LogWriterDeps, openLogWriter } from "./log-writer.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Readonly<Record<string, unknown>>;

/** Technical notes for whoever looks for a fault, one JSON line each, a file a day, secrets masked. */
export type DailyLog = {
  write(level: LogLevel, message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, cause?: unknown): void;
  error(message: string, cause?: unknown): void;
  close(): Promise<void>;
};

export type DailyLogDeps = LogWriterDeps & {
  level: LogLevel;
  /** Sees each line too, for a person who looks on. */
  show?: ((line: string) => void) | undefined;
};

export function openDailyLog(deps: DailyLogDeps): DailyLog {
  const { show, redact } = deps;
  try {
    mkdirSync(deps.folder, { recursive: true, mode: 0o700 });
  } catch {
    // without the folder every line is lost, which is what happens to them on a full disk too
  }
  const writer = openLogWriter(deps);
  const logger = pino(
    {
      level: deps.level,
      base: { pid: process.pid },
      timestamp: () => `,"time":"${new Date(deps.nowMs()).toISOString()}"`,
    },
    { write },
  );
  const told = (level: LogLevel, message: string, fields: LogFields = {}) => logger[level](fields, message);
  const withCause = (level: LogLevel, message: string, cause: unknown) => {
    told(level, message, cause === undefined ? {} : { err: cause });
    void writer.flush();
  };
  return {
    write: told,
    debug: (message, fields) => told("debug", message, fields),
    info: (message, fields) => told("info", message, fields),
    warn: (message, cause) => withCause("warn", message, cause),
    error: (message, cause) => withCause("error", message, cause),
    close: writer.flush,
  };

  function write(line: string): void {
    writer.add(line);
    show?.(redact(line));
  }
}
