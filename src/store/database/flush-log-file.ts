import { closeSync, fdatasync, openSync } from "node:fs";
import { StorageFailure } from "./storage-failure.ts";

/** Puts what was written to an open file on the disk. */
export type SyncFile = (file: number, done: (cause: Error | null) => void) => void;

export type Flush = {
  /** Whatever was committed before the call is on the disk when it resolves. */
  run(): Promise<void>;
  throwIfFailed(): void;
  close(): Promise<void>;
};

/**
 * A commit only writes to the write-ahead log; here that file is flushed, beside the program (group commit, fsync). SQLite keeps
 * one such file as long as it is open and itself flushes it, and the database, before it begins the file anew (checkpoint).
 */
export function openFlush(path: string, syncFile: SyncFile = fdatasync): Flush {
  let file: number | undefined;
  let failure: StorageFailure | undefined;
  return {
    run,
    throwIfFailed,
    async close() {
      try {
        if (file !== undefined && !failure) await run();
      } finally {
        if (file !== undefined) closeSync(file);
        file = undefined;
      }
    },
  };

  async function run(): Promise<void> {
    throwIfFailed();
    if (path === ":memory:") return;
    try {
      file ??= openSync(`${path}-wal`, "r+");
      const open = file;
      await new Promise<void>((resolve, reject) => syncFile(open, (cause) => (cause ? reject(cause) : resolve())));
    } catch (cause) {
      // after one failure the system may call lost pages clean, so a later success would prove nothing
      failure ??= new StorageFailure(
        `The disk failed while ${path} was written. Check the disk, then start Steward again; what was not acknowledged may be missing.`,
        { cause },
      );
      throw failure;
    }
    // a flush that ran beside one that failed proves nothing either
    throwIfFailed();
  }

  function throwIfFailed(): void {
    if (failure) throw failure;
  }
}
