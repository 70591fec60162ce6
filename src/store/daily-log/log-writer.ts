// Lines come in at any time and go to disk together a moment later, so that nobody waits for the disk.
import { appendFileSync } from "node:fs";
import { appendFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { orIfMissing } from "../../contract/failure.ts";
import { dayOf, fileOfDay, removeOldFiles, setAside } from "./log-files.ts";

export type LogWriter = {
  add(line: string): void;
  /** Everything that was added is written when it resolves. */
  flush(): Promise<void>;
};

export type LogWriterDeps = {
  folder: string;
  keepDays: number;
  nowMs(): number;
  redact(text: string): string;
  /** Those with another size are for tests. */
  fileBytes?: number;
  totalBytes?: number;
};

const gatherMs = 200;
const usualFileBytes = 10 * 1024 ** 2;
const usualTotalBytes = 200 * 1024 ** 2;
// a disk that takes nothing any more must not fill the memory instead
const mostWaiting = 5_000;

export function openLogWriter(deps: LogWriterDeps): LogWriter {
  const { folder, fileBytes = usualFileBytes, totalBytes = usualTotalBytes } = deps;
  const waiting: string[] = [];
  /** On its way to the disk. */
  let writing = "";
  let isListening = false;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  let current = { day: "", bytes: 0 };
  return {
    add(line) {
      if (waiting.length < mostWaiting) waiting.push(line);
      timer ??= setTimeout(() => void flush(), gatherMs).unref();
      // whatever ends the process next, what was told before is on disk
      if (!isListening) process.once("exit", writeNow);
      isListening = true;
    },
    flush,
  };

  function settle(): void {
    writing = "";
    if (waiting.length > 0) return;
    process.off("exit", writeNow);
    isListening = false;
  }

  function writeNow(): void {
    const text = writing + waiting.splice(0).map(deps.redact).join("");
    if (text === "") return;
    try {
      appendFileSync(join(folder, fileOfDay(dayOf(deps.nowMs()))), text, { mode: 0o600 });
    } catch {
      // the same full disk as below
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    working = working
      .then(write)
      .catch(() => {
        // a log that cannot be written (a full disk, most likely) must not stop the work it tells of
      })
      .then(settle);
    return working;
  }

  async function write(): Promise<void> {
    if (waiting.length === 0) return;
    writing = waiting.splice(0).map(deps.redact).join("");
    await turnOver(dayOf(deps.nowMs()));
    await appendFile(join(folder, fileOfDay(current.day)), writing, { mode: 0o600 });
    current.bytes += Buffer.byteLength(writing);
  }

  async function turnOver(today: string): Promise<void> {
    const isNewDay = today !== current.day;
    const isFull = !isNewDay && current.bytes >= fileBytes;
    if (!isNewDay && !isFull) return;
    if (isFull) await setAside(folder, today);
    const size = await stat(join(folder, fileOfDay(today))).then(({ size }) => size, orIfMissing(0));
    current = { day: today, bytes: size };
    const sinceDay = dayOf(deps.nowMs() - deps.keepDays * 86_400_000);
    await removeOldFiles(folder, { sinceDay, bytes: totalBytes });
  }
}
