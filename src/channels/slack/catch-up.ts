// What was said while no socket was open: Slack does not repeat it, so it is read from the history.
import { z } from "zod";
import type { ChannelBase } from "../../contract/channel/channel.ts";
import { isRefusal, SlackFailure } from "./connection/slack-failure.ts";
import type { CallSlack } from "./connection/web-api.ts";
import type { Intake } from "./intake.ts";
import type { Marks } from "./marks.ts";

export type CatchUpDeps = {
  base: Pick<ChannelBase, "sleep" | "trouble">;
  call: CallSlack;
  intake: Intake;
  marks: Marks;
  closing: AbortSignal;
  /** One raw message of the history, by whoever stands in the chat's line; false if Steward closes first. */
  takeRaw(raw: unknown): Promise<boolean>;
};

type Places = Awaited<ReturnType<ChannelBase["chats"]>>;

const atOnce = 3;
const maxPages = 20;
const maxTries = 4;
const longestWaitMs = 30_000;

const Raw = z.looseObject({
  ts: z.string().regex(/^\d+\.\d+$/),
  reply_count: z.number().optional(),
  latest_reply: z.string().optional(),
});
type Raw = z.infer<typeof Raw>;
const Page = z.object({
  messages: z.array(z.unknown()).default([]),
  response_metadata: z.object({ next_cursor: z.string().optional() }).nullish(),
});

/** Stands in line before whatever comes over the socket from now on, so that each chat is read in order. */
export async function catchUp(deps: CatchUpDeps, places: Places): Promise<void> {
  const slots = Array.from({ length: atOnce }, () => Promise.resolve());
  const chats = [...new Set(places.map(({ address }) => address.chat))];
  await Promise.all(
    chats.map((chat, index) =>
      deps.intake.inLine(chat, () => {
        const slot = index % atOnce;
        const done = (slots[slot] ?? Promise.resolve()).then(() => catchUpChat(deps, places, chat));
        slots[slot] = done;
        return done;
      }),
    ),
  );
}

async function catchUpChat(deps: CatchUpDeps, places: Places, chat: string): Promise<void> {
  try {
    const since = await deps.marks.since(chat);
    if (since === undefined || deps.closing.aborted) return;
    deps.marks.hold(chat);
    const here = places.filter(({ address }) => address.chat === chat);
    const missed = await readMissed(deps, chat, {
      threads: here.flatMap(({ address }) => address.thread ?? []),
      since,
    });
    deps.marks.release(chat);
    const kind = here.some(({ isDirect }) => isDirect) ? "im" : "channel";
    for (const raw of missed) {
      if (!(await deps.takeRaw({ type: "message", ...raw, channel: chat, channel_type: kind }))) return;
    }
  } catch (cause) {
    if (deps.closing.aborted) return;
    // a chat that cannot be read at all must not keep its mark for ever
    if (cause instanceof SlackFailure && cause.retry === "never") deps.marks.release(chat);
    deps.base.trouble("What was said in Slack while it was away could not be read.", cause);
  }
}

async function readMissed(
  deps: CatchUpDeps,
  chat: string,
  { threads, since }: { threads: readonly string[]; since: string },
): Promise<readonly Raw[]> {
  const asked = { channel: chat, oldest: since };
  const missed = await readPages(deps, "conversations.history", asked);
  const answered = missed.filter((raw) => (raw.reply_count ?? 0) > 0).map(({ ts }) => ts);
  for (const ts of new Set([...threads, ...answered])) {
    missed.push(...(await readThread(deps, { ...asked, ts })));
  }
  const byTs = new Map(missed.filter(({ ts }) => Number(ts) > Number(since)).map((raw) => [raw.ts, raw]));
  return [...byTs.values()].sort((left, right) => Number(left.ts) - Number(right.ts));
}

async function readThread(deps: CatchUpDeps, asked: Readonly<Record<string, unknown>>): Promise<readonly Raw[]> {
  try {
    return await readPages(deps, "conversations.replies", asked);
  } catch (cause) {
    // a thread whose root was deleted is no reason not to read the others
    if (cause instanceof SlackFailure && cause.word === "thread_not_found") return [];
    throw cause;
  }
}

// all of them: asked by `oldest` alone, Slack begins with the oldest ones, and says nowhere that it always will
async function readPages(deps: CatchUpDeps, method: string, asked: Readonly<Record<string, unknown>>): Promise<Raw[]> {
  const found: Raw[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await patiently(deps, method, { ...asked, limit: 200, ...(cursor && { cursor }) });
    found.push(...answer.messages.flatMap((raw) => Raw.safeParse(raw).data ?? []));
    cursor = answer.response_metadata?.next_cursor;
    if (!cursor) return found;
  }
  deps.base.trouble("More was said in Slack than is read afterwards; some of it is left out.", undefined);
  return found;
}

async function patiently(deps: CatchUpDeps, method: string, asked: Readonly<Record<string, unknown>>) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await deps.call(method, asked, Page, deps.closing);
    } catch (cause) {
      if (!(cause instanceof SlackFailure) || cause.retry === "never" || tries === maxTries) throw cause;
      // what the app lacks is not there in half a minute, and the chat's news must not wait for it
      if (isRefusal(cause)) throw cause;
      if (deps.closing.aborted) throw cause;
      const waitMs = Math.min(longestWaitMs, cause.retryAfterMs ?? 1_000 * tries);
      // a sleep that is broken off has done its duty, however it says so
      await deps.base.sleep(waitMs, deps.closing).catch(() => undefined);
    }
  }
}
