import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, rename, unlink } from "node:fs/promises";
import { beneath, noFollow } from "./held-folder.ts";
import { errorCode, orRefusal, type Refusal } from "./refusal.ts";
import { newTemporaryName } from "./temporary-name.ts";
import { type HeldName, refusalForKind } from "./workspace-files.ts";

export type Replacement = {
  content: Uint8Array;
  /** The file as it was when the content was made from it; if it has changed since, it is left alone. */
  madeFrom?: Stats;
  signal: AbortSignal;
};

/** The largest file that is written or edited. */
export const maxFileBytes = 10 * 1024 * 1024;

/** Puts the content in place whole or not at all: a temporary file in the same folder, synced, then renamed. */
export async function replaceFile(
  held: HeldName,
  replacement: Replacement,
): Promise<{ before: Stats | undefined } | Refusal> {
  const replaced = await orRefusal(`${held.shown} was not written`, async () => {
    const before = await statIfThere(held);
    const refusal = before && refusalForWriting(before, held.shown);
    if (refusal) return refusal;
    const temporary = beneath(held.folder, newTemporaryName());
    try {
      await writeTemporary(temporary, replacement.content, before);
      const late = await refusalToReplace(held, replacement);
      if (late) {
        await unlink(temporary);
        return late;
      }
      await rename(temporary, beneath(held.folder, held.name));
    } catch (cause) {
      await removeTemporary(temporary);
      throw cause;
    }
    return { before };
  });
  if ("refused" in replaced) return replaced;
  return orRefusal(`${held.shown} was written, but may not outlast a power failure`, async () => {
    await held.folder.handle.sync();
    return replaced;
  });
}

async function statIfThere(held: HeldName): Promise<Stats | undefined> {
  try {
    return await lstat(beneath(held.folder, held.name));
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return undefined;
    throw cause;
  }
}

function refusalForWriting(stats: Stats, shown: string): Refusal | undefined {
  if (stats.isFile() && stats.nlink > 1) {
    const others = `it has ${stats.nlink} hard links, so the same file may lie outside the workspace`;
    return { refused: `${shown} was not written: ${others}. Write to a new name instead.` };
  }
  // a rename would not ask for the right to write, but whoever took it away meant it
  if (stats.isFile() && (stats.mode & 0o222) === 0) {
    return { refused: `${shown} was not written: it is marked read-only. Ask the owner to change its permissions.` };
  }
  return refusalForKind(stats, shown);
}

async function writeTemporary(path: string, content: Uint8Array, before: Stats | undefined): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow;
  // closed to others until it has the old file's own permissions
  const handle = await open(path, flags, before ? 0o600 : 0o644);
  try {
    await handle.writeFile(content);
    if (before) await takeOver(handle, before);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

async function takeOver(handle: FileHandle, before: Stats): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== before.uid || own.gid !== before.gid) {
    try {
      await handle.chown(before.uid, before.gid);
    } catch (cause) {
      // only root may give files away (EINVAL: to an owner its container does not know); else the new file is its own
      const code = errorCode(cause);
      if (code !== "EPERM" && code !== "EINVAL") throw cause;
    }
  }
  await handle.chmod(before.mode & 0o777);
}

async function refusalToReplace(held: HeldName, replacement: Replacement): Promise<Refusal | undefined> {
  if (replacement.signal.aborted) return { refused: `${held.shown} was not written: the call was stopped.` };
  const { madeFrom } = replacement;
  if (!madeFrom) return undefined;
  const now = await statIfThere(held);
  const same = now?.ino === madeFrom.ino && now.size === madeFrom.size && now.mtimeMs === madeFrom.mtimeMs;
  if (same) return undefined;
  return { refused: `${held.shown} was not written: something else changed it meanwhile. Read it again first.` };
}

async function removeTemporary(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch {
    // never created or already renamed; anything else removeLeftovers finds later by its name
  }
}
