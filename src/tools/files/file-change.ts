import { createHash } from "node:crypto";
import { z } from "zod";
import type { ToolResult } from "../../contract/tool.ts";

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** What a call did to one name of the workspace; contents lie with the checkpoints under their hashes. */
export const FileChange = z.object({
  path: z.string(),
  kind: z.enum(["file", "folder", "link"]),
  // null: nothing stood there; a link's content is its target, a folder's is a pack of all that was in it
  before: Sha256.nullable(),
  after: Sha256.nullable(),
  /** Permissions before, or afterwards where nothing was before. */
  mode: z.number().int(),
  /** What was there was too large to keep. */
  notKept: z.literal(true).optional(),
});
export type FileChange = z.infer<typeof FileChange>;

/** A result that also says what was changed, and which files' words are in its output. */
export type FileToolResult = ToolResult & { changes?: readonly FileChange[]; read?: readonly string[] };

/** Larger contents are not kept. */
export const maxKeptBytes = 50 * 1024 * 1024;

export function sha256(bytes: Uint8Array | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The content of a folder in which there is nothing. */
const emptySha256 = sha256("");

export function folderMade(path: string): FileChange {
  return { path, kind: "folder", before: null, after: emptySha256, mode: 0o755 };
}
