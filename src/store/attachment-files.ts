import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import type { AttachmentStore } from "../contract/attachment.ts";

/** `data/attachments/<sha256>`: the bytes are on disk before anything refers to them. */
export function openAttachmentFiles(folder: string): AttachmentStore {
  return {
    async add({ data, mediaType, name }) {
      const sha256 = createHash("sha256").update(data).digest("hex");
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const temporary = join(folder, `.${randomBytes(12).toString("hex")}.tmp`);
      await using file = await open(temporary, "wx", 0o600);
      await file.writeFile(data);
      await file.datasync();
      await rename(temporary, join(folder, sha256));
      return { sha256, mediaType, name, bytes: data.byteLength };
    },
    read: (ref) => readFile(join(folder, ref.sha256)),
  };
}
