import { z } from "zod";
import type { ChannelBase } from "../../contract/channel/channel.ts";
import { SlackFailure } from "./connection/slack-failure.ts";
import type { CallSlack } from "./connection/web-api.ts";
import type { Marks } from "./marks.ts";

const OpenedChat = z.object({ channel: z.object({ id: z.string().min(1) }) });
const Newest = z.object({ messages: z.array(z.object({ ts: z.string().regex(/^\d+\.\d+$/) })).default([]) });

const mostPeople = 50;

/** The chat of one person with Steward; Slack opens it if it is not there yet. */
export async function directChat(call: CallSlack, personId: string, signal?: AbortSignal): Promise<string> {
  const { channel } = await call("conversations.open", { users: personId }, OpenedChat, signal);
  return channel.id;
}

export type DirectChatsDeps = {
  base: Pick<ChannelBase, "remember" | "recall" | "note">;
  call: CallSlack;
  marks: Marks;
  signal: AbortSignal;
};

/** Where those who may talk write, who may do so for the first time while Steward is away. */
export async function directChats(deps: DirectChatsDeps, people: readonly string[]): Promise<readonly string[]> {
  const chats: string[] = [];
  // once Slack does not answer, nobody waits for it again and again; it is asked at the next sign-in
  let isAnswering = true;
  for (const personId of people.slice(0, mostPeople)) {
    try {
      const chat = (await begunChat(deps, personId)) ?? (isAnswering ? await beginChat(deps, personId) : undefined);
      if (chat !== undefined) chats.push(chat);
    } catch (cause) {
      if (!(cause instanceof SlackFailure)) throw cause;
      isAnswering = cause.retry === "never";
      deps.base.note("somebody on Slack has no direct chat", { personId, why: cause.message });
    }
  }
  return chats;
}

async function begunChat({ base, marks }: DirectChatsDeps, personId: string): Promise<string | undefined> {
  const chat = await base.recall(`direct:${personId}`);
  return chat !== undefined && (await marks.since(chat)) !== undefined ? chat : undefined;
}

async function beginChat({ base, call, marks, signal }: DirectChatsDeps, personId: string): Promise<string> {
  const chat = await directChat(call, personId, signal);
  const { messages } = await call("conversations.history", { channel: chat, limit: 1 }, Newest, signal);
  // what was said before this app was Steward is nobody's question any more
  await marks.begin(chat, messages[0]?.ts ?? "0");
  await base.remember(`direct:${personId}`, chat);
  return chat;
}
