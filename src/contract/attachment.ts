import { z } from "zod";

/** A file that travels with a message; its bytes lie in the data folder under the name of their hash. */
export const AttachmentRef = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  mediaType: z.string(),
  name: z.string(),
  bytes: z.number().int().nonnegative(),
});
export type AttachmentRef = z.infer<typeof AttachmentRef>;

export type NewAttachment = { mediaType: string; name: string; data: Uint8Array };

/** Where attachments are kept; adding the same bytes twice keeps one copy. */
export type AttachmentStore = {
  add(attachment: NewAttachment): Promise<AttachmentRef>;
  read(ref: AttachmentRef): Promise<Uint8Array>;
};
