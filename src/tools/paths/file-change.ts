import { createHash } from "node:crypto";
import type { FileChange } from "../../contract/file-change.ts";

/** Larger contents are not kept. */
export const maxKeptBytes = 50 * 1024 * 1024;

export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export async function sha256Of(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}

/** The content of a folder in which there is nothing. */
const emptySha256 = sha256("");

export function folderMade(path: string): FileChange {
  return { path, kind: "folder", before: null, after: emptySha256, mode: 0o755 };
}
