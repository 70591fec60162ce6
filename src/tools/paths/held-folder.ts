// Folders held open by descriptor: whatever is renamed between check and use (TOCTOU), a name is looked up in the folder that
// was opened.
import { constants } from "node:fs";
import { type FileHandle, lchown, lstat, mkdir, open } from "node:fs/promises";
import { quoteName } from "./escape-text.ts";
import { missingRefusal } from "./missing-name.ts";
import { errorCode, orRefusal, type Refusal, unlessTaken } from "./refusal.ts";
import { type Place, pathOf } from "./workspace-path.ts";

export type HeldFolder = { handle: FileHandle; path: string };

// macOS: O_NOFOLLOW_ANY, which refuses a link in any part of the path; Node does not name it
const isMacOs = process.platform === "darwin";
export const noFollow = isMacOs ? 0x20000000 : constants.O_NOFOLLOW;
export const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | noFollow;

export function beneath(folder: HeldFolder, name: string): string {
  return beneathDescriptor(folder.handle.fd, folder.path, name);
}

/** Node has no openat: on Linux the descriptor's entry in /proc leads into the held folder; macOS has none, and joins. */
export function beneathDescriptor(descriptor: number, path: string, name: string): string {
  return isMacOs ? `${path}/${name}` : `/proc/self/fd/${descriptor}/${name}`;
}

/** What to do about folders that do not exist: refuse, or make them and say which. */
export type MissingFolders = "refuse" | { made(path: string): void };

/** Holds the folder open while it is used; a symbolic link anywhere on the way is refused. */
export async function withFolder<T>(
  place: Place,
  missingFolders: MissingFolders,
  use: (folder: HeldFolder) => Promise<T>,
): Promise<T | Refusal> {
  const opened = await orRefusal(`The folder ${place.root} cannot be opened`, () => openRoot(place.root));
  if ("refused" in opened) return opened;
  let folder = opened;
  try {
    for (const [index, name] of place.parts.entries()) {
      const path = pathOf(place, index + 1);
      const shown = quoteName(path);
      const next = await orRefusal(`${shown} cannot be opened`, () => enter(folder, name, path, missingFolders));
      if ("refused" in next) return next;
      await folder.handle.close();
      folder = next;
    }
    return await use(folder);
  } finally {
    await folder.handle.close();
  }
}

/** Holds a folder of a held folder open while it is used. */
export async function withFolderIn<T>(
  parent: HeldFolder,
  name: string,
  use: (folder: HeldFolder) => Promise<T>,
): Promise<T> {
  const folder = await openFolderIn(parent, name);
  await using _held = folder.handle;
  return await use(folder);
}

/** For whoever closes it. */
export async function openFolderIn(parent: HeldFolder, name: string): Promise<HeldFolder> {
  return { handle: await open(beneath(parent, name), folderFlags), path: `${parent.path}/${name}` };
}

async function openRoot(path: string): Promise<HeldFolder> {
  return { handle: await open(path, folderFlags), path };
}

async function enter(
  parent: HeldFolder,
  name: string,
  path: string,
  missingFolders: MissingFolders,
): Promise<HeldFolder | Refusal> {
  const at = beneath(parent, name);
  try {
    return await openFolderIn(parent, name);
  } catch (cause) {
    const code = errorCode(cause);
    if (code === "ENOENT" && missingFolders !== "refuse") {
      if (await createFolder(parent, at)) missingFolders.made(path);
      return enter(parent, name, path, "refuse");
    }
    if (code === "ENOENT") return missingRefusal(beneath(parent, "."), name, quoteName(path));
    if (code === "ENOTDIR" || code === "ELOOP") return sayWhatItIs(at, quoteName(path));
    throw cause;
  }
}

async function createFolder(parent: HeldFolder, path: string): Promise<boolean> {
  // if someone else made it first, that is as good; what it is, opening it tells
  if (!(await unlessTaken(mkdir(path)))) return false;
  const { uid, gid } = await parent.handle.stat();
  // a Steward that is root writes in a workspace which belongs to whom commands run as
  if (process.getuid?.() === 0 && uid !== 0) await lchown(path, uid, gid);
  await parent.handle.sync();
  return true;
}

// only picks the words: the refusal itself has already been decided by open
async function sayWhatItIs(path: string, shown: string): Promise<Refusal> {
  const stats = await lstat(path);
  return stats.isSymbolicLink()
    ? symlinkRefusal(shown)
    : { refused: `${shown} is a file, not a folder. Use read for it, or choose another path.` };
}

export function symlinkRefusal(shown: string): Refusal {
  return {
    refused: `${shown} is a symbolic link, and links are not followed. Use the path of the real file or folder.`,
  };
}
