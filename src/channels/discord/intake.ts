// Messages are handed on in the order of their channel, and so are presses, which wait for no message. Discord has no acknowledgement: what has been taken is
// remembered by its number, and a new session begins by reading what was said after that.
import { z } from "zod";
import type { ChannelBase } from "../../contract/channel/channel.ts";
import type { Api } from "./api/api.ts";
import { DiscordFailure, readFailure } from "./api/discord-failure.ts";
import { openLanes } from "./lanes.ts";
import { missedChannels } from "./missed/missed-channels.ts";
import type { Place, Places } from "./places.ts";
import type { FetchFile } from "./read-attachments.ts";
import {
  type DiscordMessage,
  type DiscordPress,
  isOfAPerson,
  readDiscordMessage,
  readDiscordPress,
  readPress,
  readWords,
  Snowflake,
} from "./read-update.ts";
import { type Timings, waitAfter } from "./timings.ts";

export type Intake = {
  /** A new session has begun, in these servers: what was missed comes before whatever is said from now on. */
  ready(ownId: string, guildIds: readonly string[]): void;
  message(raw: unknown): void;
  press(raw: unknown): void;
  /** Steward has spoken there: what is said after it is not to be missed either. */
  spoke(channelId: string, messageId: string): void;
  idle(): Promise<void>;
};

export type IntakeDeps = {
  base: Pick<ChannelBase, "settings" | "take" | "chats" | "remember" | "recall" | "sleep" | "trouble" | "note">;
  api: Api;
  places: Places;
  fetchFile: FetchFile;
  timings: Timings;
  closing: AbortSignal;
  /** One of our own messages, as the gateway tells it. */
  ownMessage(message: DiscordMessage): void;
};

const [pageSize, keptIds] = [100, 2_000];
const Page = z.array(z.looseObject({ id: Snowflake }));

