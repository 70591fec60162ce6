import { z } from "zod";

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
