// In which channels something may have been said while Steward was away: where people have talked, where those who may talk can
// begin to, and threads that were begun meanwhile.
import { z } from "zod";
import type { ChannelBase } from "../../../contract/channel/channel.ts";
import type { Api } from "../api/api.ts";
import { DiscordFailure } from "../api/discord-failure.ts";
import { openDirectChannel } from "../direct-channel.ts";
import { idAt, Snowflake, timeOf } from "../read-update.ts";
import { type NewestChannels, newestChannels } from "./newest-channels.ts";

export type MissedDeps = {
  base: Pick<ChannelBase, "settings" | "chats" | "remember" | "recall" | "trouble" | "note">;
  api: Api;
  /** Up to which message a channel has been read. */
  seen: {
    last(channelId: string): Promise<string | undefined>;
    mark(channelId: string, messageId: string): Promise<void>;
  };
  /** Throws what cannot get better by waiting, what has failed so often, and when the channel is closed. */
  untilDone<Value>(trouble: string, job: () => Promise<Value>, triesAtMost?: number): Promise<Value>;
};

const ActiveThread = z.object({
  id: Snowflake,
  parent_id: Snowflake,
  last_message_id: Snowflake.optional().catch(undefined),
});
type ActiveThread = z.infer<typeof ActiveThread>;
const ActiveThreads = z.object({ threads: z.array(ActiveThread) });

const peopleAtMost = 50;
// whatever is said meanwhile waits until they are listed, and a server that Discord has lost for now is no reason to wait on
const listTries = 3;
// what was said last before Steward ended may not have been kept, in whatever order it came
const overlapMs = 120_000;

export async function missedChannels(deps: MissedDeps, guildIds: readonly string[]): Promise<ReadonlySet<string>> {
  const newest = newestChannels(await deps.untilDone("Where people talk cannot be read", () => deps.base.chats()));
  const known = newest.threads.map(({ thread }) => thread);
  const people = await directChannels(deps);
  return new Set([
    ...newest.direct,
    ...people,
    ...newest.shared,
    ...known,
    ...(await newsInThreads(deps, newest, guildIds)),
  ]);
}

/** Where those who may talk write, who may do so for the first time while Steward is away. */
async function directChannels(deps: MissedDeps): Promise<string[]> {
  const channels: string[] = [];
  for (const personId of deps.base.settings.channels.discord.allowedUserIds.slice(0, peopleAtMost)) {
    try {
      const asked = deps.untilDone("Where somebody writes alone cannot be read", () => directChannelOf(deps, personId));
      channels.push(await asked);
    } catch (cause) {
      if (!(cause instanceof DiscordFailure)) throw cause;
      deps.base.note("somebody on discord has no direct channel", { personId, why: cause.message });
    }
  }
  return channels;
}

async function directChannelOf({ base, api, seen }: MissedDeps, personId: string): Promise<string> {
  const before = Snowflake.safeParse(await base.recall(`direct:${personId}`));
  if (before.success) return before.data;
  const { id, lastMessageId } = await openDirectChannel(api, personId);
  // what was said before this bot was Steward is nobody's question any more; where nothing was said, whatever comes is later
  if ((await seen.last(id)) === undefined) await base.remember(`seen:${id}`, lastMessageId ?? id);
  await base.remember(`direct:${personId}`, id);
  return id;
}

async function newsInThreads(
  deps: MissedDeps,
  newest: NewestChannels,
  guildIds: readonly string[],
): Promise<readonly string[]> {
  if (newest.shared.length === 0) return [];
  const listed = await Promise.all(guildIds.map((guildId) => activeThreads(deps, guildId)));
  const found: string[] = [];
  for (const thread of listed.flat().filter(({ parent_id }) => newest.shared.includes(parent_id))) {
    const lastSeen = async () => (await deps.seen.last(thread.id)) ?? (await beginThread(deps, newest, thread));
    const last = await deps.untilDone("What was seen last cannot be read", lastSeen);
    const { last_message_id: news } = thread;
    if (last !== undefined && (news === undefined || BigInt(news) > BigInt(last))) found.push(thread.id);
  }
  return found;
}

async function activeThreads({ api, base, untilDone }: MissedDeps, guildId: string): Promise<readonly ActiveThread[]> {
  try {
    const list = () => api.ask({ method: "GET", path: `/guilds/${guildId}/threads/active` });
    const answer = await untilDone("Which threads there are cannot be read", list, listTries);
    return ActiveThreads.safeParse(answer).data?.threads ?? [];
  } catch (cause) {
    if (!(cause instanceof DiscordFailure)) throw cause;
    if (cause.retry === "never")
      base.note("the threads of a discord server cannot be read", { guildId, why: cause.message });
    else base.trouble("Discord: a thread that was begun meanwhile is noticed only with the next message in it.", cause);
    return [];
  }
}

/** A thread of which nothing was heard is read from when something was last heard of its channel, also by the next process. */
async function beginThread(
  { seen }: MissedDeps,
  { threads }: NewestChannels,
  { id, parent_id: parent }: ActiveThread,
): Promise<string | undefined> {
  const beside = threads.filter(({ chat }) => chat === parent).map(({ thread }) => thread);
  const heard = (await Promise.all([parent, ...beside].map((channel) => seen.last(channel)))).flatMap(
    (last) => last ?? [],
  );
  if (heard.length === 0) return undefined;
  const begin = idAt(Math.max(...heard.map(timeOf)) - overlapMs);
  await seen.mark(id, begin);
  return begin;
}
