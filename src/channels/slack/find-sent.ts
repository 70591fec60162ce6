import { z } from "zod";
import type { Address } from "../../contract/channel/address.ts";
import type { Sent } from "../../contract/channel/outgoing-message.ts";
import type { CallSlack } from "./connection/web-api.ts";
import type { Uploads } from "./uploads.ts";

export type FindDeps = { call: CallSlack; uploads: Uploads; nowMs(): number };

const SentMessage = z.object({
  ts: z.string(),
  text: z.string().optional(),
  metadata: z.object({ event_payload: z.looseObject({ key: z.string().optional() }).optional() }).optional(),
  files: z.array(z.looseObject({ id: z.string() })).optional(),
});
type SentMessage = z.infer<typeof SentMessage>;
const Page = z.object({
  messages: z.array(z.unknown()).default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).nullish(),
});

const usualLookBackMs = 86_400_000;
/** The clock of this machine may be ahead of Slack's. */
const clockDifferenceMs = 60_000;
const maxPages = 20;

/** The message that carries this key, or the file that was handed over under it. unknown: more was said than is read. */
export async function findSent(
  deps: FindDeps,
  to: Address,
  key: string,
  signal: AbortSignal,
): Promise<Sent | "unknown" | undefined> {
  const fileId = await deps.uploads.of(key);
  const nowMs = deps.nowMs();
  // Slack may begin at either end, so the way must be short from both
  const oldest = (((writtenAtMs(key, nowMs) ?? nowMs - usualLookBackMs) - clockDifferenceMs) / 1000).toFixed(6);
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const asked = { oldest, include_all_metadata: true, limit: 200, ...(cursor && { cursor }) };
    const answer = await read(deps, to, asked, signal);
    for (const message of answer.messages) {
      if (message.metadata?.event_payload?.key === key) return { ref: message.ts };
      if (fileId && message.files?.some(({ id }) => id === fileId)) return { ref: fileRef(fileId) };
    }
    cursor = answer.cursor;
    if (!cursor) return undefined;
  }
  return "unknown";
}

/** A key ends with the time at which what it names was written, before which nothing of it was sent. */
function writtenAtMs(key: string, nowMs: number): number | undefined {
  const atMs = Number(/\.(\d{13})$/.exec(key)?.[1]);
  return atMs <= nowMs ? atMs : undefined;
}

/** What stands in a message of ours now. */
export async function readSentText(
  deps: Pick<FindDeps, "call">,
  to: Address,
  ref: string,
  signal: AbortSignal,
): Promise<string> {
  const { messages } = await read(deps, to, { oldest: ref, latest: ref, inclusive: true, limit: 2 }, signal);
  return messages.find(({ ts }) => ts === ref)?.text ?? "";
}

// a file has no message of its own at once, so it is called by its own id
export function fileRef(fileId: string): string {
  return `file:${fileId}`;
}

export function fileIdOf(ref: string): string | undefined {
  return ref.startsWith("file:") ? ref.slice("file:".length) : undefined;
}

async function read(
  { call }: Pick<FindDeps, "call">,
  { chat, thread }: Address,
  asked: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<{ messages: readonly SentMessage[]; cursor: string | undefined }> {
  const answer =
    thread === undefined
      ? await call("conversations.history", { channel: chat, ...asked }, Page, signal)
      : await call("conversations.replies", { channel: chat, ts: thread, ...asked }, Page, signal);
  const messages = answer.messages.flatMap((raw) => SentMessage.safeParse(raw).data ?? []);
  return { messages, cursor: answer.response_metadata?.next_cursor || undefined };
}
