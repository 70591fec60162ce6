// Orders to Steward itself, as "/steward stop": other words after a slash are Slack's own, and no message comes of them.
import { z } from "zod";
import type { IncomingUpdate } from "../../../contract/channel/incoming-update.ts";
import { isRefusal, SlackFailure } from "../connection/slack-failure.ts";
import type { CallSlack } from "../connection/web-api.ts";
import { directChat } from "../direct-chat.ts";
import type { Reading } from "../read-update.ts";
import { readText } from "./read-text.ts";

const Command = z.object({
  channel_id: z.string().min(1),
  channel_name: z.string().default(""),
  user_id: z.string().min(1),
  text: z.string().nullish(),
  trigger_id: z.string().min(1),
});
export type SlackCommand = z.infer<typeof Command>;

export function readCommand(raw: unknown): SlackCommand | undefined {
  return Command.safeParse(raw).data;
}

export async function commandUpdate(
  { reading, call, nowMs }: { reading: Reading; call: CallSlack; nowMs: number },
  command: SlackCommand,
): Promise<IncomingUpdate> {
  const { names, us } = reading;
  const { channel_id: channel, user_id: user } = command;
  const isDirect = command.channel_name === "directmessage";
  const name = await names.person(user);
  const order = (await readText(names.of, command.text ?? "", us.userId)).trim().replace(/^[/!]+/, "");
  return {
    kind: "message",
    address: { chat: isDirect ? await ownChatOf(call, user, channel) : channel },
    isDirect,
    title: isDirect ? name : await names.channel(channel),
    from: { id: user, name },
    atMs: nowMs,
    key: command.trigger_id,
    text: `/${order || "help"}`,
    files: [],
    addressesUs: true,
  };
}

// it can be typed in the chat of two people too, which Steward does not hear: what it answers belongs in its own chat with them
async function ownChatOf(call: CallSlack, user: string, channel: string): Promise<string> {
  try {
    return await directChat(call, user);
  } catch (cause) {
    if (cause instanceof SlackFailure && (cause.retry === "never" || isRefusal(cause))) return channel;
    throw cause;
  }
}
