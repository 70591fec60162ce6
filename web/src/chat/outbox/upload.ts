// Files a person adds to a message: read whole, within what one message may carry.
import type { AttachmentRef } from "../../../../src/contract/attachment.ts";
import { formatBytes } from "../../../../src/contract/words/amounts.ts";

export type Upload = { name: string; mediaType: string; base64: string; bytes: number };
export type Refusal = { name: string; reason: string };

export const mostFiles = 20;
export const mostBytes = 20_000_000;

type Named = { name: string; size: number };

/** Takes files in their order as long as they fit, and says of each other one why it does not. */
export function fitFiles<File extends Named>(
  files: readonly File[],
  already: readonly { bytes: number }[],
): { taken: readonly File[]; refused: readonly Refusal[] } {
  const taken: File[] = [];
  const refused: Refusal[] = [];
  let bytes = already.reduce((sum, upload) => sum + upload.bytes, 0);
  for (const file of files) {
    const reason = whyNot(file, already.length + taken.length, bytes);
    if (reason !== undefined) {
      refused.push({ name: file.name, reason });
      continue;
    }
    taken.push(file);
    bytes += file.size;
  }
  return { taken, refused };
}

function whyNot(file: Named, count: number, bytes: number): string | undefined {
  if (count >= mostFiles) return `a message holds ${mostFiles} files at most`;
  if (file.size > mostBytes) return `it has ${formatBytes(file.size)}; ${formatBytes(mostBytes)} is the most`;
  if (bytes + file.size > mostBytes) return `together the files would exceed ${formatBytes(mostBytes)}`;
  return undefined;
}

export function refusalWords(refused: readonly Refusal[]): string {
  return refused.map(({ name, reason }) => `${name} was not added: ${reason}.`).join(" ");
}

export async function readUpload(file: File): Promise<Upload> {
  return {
    name: (file.name || "pasted").slice(-255),
    mediaType: file.type || "application/octet-stream",
    base64: await base64Of(file),
    bytes: file.size,
  };
}

function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    // a folder that was dropped, or a file that has gone meanwhile
    reader.onerror = () => reject(reader.error ?? new Error("The file could not be read."));
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.readAsDataURL(file);
  });
}

export function attachmentAddress(sha256: string): string {
  return `/api/attachments/${sha256}`;
}

export function isPicture(mediaType: string): boolean {
  return /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/.test(mediaType);
}

/** The files of a message that is sent once more; Steward has them, a message carries them whole. */
export function fetchUploads(attachments: readonly AttachmentRef[]): Promise<readonly Upload[]> {
  return Promise.all(attachments.map(fetchUpload));
}

async function fetchUpload({ sha256, name, mediaType }: AttachmentRef): Promise<Upload> {
  const answer = await fetch(attachmentAddress(sha256));
  if (!answer.ok) throw new Error(`${name} is no longer there, so it cannot be sent again.`);
  return readUpload(new File([await answer.blob()], name, { type: mediaType }));
}