export function openIntake(deps: IntakeDeps): Intake {
  const { base, api, places, closing, timings } = deps;
  const lanes = openLanes((cause) => {
    if (!closing.aborted) base.trouble("Discord: something that came in could not be read.", cause);
  });
  const handedOn = new Set<string>();
  const seen = new Map<string, string>();
  let ownId = "";

  return {
    ready(id, guildIds) {
      ownId = id;
      void lanes.run("front", async () => {
        const missedDeps = { base, api, untilDone, seen: { last: lastSeen, mark: markSeen } };
        for (const channel of await missedChannels(missedDeps, guildIds)) {
          void lanes.run(`channel ${channel}`, () => catchUp(channel));
        }
      });
    },
    message(raw) {
      const message = readDiscordMessage(raw);
      if (!message) return;
      if (message.author.id === ownId) deps.ownMessage(message);
      if (!isOfAPerson(message)) return;
      // not before it is known in which channels something was missed
      void lanes.run("front", async () => {
        void lanes.run(`channel ${message.channel_id}`, () => handOn(message));
      });
    },
    press(raw) {
      const press = readDiscordPress(raw);
      if (press) void lanes.run(`presses ${press.channel_id}`, () => handOnPress(press));
    },
    spoke(channelId, messageId) {
      void lanes.run(`channel ${channelId}`, async () => {
        if ((await lastSeen(channelId)) === undefined) await markSeen(channelId, messageId);
      });
    },
    idle: () => lanes.idle(),
  };

  async function catchUp(channelId: string): Promise<void> {
    let after = await untilDone("What was seen last cannot be read", () => lastSeen(channelId));
    while (after !== undefined) {
      const missed = await readPage(channelId, after);
      for (const each of missed) {
        const message = readDiscordMessage(each);
        if (message && isOfAPerson(message)) await handOn(message);
        after = each.id;
      }
      await markSeen(channelId, after);
      if (missed.length < pageSize) return;
    }
  }

  /** Oldest first; nothing if the channel is gone. */
  async function readPage(channelId: string, after: string): Promise<z.infer<typeof Page>> {
    const query = { after, limit: String(pageSize) };
    try {
      const answer = await untilDone("What was said meanwhile cannot be read", () =>
        api.ask({ method: "GET", path: `/channels/${channelId}/messages`, query }),
      );
      // what came before is no news, so that each page leads on
      return (Page.safeParse(answer).data ?? [])
        .filter(({ id }) => BigInt(id) > BigInt(after))
        .sort((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
    } catch (cause) {
      if (!(cause instanceof DiscordFailure) || cause.retry === "again") throw cause;
      base.note("a discord channel cannot be read any more", { channelId, why: cause.message });
      return [];
    }
  }

  async function handOn(message: DiscordMessage): Promise<void> {
    if (handedOn.has(message.id)) return;
    const place = await placeOf(message.channel_id, message.guild_id);
    const update = readWords({ place, ownId, channelName: places.nameIfKnown, fetchFile: deps.fetchFile }, message);
    if (!update) return;
    let isKept = false;
    await lanes.run(`chat ${place.address.chat}`, async () => {
      await untilDone("A message could not be kept", () => base.take(update));
      isKept = true;
    });
    // the channel was closed: the next process reads it, and whatever came after it, again
    if (!isKept) throw new Error("Closed before a message was kept.");
    handedOn.add(message.id);
    if (handedOn.size > keptIds) for (const oldest of [...handedOn].slice(0, keptIds / 2)) handedOn.delete(oldest);
    await markSeen(message.channel_id, message.id);
  }

  async function handOnPress(press: DiscordPress): Promise<void> {
    const place = await placeOf(press.channel_id, press.guild_id);
    const update = readPress(place, press);
    if (!update) return;
    const answer = (text: string) => answerPress(press, text);
    // not in the line of the chat: a press waits for no message, however long its files take
    await untilDone("A press on a button could not be kept", () => base.take({ ...update, answer }));
  }

  /** Only the one who has pressed sees it. Discord takes it for three seconds, so it may be too late. */
  async function answerPress({ id, token }: DiscordPress, text: string): Promise<void> {
    const words = { content: text.slice(0, 2_000), flags: 1 << 6, allowed_mentions: { parse: [] } };
    const body = text.trim() === "" ? { type: 6 } : { type: 4, data: words };
    try {
      await api.ask({ method: "POST", path: `/interactions/${id}/${token}/callback`, body });
    } catch (cause) {
      base.note("a press on discord could not be answered", { why: readFailure(cause).message });
    }
  }

  function placeOf(channelId: string, guildId: string | undefined): Promise<Place> {
    return untilDone("A channel could not be looked up", () => places.of(channelId, guildId));
  }

  async function lastSeen(channelId: string): Promise<string | undefined> {
    return seen.get(channelId) ?? Snowflake.safeParse(await base.recall(`seen:${channelId}`)).data;
  }

  async function markSeen(channelId: string, messageId: string): Promise<void> {
    try {
      const before = await lastSeen(channelId);
      if (before !== undefined && BigInt(before) >= BigInt(messageId)) return;
      await base.remember(`seen:${channelId}`, messageId);
      seen.set(channelId, messageId);
    } catch (cause) {
      // at worst it is read once more, and known by its number
      if (!closing.aborted) base.trouble("Discord: which message was seen last could not be kept.", cause);
    }
  }

  /** Throws what cannot get better by waiting, what has failed so often, and when the channel is closed. */
  async function untilDone<Value>(
    trouble: string,
    job: () => Promise<Value>,
    triesAtMost = Number.POSITIVE_INFINITY,
  ): Promise<Value> {
    for (let failures = 0; ; failures++) {
      try {
        closing.throwIfAborted();
        return await job();
      } catch (cause) {
        closing.throwIfAborted();
        const failure = cause instanceof DiscordFailure ? cause : undefined;
        if (failure?.retry === "never" || failures + 1 >= triesAtMost) throw cause;
        if (failures === 0) base.trouble(`Discord: ${trouble}; it is tried again.`, cause);
        await base.sleep(Math.max(waitAfter(timings, failures), failure?.retryAfterMs ?? 0), closing);
      }
    }
  }
}
