// What Telegram sends, as far as it is looked at. What is left out of a message, or has a shape nobody knows, costs that part only.
import { z } from "zod";
import type { RawUpdate } from "../intake.ts";

/** edited_message is asked for although nothing is done with it yet: Telegram keeps the list until it is changed. */
export const allowedUpdates = ["message", "edited_message", "callback_query", "my_chat_member"] as const;

const perhaps = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);
const text = perhaps(z.string());
const number = perhaps(z.number());
const flag = perhaps(z.boolean());

const User = z.object({ id: z.number(), is_bot: z.boolean(), first_name: text, last_name: text, username: text });
export type User = z.infer<typeof User>;

const Chat = z.object({ id: z.number(), type: z.string(), title: text, username: text, first_name: text });

const Entity = z.object({
  type: z.string(),
  offset: z.number().int().nonnegative(),
  length: z.number().int().nonnegative(),
  url: text,
  user: perhaps(User),
});
const entities = z.array(Entity).default([]).catch([]);
export type Entity = z.infer<typeof Entity>;

const file = { file_id: z.string(), file_size: number };
const NamedFile = z.object({ ...file, file_name: text, mime_type: text });
export type NamedFile = z.infer<typeof NamedFile>;
const Photo = z.object({ ...file, width: z.number(), height: z.number() });
const Place = z.object({ latitude: z.number(), longitude: z.number() });

const words = {
  ...{ text, caption: text, entities, caption_entities: entities },
  ...{ document: perhaps(NamedFile), audio: perhaps(NamedFile), voice: perhaps(NamedFile) },
  ...{ video: perhaps(NamedFile), video_note: perhaps(NamedFile), photo: perhaps(z.array(Photo)) },
  sticker: perhaps(z.object({ emoji: text })),
  dice: perhaps(z.object({ emoji: text, value: number })),
  location: perhaps(Place),
  venue: perhaps(z.object({ title: text, address: text, location: Place })),
  contact: perhaps(z.object({ first_name: text, last_name: text, phone_number: text })),
  poll: perhaps(z.object({ question: z.string(), options: z.array(z.object({ text: z.string() })) })),
};

const anything = z.unknown().optional();
// only whether they are there matters, so that an unknown shape cannot hide one
const origin = { forward_origin: anything, forward_date: anything, via_bot: anything };
// what a person can send and nobody here can read: it is named, so that its sender gets an answer
const unreadable = {
  ...{ story: anything, checklist: anything, game: anything, invoice: anything },
  ...{ paid_media: anything, giveaway: anything, live_photo: anything, rich_message: anything },
};
export const unreadableKinds = Object.keys(unreadable) as readonly (keyof typeof unreadable)[];

const Quoted = z.object({
  ...{ ...words, ...origin, message_id: number, from: perhaps(User) },
  ...{ sender_chat: perhaps(Chat), forum_topic_created: anything },
});
export type Quoted = z.infer<typeof Quoted>;

export const Message = z.object({
  ...{ ...words, ...origin, ...unreadable },
  ...{ message_id: z.number(), date: z.number(), chat: Chat, from: perhaps(User), sender_chat: anything },
  ...{ message_thread_id: number, is_topic_message: flag },
  ...{ migrate_to_chat_id: number, migrate_from_chat_id: number },
  reply_to_message: perhaps(Quoted),
  quote: perhaps(z.object({ text: z.string() })),
  sender_business_bot: anything,
});
export type Message = z.infer<typeof Message>;

const PressedMessage = z.object({
  message_id: z.number(),
  chat: Chat,
  message_thread_id: number,
  is_topic_message: flag,
});
export const Press = z.object({ id: z.string(), from: User, data: z.string(), message: PressedMessage });
export type Press = z.infer<typeof Press>;

export const Update = z.object({ message: perhaps(Message), callback_query: perhaps(Press) });

/** What getMe answers. */
export const Me = z.object({
  id: z.number(),
  username: z.string().default(""),
  can_read_all_group_messages: flag,
});
export type Me = z.infer<typeof Me>;

const PlaceOfUpdate = z.object({
  message_id: number,
  chat: z.object({ id: z.number(), title: text, first_name: text }),
});
const Numbered = z.looseObject({ update_id: z.number().int() });

/** Enough of any update to count it, and to keep the messages of one chat in order. */
export function readRawUpdate(raw: unknown): RawUpdate | undefined {
  const numbered = Numbered.safeParse(raw);
  if (!numbered.success) return undefined;
  const { chat } = placeOfUpdate(numbered.data) ?? {};
  const isPress = numbered.data.callback_query !== undefined;
  return { id: numbered.data.update_id, line: `${isPress ? "presses " : ""}${chat?.id ?? ""}`, raw };
}

/** For a person: which one it is. */
export function describeUpdate(raw: unknown): string {
  const numbered = Numbered.safeParse(raw).data;
  const place = numbered && placeOfUpdate(numbered);
  if (!place) return `update ${numbered?.update_id}`;
  const { message_id: message, chat } = place;
  const what = numbered.callback_query === undefined ? "message" : "a press on message";
  return `${what} ${message} in the chat ${chat.title ?? chat.first_name ?? ""} (${chat.id})`;
}

function placeOfUpdate({ message, callback_query: press }: z.infer<typeof Numbered>) {
  const pressed = z.object({ message: anything }).safeParse(press);
  return PlaceOfUpdate.safeParse(message ?? pressed.data?.message).data;
}
