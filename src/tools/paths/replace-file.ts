import { constants, type Stats } from "node:fs";
import { type FileHandle, link, lstat, open, rename, unlink } from "node:fs/promises";
import { beneath, noFollow } from "./held-folder.ts";
import { ifThere, orOn, orRefusal, type Refusal } from "./refusal.ts";
import { newTemporaryName } from "./reserved-names.ts";
import { type HeldName, refusalForKind } from "./workspace-files.ts";

export type Replacement = {
  content: Uint8Array;
  /** What stood there when the content was made; if it has changed since, it is left alone. */
  expected: Stats | "nothing";
  /** Permissions in place of those the file has now, or a new one would get. */
  mode?: number;
  signal: AbortSignal;
};
/** Nothing was written, because what stands there is no longer what was expected. */
export type Changed = { changed: string };

/** The largest file that is written or edited. */
export const maxFileBytes = 10 * 1024 * 1024;

/** Puts the content in place whole or not at all: a temporary file in the same folder, synced, then renamed. */
export async function replaceFile(
  held: HeldName,
  replacement: Replacement,
): Promise<{ written: true } | Changed | Refusal> {
  const replaced = await orRefusal(`${held.shown} was not written`, async () => {
    const { expected, content, mode, signal } = replacement;
    const before = expected === "nothing" ? undefined : expected;
    const refusal = before && refusalForWriting(before, held.shown);
    if (refusal) return refusal;
    const temporary = beneath(held.folder, newTemporaryName());
    try {
      await writeTemporary(temporary, content, before ?? (await held.folder.handle.stat()), { isNew: !before, mode });
      if (signal.aborted) return { refused: `${held.shown} was not written: the call was stopped.` };
      if (!(await putInPlace(held, temporary, before)))
        return { changed: `${held.shown} was not written: something else changed it meanwhile. Read it again first.` };
    } finally {
      // already renamed, or never created; anything else removeLeftovers finds later by its name
      await unlink(temporary).catch(() => {});
    }
    return { written: true as const };
  });
  if (!("written" in replaced)) return replaced;
  return orRefusal(`${held.shown} was written, but may not outlast a power failure`, async () => {
    await held.folder.handle.sync();
    return replaced;
  });
}

/** True if what stands under the name is still what was seen there. */
export async function isUnchanged(held: HeldName, seen: Stats): Promise<boolean> {
  const now = await statIfThere(held);
  return now?.ino === seen.ino && now.size === seen.size && now.mtimeMs === seen.mtimeMs;
}

async function putInPlace(held: HeldName, temporary: string, before: Stats | undefined): Promise<boolean> {
  const target = beneath(held.folder, held.name);
  if (!before && (await linkNew(temporary, target))) return true;
  if (before ? !(await isUnchanged(held, before)) : await statIfThere(held)) return false;
  await rename(temporary, target);
  return true;
}

// a second name fails where one stands already, which a rename would silently replace
function linkNew(temporary: string, target: string): Promise<boolean> {
  const linked = link(temporary, target).then(() => true);
  // taken, or a file system without hard links: the caller looks again
  return linked.catch(orOn(["EEXIST", "EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK"], false));
}

export function statIfThere(held: HeldName): Promise<Stats | undefined> {
  return ifThere(lstat(beneath(held.folder, held.name)));
}

/** Why this must not be replaced, if it must not. */
export function refusalForWriting(stats: Stats, shown: string): Refusal | undefined {
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

/** `like`: the file it replaces, or the folder that a new one comes into. */
async function writeTemporary(
  path: string,
  content: Uint8Array,
  like: Stats,
  { isNew, mode = isNew ? undefined : like.mode }: { isNew: boolean; mode: number | undefined },
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow;
  // closed to others until it has the old file's own permissions
  await using handle = await open(path, flags, isNew ? 0o644 : 0o600);
  await handle.writeFile(content);
  await giveTo(handle, like);
  if (mode !== undefined) await handle.chmod(mode & 0o777);
  await handle.datasync();
}

/** A Steward that is root writes in a workspace which belongs to whom commands run as. */
async function giveTo(handle: FileHandle, { uid, gid }: Stats): Promise<void> {
  const own = await handle.stat();
  // only root may give files away (EINVAL: to an owner its container does not know); else it is its own
  if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid).catch(orOn(["EPERM", "EINVAL"], undefined));
}
