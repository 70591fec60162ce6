// The index of a memory, open: in its file, or in memory where no file can be kept. One that is gone or damaged is made anew.
import { statSync } from "node:fs";
import { reasonOf } from "../../contract/failure.ts";
import { type IndexFile, isBroken, openIndexFile, removeIndexFile } from "../index/index-file.ts";
import { type Index, loadIndex } from "../index/open-index.ts";

export type HeldIndex = {
  /** Opened if it is not, and anew if its file is gone. */
  now(): Index;
  isOpen(): boolean;
  isOnDisk(): boolean;
  /** It is opened again by whoever needs it. */
  close(): void;
  /** Without words it was asked for. */
  makeAnew(why?: string): void;
};

export function holdIndex(path: string, note: (message: string) => void): HeldIndex {
  let held: { index: Index; inode: bigint | undefined } | undefined;
  return { now, isOpen: () => held !== undefined, isOnDisk: () => held?.inode !== undefined, close, makeAnew };

  function now(): Index {
    if (held?.inode !== undefined && held.inode !== inodeOf(path))
      makeAnew("The index file was gone and is made again.");
    held ??= open();
    return held.index;
  }

  function open(): NonNullable<typeof held> {
    const index = loadKept();
    return index
      ? { index, inode: inodeOf(path) }
      : { index: loadIndex(openIndexFile(":memory:").file), inode: undefined };
  }

  /** Undefined: it can lie nowhere. */
  function loadKept(): Index | undefined {
    let file: IndexFile | undefined;
    try {
      const found = openIndexFile(path);
      ({ file } = found);
      if (found.tookAway) note("The index could not be read and is made again.");
      return loadIndex(file);
    } catch (cause) {
      file?.close();
      if (file && isBroken(cause)) {
        removeIndexFile(path);
        note("The index could not be read and is made again.");
        return loadIndex(openIndexFile(path).file);
      }
      note(`The index cannot be kept on the disk (${reasonOf(cause)}), so it is held in memory.`);
      return undefined;
    }
  }

  function close(): void {
    try {
      held?.index.file.close();
    } catch {
      // a file that is broken may not even close
    }
    held = undefined;
  }

  function makeAnew(why?: string): void {
    close();
    removeIndexFile(path);
    if (why !== undefined) note(why);
  }
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}
