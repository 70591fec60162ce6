// What Telegram sends → what a person said or pressed. Whatever is no person's message is passed over.
import type { Address } from "../../contract/channel/address.ts";
import type { IncomingFile, IncomingUpdate, Person } from "../../contract/channel/incoming-update.ts";
import { readFiles } from "./reading/read-files.ts";
import { readOthersWords } from "./reading/read-others-words.ts";
import { readWords } from "./reading/read-words.ts";
import { type Me, type Message, type Press, Update, type User } from "./reading/update-shapes.ts";

export type ReadWith = {
  me: Me;
  nowMs: number;
  readFile(fileId: string): IncomingFile["read"];
  answerPress(pressId: string, text: string): Promise<void>;
};

export function readUpdate(readWith: ReadWith, raw: unknown): IncomingUpdate | undefined {
  const update = Update.safeParse(raw);
  if (!update.success) return undefined;
  const { message, callback_query: press } = update.data;
  if (message) return readMessage(readWith, message);
  return press && readPress(readWith, press);
}

function readMessage(readWith: ReadWith, message: Message): IncomingUpdate | undefined {
  const moved = readMove(message);
  if (moved) return moved;
  const { from } = message;
  // an anonymous administrator or a channel writes under a name that several people share
  if (!from || from.is_bot || message.sender_chat !== undefined || message.sender_business_bot !== undefined) return;
  const words = readWords(readWith.me, message);
  const files = readFiles(readWith.readFile, message);
  if (!words || (words.text === undefined && files.length === 0)) return undefined;
  const said = readOthersWords(readWith.me, message, words.text ?? "");
  const repliesToUs =
    message.reply_to_message?.from?.id === readWith.me.id && !message.reply_to_message.forum_topic_created;
  return {
    kind: "message",
    ...placeOf(message, from),
    from: personOf(from),
    atMs: message.date * 1000,
    key: String(message.message_id),
    ref: String(message.message_id),
    ...said,
    files,
    ...(words.addressesUs || repliesToUs ? { addressesUs: true } : {}),
    ...answered(message),
  };
}

/** In a topic each message answers the one that began it, if nothing else. */
function answered({ reply_to_message: answers }: Message): { answersRef?: string } {
  return answers && !answers.forum_topic_created ? { answersRef: String(answers.message_id) } : {};
}

/** A group that became a supergroup has another number, and says so in both chats. Nobody has written that. */
function readMove({ chat, from, date, ...message }: Message): IncomingUpdate | undefined {
  const { migrate_to_chat_id: to, migrate_from_chat_id: before } = message;
  if (to === undefined && before === undefined) return undefined;
  const old = String(before ?? chat.id);
  const title = chat.title ?? old;
  return {
    ...{ kind: "message", address: { chat: String(to ?? chat.id) }, movedFrom: { chat: old }, isDirect: false, title },
    from: from ? personOf(from) : { id: old, name: title },
    atMs: date * 1000,
    // no number of a message, since those begin anew in the new chat; the same in both
    key: `moved from ${old}`,
    text: "",
    files: [],
  };
}

function readPress({ nowMs, answerPress }: ReadWith, { id, from, data, message }: Press): IncomingUpdate | undefined {
  if (from.is_bot) return undefined;
  return {
    kind: "press",
    ...placeOf(message, from),
    from: personOf(from),
    // Telegram does not say when it was pressed
    atMs: nowMs,
    press: data,
    ref: String(message.message_id),
    answer: (text) => answerPress(id, text),
  };
}

type Placed = Pick<Message, "chat" | "message_thread_id" | "is_topic_message">;

function placeOf({ chat, message_thread_id: thread, is_topic_message: isTopic }: Placed, from: User) {
  // outside of topics the number only names the message that began a row of replies
  const hasTopic = isTopic === true && thread !== undefined;
  const address: Address = { chat: String(chat.id), ...(hasTopic ? { thread: String(thread) } : {}) };
  return { address, isDirect: chat.type === "private", title: chat.title ?? personOf(from).name };
}

function personOf({ id, first_name, last_name, username }: User): Person {
  const name = [first_name, last_name].filter(Boolean).join(" ") || username || String(id);
  return { id: String(id), name };
}
