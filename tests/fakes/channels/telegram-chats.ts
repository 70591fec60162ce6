// What the chats of the fake show: what was written, sent, changed and taken away.
import { readTelegramHtml } from "./telegram-html.ts";
import type { UploadedFile } from "./telegram-multipart.ts";

export type FakeMessage = Record<string, unknown>;

export type TelegramRequest = {
  method: string;
  /** What the bot asked for; of a form, what its fields hold. */
  body: Record<string, unknown>;
  files: Readonly<Record<string, UploadedFile>>;
};

export type Button = { text: string; callback_data: string; style?: string };
export type Shown = {
  id: number;
  text: string;
  isOurs: boolean;
  buttons: readonly (readonly Button[])[];
  thread: number | undefined;
  file: { kind: "photo" | "document"; name: string; data: Buffer } | undefined;
};

export class Refusal extends Error {
  readonly status: number;
  readonly parameters: Record<string, unknown> | undefined;
  constructor(status: number, message: string, parameters?: Record<string, unknown>) {
    super(message);
    this.status = status;
    this.parameters = parameters;
  }
}

type Kept = FakeMessage & { message_id: number; chat: FakeMessage };
type Chat = { id: number; title: string; moved?: number; isBlocked?: boolean; messages: Map<number, Kept> };

export function openTelegramChats(me: FakeMessage) {
  const known = new Map<number, Chat>();
  const files = new Map<number, NonNullable<Shown["file"]>>();
  let lastMessage = 100;

  return { known, open, place, find, messages, act };

  function open(id: number, person: FakeMessage): FakeMessage {
    if (!known.has(id)) known.set(id, { id, title: "Household", messages: new Map() });
    if (id > 0) return { id, type: "private", first_name: person.first_name };
    return { id, type: "supergroup", title: known.get(id)?.title };
  }

  function place(chat: number, message: FakeMessage): Kept {
    const kept = { message_id: ++lastMessage, chat: { id: chat }, ...message };
    open(chat, {});
    known.get(chat)?.messages.set(kept.message_id, kept);
    return kept;
  }

  function find(messageId: number): Kept | undefined {
    return [...known.values()].map((chat) => chat.messages.get(messageId)).find((message) => message !== undefined);
  }

  function messages(chat: number): readonly Shown[] {
    return [...(known.get(chat)?.messages.values() ?? [])].map((message) => ({
      id: message.message_id,
      text: String(message.text ?? message.caption ?? ""),
      isOurs: (message.from as FakeMessage | undefined)?.id === me.id,
      buttons: buttonsOf(message.reply_markup),
      thread: message.message_thread_id as number | undefined,
      file: files.get(message.message_id),
    }));
  }

  function act(request: TelegramRequest): unknown {
    const { method, body } = request;
    const chat = chatFor(Number(body.chat_id));
    switch (method) {
      case "sendMessage":
        return sent(chat, body, { text: words(body, "text", 4096) });
      case "sendPhoto":
      case "sendDocument":
        return upload(chat, request);
      case "editMessageText":
      case "editMessageCaption":
      case "editMessageReplyMarkup":
        return edit(chat, request);
      case "deleteMessage":
        if (!chat.messages.delete(Number(body.message_id)))
          throw new Refusal(400, "Bad Request: message to delete not found");
        return true;
      default:
        throw new Refusal(404, "Not Found: method not found");
    }
  }

  function chatFor(id: number): Chat {
    const chat = known.get(id);
    if (!chat) throw new Refusal(400, "Bad Request: chat not found");
    if (chat.isBlocked) throw new Refusal(403, "Forbidden: bot was blocked by the user");
    if (chat.moved === undefined) return chat;
    const parameters = { migrate_to_chat_id: chat.moved };
    throw new Refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", parameters);
  }

  function sent(chat: Chat, body: FakeMessage, content: FakeMessage): Kept {
    const thread = body.message_thread_id;
    const topic = thread === undefined ? {} : { message_thread_id: Number(thread), is_topic_message: true };
    const own = { date: Math.floor(Date.now() / 1000), from: me, chat: open(chat.id, {}), ...topic, ...content };
    return place(chat.id, { ...own, ...keyboardOf(body) });
  }

  function upload(chat: Chat, { method, body, files: parts }: TelegramRequest): Kept {
    const kind = method === "sendPhoto" ? "photo" : "document";
    const file = parts[String(body[kind]).replace("attach://", "")];
    if (!file || file.data.byteLength === 0) throw new Refusal(400, "Bad Request: file must be non-empty");
    const caption = body.caption === undefined ? {} : { caption: words(body, "caption", 1024) };
    const message = sent(chat, body, caption);
    files.set(message.message_id, { kind, ...file });
    return message;
  }

  function edit(chat: Chat, { method, body }: TelegramRequest): Kept {
    const message = chat.messages.get(Number(body.message_id));
    if (!message) throw new Refusal(400, "Bad Request: message to edit not found");
    const isFile = files.has(message.message_id);
    if (method === "editMessageText" && isFile)
      throw new Refusal(400, "Bad Request: there is no text in the message to edit");
    const changed = {
      ...(method === "editMessageText" ? { text: words(body, "text", 4096) } : {}),
      ...(method === "editMessageCaption" ? { caption: words(body, "caption", 1024) } : {}),
      reply_markup: keyboardOf(body).reply_markup,
    };
    const after = { ...message, ...changed };
    const same =
      "specified new message content and reply markup are exactly the same as a current content and reply markup";
    if (JSON.stringify(after) === JSON.stringify({ ...message, reply_markup: message.reply_markup }))
      throw new Refusal(400, `Bad Request: message is not modified: ${same} of the message`);
    chat.messages.set(message.message_id, after);
    return after;
  }
}

function words(body: FakeMessage, field: "text" | "caption", longest: number): string {
  const given = String(body[field] ?? "");
  const read = body.parse_mode === "HTML" ? readTelegramHtml(given) : { text: given };
  if ("problem" in read) throw new Refusal(400, read.problem);
  const text = read.text.trim();
  if (text === "" && field === "text") throw new Refusal(400, "Bad Request: message text is empty");
  if (text.length <= longest) return text;
  throw new Refusal(400, `Bad Request: message${field === "text" ? "" : " caption"} is too long`);
}

function keyboardOf(body: FakeMessage): FakeMessage {
  const rows = buttonsOf(body.reply_markup);
  if (rows.flat().some(({ callback_data }) => Buffer.byteLength(callback_data) > 64))
    throw new Refusal(400, "Bad Request: BUTTON_DATA_INVALID");
  return rows.length === 0 ? {} : { reply_markup: { inline_keyboard: rows } };
}

function buttonsOf(markup: unknown): readonly (readonly Button[])[] {
  return (markup as { inline_keyboard?: readonly (readonly Button[])[] } | undefined)?.inline_keyboard ?? [];
}
