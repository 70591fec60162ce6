// Which of our messages have arrived, when the answer to a request is missing.
//
// Discord drops a second message with the same nonce, but only for some minutes. It tells us our own messages with their
// nonce as long as we are connected, but leaves the nonce out when a channel is read later. So before each message it is
// written down, for its channel, under which nonce and from when on it was sent and what was in it, and later it is known
// again by its words among our own messages since then. Where that proves nothing, it is unknown whether it has arrived: the
// same words were sent before and it is not known where those stand, or so much was said since that it was not read to its end.
import { createHash } from "node:crypto";
import { z } from "zod";
import type { ChannelBase } from "../../contract/channel/channel.ts";
import type { Api } from "./api/api.ts";
import { idAt, Snowflake } from "./read-update.ts";

export type SentMessages = {
  /** On disk when it resolves. */
  begins(channelId: string, nonce: string, content: Content): Promise<void>;
  arrived(channelId: string, nonce: string, messageId: string): void;
  /** Its id. Throws a DiscordFailure. */
  find(channelId: string, nonce: string, signal: AbortSignal): Promise<{ id: string } | "unknown" | undefined>;
};

export type Content = { text: string; fileBytes: number | undefined };

/** isExact: all that was sent there before stands before `after`. contents: with marks, without them, marked as a repeat. */
const Begun = z.object({
  nonce: z.string(),
  atMs: z.number(),
  after: Snowflake,
  isExact: z.boolean(),
  contents: z.array(z.string()),
});
type Begun = z.infer<typeof Begun>;
const Message = z.object({
  id: Snowflake,
  author: z.object({ id: z.string() }),
  nonce: z.union([z.string(), z.number()]).nullish().catch(undefined),
  content: z.string(),
  attachments: z.array(z.object({ size: z.number() })).catch([]),
});
const Me = z.object({ id: Snowflake });

const clockDifferenceMs = 60_000;
const keptNonces = 500;
const keptBegun = 10;
const pageSize = 100;
// some minutes, says Discord: so long it surely drops a second one
const noncesHoldMs = 60_000;

export function openSentMessages(
  base: Pick<ChannelBase, "remember" | "recall" | "world">,
  api: Api,
  ownId: () => string | undefined,
): SentMessages {
  const ids = new Map<string, string>();
  const lastIn = new Map<string, string>();
  const begun = new Map<string, readonly Begun[]>();
  const openedMs = base.world.nowMs();
  return {
    arrived,
    async begins(channelId, nonce, content) {
      const earliest = idAt(base.world.nowMs() - clockDifferenceMs);
      const last = lastIn.get(channelId) ?? "0";
      const after = BigInt(last) > BigInt(earliest) ? last : earliest;
      await recallBegun(channelId);
      const all = begun.get(channelId) ?? [];
      const others = all.filter((each) => each.nonce !== nonce).slice(1 - keptBegun);
      const isExact = lastIn.has(channelId) && others.every((each) => each.atMs < openedMs || ids.has(each.nonce));
      const fresh: Begun = { nonce, atMs: base.world.nowMs(), after, isExact, contents: [] };
      // it may have arrived at the first try, so that is where to look from
      const first = all.find((each) => each.nonce === nonce) ?? fresh;
      const contents = [...new Set([...first.contents, signatureOf(content)])];
      const now = [...others, { ...first, contents }];
      begun.set(channelId, now);
      await base.remember(`sending:${channelId}`, JSON.stringify(now));
    },
    async find(channelId, nonce, signal) {
      const known = ids.get(nonce);
      if (known !== undefined) return { id: known };
      await recallBegun(channelId);
      const wanted = begun.get(channelId)?.find((each) => each.nonce === nonce);
      if (!wanted) return undefined;
      const found = await lookUp(channelId, wanted, signal);
      if (typeof found === "object") arrived(channelId, nonce, found.id);
      const isDropped = base.world.nowMs() - wanted.atMs < noncesHoldMs;
      return found === "unknown" && isDropped ? undefined : found;
    },
  };

  function arrived(channelId: string, nonce: string, messageId: string): void {
    ids.set(nonce, messageId);
    if (BigInt(messageId) > BigInt(lastIn.get(channelId) ?? "0")) lastIn.set(channelId, messageId);
    for (const oldest of ids.size > keptNonces ? [...ids.keys()].slice(0, 1) : []) ids.delete(oldest);
  }

  async function lookUp(channelId: string, wanted: Begun, signal: AbortSignal) {
    const me = ownId() ?? Me.parse(await api.ask({ method: "GET", path: "/users/@me", signal })).id;
    const query = { after: wanted.after, limit: String(pageSize) };
    const since = await api.ask({ method: "GET", path: `/channels/${channelId}/messages`, query, signal });
    const messages = z.array(Message).safeParse(since).data;
    if (!messages) return "unknown";
    const ofOthers = new Set(ids.values());
    const ours = messages
      .filter(({ author, id }) => author.id === me && !ofOthers.has(id))
      .sort((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
    const byNonce = ours.find((each) => each.nonce === wanted.nonce);
    if (byNonce) return { id: byNonce.id };
    const alike = ours.find((each) => wanted.contents.includes(signatureOfRead(each)));
    if (alike) return mayBeOfAnother(channelId, wanted) ? "unknown" : { id: alike.id };
    return messages.length < pageSize ? undefined : "unknown";
  }

  /** Whether the same words went out under another nonce and may stand where this one was looked for. */
  function mayBeOfAnother(channelId: string, wanted: Begun): boolean {
    const all = begun.get(channelId) ?? [];
    const rivals = wanted.isExact ? all.slice(all.indexOf(wanted) + 1) : all;
    return rivals.some(
      ({ nonce, contents }) =>
        nonce !== wanted.nonce && !ids.has(nonce) && contents.some((each) => wanted.contents.includes(each)),
    );
  }

  /** The last ones of a channel, oldest first. */
  async function recallBegun(channelId: string): Promise<void> {
    if (begun.has(channelId)) return;
    const kept = await base.recall(`sending:${channelId}`);
    // meanwhile another message may have begun there
    if (!begun.has(channelId)) begun.set(channelId, z.array(Begun).safeParse(JSON.parse(kept ?? "[]")).data ?? []);
  }
}

// Discord takes white space off both ends, and names of files are changed by it
function signatureOf({ text, fileBytes }: Content): string {
  return createHash("sha256")
    .update(`${text.trim()}\n${fileBytes ?? "no file"}`)
    .digest("base64url");
}

function signatureOfRead({ content, attachments }: z.infer<typeof Message>): string {
  return signatureOf({ text: content, fileBytes: attachments[0]?.size });
}
