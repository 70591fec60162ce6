import type { AttachmentRef } from "../../../../src/contract/attachment.ts";
import { attachmentAddress, readUpload, type Upload } from "./upload.ts";

/** The files of a message that is sent once more; Steward has them, a message carries them whole. */
export function fetchUploads(attachments: readonly AttachmentRef[]): Promise<readonly Upload[]> {
  return Promise.all(attachments.map(fetchUpload));
}

async function fetchUpload({ sha256, name, mediaType }: AttachmentRef): Promise<Upload> {
  const answer = await fetch(attachmentAddress(sha256));
  if (!answer.ok) throw new Error(`${name} is no longer there, so it cannot be sent again.`);
  return readUpload(new File([await answer.blob()], name, { type: mediaType }));
}
