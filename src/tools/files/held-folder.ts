// Folders held open by descriptor: whatever is renamed meanwhile, a name is looked up in the folder that was opened.
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open } from "node:fs/promises";
import { quoteName } from "./escape-text.ts";
import { missingRefusal } from "./missing-name.ts";
import { errorCode, orRefusal, type Refusal } from "./refusal.ts";
import type { Place } from "./workspace-path.ts";

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

/** Holds the folder open while it is used; a symbolic link anywhere on the way is refused. */
export async function withFolder<T>(
  place: Place,
  missingFolders: "refuse" | "create",
  use: (folder: HeldFolder) => Promise<T>,
): Promise<T | Refusal> {
  const opened = await orRefusal(`The workspace ${place.root} cannot be opened`, () => openRoot(place.root));
  if ("refused" in opened) return opened;
  let folder = opened;
  try {
    for (const [index, name] of place.parts.entries()) {
      const shown = quoteName(place.parts.slice(0, index + 1).join("/"));
      const next = await orRefusal(`${shown} cannot be opened`, () => enter(folder, name, shown, missingFolders));
      if ("refused" in next) return next;
      await folder.handle.close();
      folder = next;
    }
    return await use(folder);
  } finally {
    await folder.handle.close();
  }
}

async function openRoot(path: string): Promise<HeldFolder> {
  return { handle: await open(path, folderFlags), path };
}

async function enter(
  parent: HeldFolder,
  name: string,
  shown: string,
  missingFolders: "refuse" | "create",
): Promise<HeldFolder | Refusal> {
  const path = beneath(parent, name);
  try {
    return { handle: await open(path, folderFlags), path: `${parent.path}/${name}` };
  } catch (cause) {
    const code = errorCode(cause);
    if (code === "ENOENT" && missingFolders === "create") {
      await createFolder(parent, path);
      return enter(parent, name, shown, "refuse");
    }
    if (code === "ENOENT") return missingRefusal(beneath(parent, "."), name, shown);
    if (code === "ENOTDIR" || code === "ELOOP") return sayWhatItIs(path, shown);
    throw cause;
  }
}

async function createFolder(parent: HeldFolder, path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (cause) {
    // someone else made it first, which is as good; what it is, opening it tells
    if (errorCode(cause) !== "EEXIST") throw cause;
  }
  await parent.handle.sync();
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
