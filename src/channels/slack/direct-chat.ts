import { z } from "zod";
import type { CallSlack } from "./connection/web-api.ts";

const OpenedChat = z.object({ channel: z.object({ id: z.string().min(1) }) });

/** The chat of one person with Steward; Slack opens it if it is not there yet. */
export async function directChat(call: CallSlack, personId: string, signal?: AbortSignal): Promise<string> {
  const { channel } = await call("conversations.open", { users: personId }, OpenedChat, signal);
  return channel.id;
}
