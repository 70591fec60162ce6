import { z } from "zod";
import type { IncomingFile } from "../../contract/channel/incoming-update.ts";
import { fetchedBytes } from "../fetched-bytes.ts";

export const Attachment = z.object({
  filename: z.string().catch("file"),
  content_type: z.string().nullish().catch(undefined),
  size: z.number().int().nonnegative().optional().catch(undefined),
  url: z.string(),
});
type Attachment = z.infer<typeof Attachment>;

export type FetchFile = (url: string, signal: AbortSignal) => Promise<Uint8Array>;

/** Files come from Discord's own hosts and nowhere else, and the token stays here. */
export function openFetchFile(place: { apiUrl: string; requestMs: number; closing: AbortSignal }): FetchFile {
  const allowed = new Set(["https://cdn.discordapp.com", "https://media.discordapp.net", new URL(place.apiUrl).origin]);
  return async (url, signal) => {
    if (!URL.canParse(url) || !allowed.has(new URL(url).origin)) {
      throw new Error("The file does not lie with Discord, so it is not fetched.");
    }
    // a large file may take longer than an answer
    const limits = [signal, place.closing, AbortSignal.timeout(place.requestMs * 10)];
    const answer = await fetch(url, { redirect: "error", signal: AbortSignal.any(limits) });
    if (!answer.ok) {
      await answer.body?.cancel();
      throw new Error(`Discord does not hand out the file (${answer.status}).`);
    }
    return fetchedBytes(answer);
  };
}

export function readAttachments(fetchFile: FetchFile, all: readonly Attachment[], isVoice: boolean): IncomingFile[] {
  return all.map(({ filename, content_type, size, url }) => ({
    name: filename,
    // Discord adds the character set of texts
    mediaType: content_type?.split(";")[0]?.trim() || "application/octet-stream",
    bytes: size,
    ...(isVoice ? { isVoice: true } : {}),
    read: (signal) => fetchFile(url, signal),
  }));
}
