import type { FileHandle } from "node:fs/promises";

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
