import { type BigIntStats, lstatSync } from "node:fs";
import { constants, type FileHandle, open } from "node:fs/promises";
import { codeOf, reasonOf } from "../contract/failure.ts";

/** A file as it was found; the same version has the same content. */
export type OwnFile =
  | { kind: "absent" }
  // a link, a folder, a pipe or a file without permission: left alone, and the owner is told why
  | { kind: "refused"; reason: string }
  | { kind: "open"; handle: FileHandle; sizeBytes: number; version: string };

/** Opens a plain file of the workspace; a link is never followed, because it may lead out of it. */
export async function openOwnFile(path: string): Promise<OwnFile> {
  let handle: FileHandle | undefined;
  try {
    // without O_NONBLOCK a pipe put in the file's place would hold the turn for ever
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = await handle.stat({ bigint: true });
    if (found.isFile()) {
      return { kind: "open", handle, sizeBytes: Number(found.size), version: versionOf(found) };
    }
    await handle.close();
    return { kind: "refused", reason: "it is not a plain file" };
  } catch (cause) {
    await handle?.close();
    return describeRefusal(cause);
  }
}

/**
 * The version that opening the file would find; undefined when there is none, or none that can be looked at. The call is made at
 * once: handing it to another thread costs more than the call.
 */
export function versionAt(path: string): string | undefined {
  try {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return found && versionOf(found);
  } catch {
    // whoever opens it is told why it cannot be
    return undefined;
  }
}

function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

function describeRefusal(cause: unknown): OwnFile {
  const code = codeOf(cause);
  if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" };
  if (code === "ELOOP" || code === "EMLINK")
    return { kind: "refused", reason: "it is a link, and links are not followed" };
  return { kind: "refused", reason: reasonOf(cause) };
}

/** The whole of a file that is no larger than it may be. */
export async function readOwnFile(
  path: string,
  maxBytes: number,
): Promise<Exclude<OwnFile, { kind: "open" }> | { kind: "read"; bytes: Buffer }> {
  const found = await openOwnFile(path);
  if (found.kind !== "open") return found;
  await using handle = found.handle;
  if (found.sizeBytes > maxBytes) return { kind: "refused", reason: `it is larger than ${maxBytes} bytes` };
  return { kind: "read", bytes: await readBytes(handle, 0, found.sizeBytes) };
}

/** Up to `lengthBytes` from a place in the file. */
export async function readBytes(handle: FileHandle, fromByte: number, lengthBytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(lengthBytes);
  let filled = 0;
  while (filled < lengthBytes) {
    const { bytesRead } = await handle.read(buffer, filled, lengthBytes - filled, fromByte + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
