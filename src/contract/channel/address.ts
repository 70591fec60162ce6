import { z } from "zod";
import { conversationKey } from "../conversation-key.ts";

/** Where on a platform a conversation takes place, in the platform's own ids. */
export const Address = z.object({ chat: z.string().min(1), thread: z.string().min(1).optional() });
export type Address = z.infer<typeof Address>;

/** What is known of a place on a platform: enough to speak there again after a restart. */
export const Chat = z.object({
  conversation: z.string(),
  channel: z.string(),
  address: Address,
  /** One person and Steward, nobody else. */
  isDirect: z.boolean(),
  /** What the platform calls it: the name of a group, the subject of a mail, the name of a person. */
  title: z.string(),
  /** Of a direct one: who it is with. */
  person: z.string().optional(),
  /** What only the channel itself understands, such as the message to which the next mail answers. */
  details: z.record(z.string(), z.string()).default({}),
});
export type Chat = z.infer<typeof Chat>;

/** The conversation that takes place there; the same place always gives the same one. */
export function conversationAt(channel: string, { chat, thread }: Address): string {
  return conversationKey(channel, chat, ...(thread === undefined ? [] : [thread]));
}
