// Opens files of the workspace: a path from the model comes in, an open regular file goes out, or a sentence why not.
import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { PathUse, Reach } from "../../contract/tool.ts";
import { quoteName } from "./escape-text.ts";
import { beneath, type HeldFolder, type MissingFolders, noFollow, symlinkRefusal, withFolder } from "./held-folder.ts";
import { missingRefusal } from "./missing-name.ts";
import { errorCode, orRefusal, type Refusal } from "./refusal.ts";
import { findPlace, type Place, pathOf } from "./workspace-path.ts";

/** A name in a folder that is held open; `path` leads to it from the workspace, and `shown` is that for sentences. */
export type HeldName = { folder: HeldFolder; name: string; path: string; shown: string };
export type OpenFile = HeldName & { handle: FileHandle; stats: Stats };

export function heldName(folder: HeldFolder, path: string): HeldName {
  return { folder, name: path.slice(path.lastIndexOf("/") + 1), path, shown: quoteName(path) };
}

/** Holds the folder of the named file open while it is used; what the system refuses becomes a sentence with `problem`. */
export async function withNameInWorkspace<T>(
  reach: Reach,
  { path, access }: PathUse,
  problem: string,
  use: (held: HeldName) => Promise<T>,
): Promise<T | Refusal> {
  const place = await findPlace(reach, path, access);
  return "refused" in place ? place : withNameAt(place, problem, use);
}

export async function withNameAt<T>(
  place: Place,
  problem: string,
  use: (held: HeldName) => Promise<T>,
  missingFolders: MissingFolders = "refuse",
): Promise<T | Refusal> {
  const parent = { ...place, parts: place.parts.slice(0, -1) };
  if (place.parts.length === 0) return folderRefusal(quoteName(place.prefix === "" ? "." : place.root));
  const path = pathOf(place);
  return orRefusal(problem, () => withFolder(parent, missingFolders, (folder) => use(heldName(folder, path))));
}

/** Opens a regular file for reading and holds it while it is used; never waits for a pipe's other end. */
export async function withFile<T>(held: HeldName, use: (file: OpenFile) => Promise<T>): Promise<T | Refusal> {
  const opened = await openWithoutWaiting(held);
  if ("refused" in opened) return opened;
  await using handle = opened;
  const stats = await handle.stat();
  return refusalForKind(stats, held.shown) ?? (await use({ ...held, handle, stats }));
}

/** All of a file for a tool; undefined bytes: it is larger than the limit. */
export async function readWorkspaceFile(
  reach: Reach,
  path: string,
  maxBytes: number,
): Promise<{ bytes: Buffer | undefined } | Refusal> {
  return withNameInWorkspace(reach, { path, access: "read" }, `${quoteName(path)} cannot be read`, (held) =>
    withFile(held, async ({ handle }) => ({ bytes: await readWhole(handle, maxBytes) })),
  );
}

/** Why this is not a regular file that can be read or replaced, if it is not. */
export function refusalForKind(stats: Stats, shown: string): Refusal | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return folderRefusal(shown);
  return stats.isSymbolicLink() ? symlinkRefusal(shown) : specialRefusal(shown);
}

async function openWithoutWaiting(held: HeldName): Promise<FileHandle | Refusal> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | noFollow;
  try {
    return await open(beneath(held.folder, held.name), flags);
  } catch (cause) {
    const code = errorCode(cause);
    if (code === "ENOENT") return missingRefusal(beneath(held.folder, "."), held.name, held.shown);
    if (code === "ELOOP") return symlinkRefusal(held.shown);
    // a socket answers ENXIO (EOPNOTSUPP on macOS) to being opened
    if (code === "ENXIO" || code === "EOPNOTSUPP" || code === "ENOTSUP") return specialRefusal(held.shown);
    throw cause;
  }
}

function folderRefusal(shown: string): Refusal {
  return { refused: `${shown} is a folder. Use list to see what is in it.` };
}

export function specialRefusal(shown: string): Refusal {
  return { refused: `${shown} is a pipe, socket or device, not a regular file. Choose another file.` };
}

/** The whole file, or undefined if it is larger than the limit, whatever its size was said to be before. */
export async function readWhole(handle: FileHandle, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let position = 0;
  while (position <= maxBytes) {
    const buffer = Buffer.allocUnsafe(Math.min(256 * 1024, maxBytes + 1 - position));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) return Buffer.concat(chunks, position);
    chunks.push(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  return undefined;
}
