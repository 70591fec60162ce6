// What happens on channels: pieces of replies on their way, what stands in chats, who may talk, and groups.
import { z } from "zod";
import { AttachmentRef } from "../attachment.ts";
import { event, turnEvent } from "../event-shape.ts";
import { Sender } from "../sender.ts";
import { Address } from "./address.ts";
import { GroupName, GroupOptions } from "./group.ts";

const reply = z.number().int().positive();
const piece = z.number().int().nonnegative();
const group = { group: GroupName, options: GroupOptions };

export const channelEvents = [
  // said in a group to others; the next message to Steward there takes it along
  event("message.overheard", {
    ...{ messageId: z.string(), channel: z.string(), sender: Sender, text: z.string() },
    attachments: z.array(AttachmentRef).default([]),
  }),
  // a piece of it is about to go out; what follows says whether the platform has it, and without that nobody knows
  event("reply.sending", { reply, piece }),
  event("reply.unsent", { reply, piece, reason: z.string() }),
  // ref: how the platform calls it; mayRepeat: it may have arrived before, and says so
  event("reply.sent", { reply, piece, ref: z.string(), mayRepeat: z.literal(true).optional() }),
  // failed: it cannot be delivered there, and is not tried again; late: it said when it was written
  event("reply.delivered", {
    turn: z.string().optional(),
    ...{ reply, channel: z.string() },
    late: z.literal(true).optional(),
    failed: z.string().optional(),
  }),
  // a question in a chat has lost its buttons, since it was answered
  event("question.closed", { reply }),
  // what streams in a chat while a turn goes on, and that it is no longer there
  turnEvent("draft.shown", { ref: z.string() }),
  turnEvent("draft.cleared", {}),
  // where on its platform the conversation takes place
  event("chat.met", {
    ...{ channel: z.string(), address: Address, isDirect: z.boolean(), title: z.string() },
    details: z.record(z.string(), z.string()).optional(),
    // of a direct one: who it is with
    person: z.string().optional(),
  }),
  // an order to Steward itself, such as /stop, that no model hears of
  event("chat.commanded", { channel: z.string(), command: z.string(), by: Sender }),
  // somebody may talk there as the owner, or may no longer
  event("person.allowed", { channel: z.string(), person: z.string(), name: z.string(), by: Sender }),
  event("person.removed", { channel: z.string(), person: z.string(), by: Sender }),
  event("group.registered", {
    ...{ ...group, title: z.string(), channel: z.string(), address: Address, by: Sender },
    // the platform calls its chat otherwise from now on: whatever takes place there goes along
    movedFrom: Address.optional(),
  }),
  event("group.changed", { ...group, by: Sender }),
  event("group.removed", { group: GroupName, by: Sender }),
  // its platform did not answer for long, and the owner was told by another one; or it answers again
  event("channel.lost", { channel: z.string(), reason: z.string() }),
  event("channel.found", { channel: z.string() }),
] as const;

type ChannelEventType = z.infer<(typeof channelEvents)[number]>["type"];
const types: ReadonlySet<string> = new Set(channelEvents.map((each) => each.shape.type.value));

/** For folds that pass over all of them. */
export function isChannelEvent<Any extends { type: string }>(
  any: Any,
): any is Extract<Any, { type: ChannelEventType }> {
  return types.has(any.type);
}
