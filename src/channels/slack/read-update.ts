// Raw → IncomingUpdate. Whatever is no message of a person is passed over.
import { z } from "zod";
import type { Address } from "../../contract/channel/address.ts";
import type {
  IncomingFile,
  IncomingPress,
  IncomingUpdate,
  IncomingWords,
} from "../../contract/channel/incoming-update.ts";
import { SlackFile } from "./files.ts";
import type { Names } from "./reading/names.ts";
import { readText } from "./reading/read-text.ts";

/** As whom Steward is signed in. */
export type Us = { userId: string; name: string };

export type Reading = { us: Us; names: Names; openFile(file: SlackFile): IncomingFile };

const optional = z.string().nullish();
const Attachment = z.object({
  text: optional,
  fallback: optional,
  author_name: optional,
  from_url: optional,
  is_share: z.boolean().nullish(),
  is_msg_unfurl: z.boolean().nullish(),
});
const Message = z.object({
  type: z.enum(["message", "app_mention"]),
  subtype: optional,
  channel: z.string().min(1),
  channel_type: optional,
  user: z.string().min(1),
  bot_id: optional,
  ts: z.string().regex(/^\d+\.\d+$/),
  thread_ts: optional,
  parent_user_id: optional,
  text: optional,
  files: z.array(z.unknown()).nullish(),
  attachments: z.array(z.unknown()).nullish(),
});
/** A message of a person. */
export type SpokenMessage = z.infer<typeof Message>;

const spokenSubtypes = new Set(["file_share", "thread_broadcast", "me_message"]);

export function readMessage(raw: unknown, us: Us): SpokenMessage | undefined {
  const message = Message.safeParse(raw).data;
  if (!message || message.bot_id || message.user === us.userId || message.user === "USLACKBOT") return undefined;
  if (message.subtype && !spokenSubtypes.has(message.subtype)) return undefined;
  return message;
}

export async function messageUpdate(reading: Reading, message: SpokenMessage): Promise<IncomingUpdate> {
  const { us, names, openFile } = reading;
  const isDirect = message.channel_type === "im" || message.channel.startsWith("D");
  const isMention = message.type === "app_mention" || mentions(message.text ?? "", us);
  const name = await names.person(message.user);
  const words: IncomingWords = {
    kind: "message",
    key: message.ts,
    text: withSlash(await readText(names.of, message.text ?? "", us.userId)),
    files: (message.files ?? []).flatMap((raw) => {
      const file = SlackFile.safeParse(raw).data;
      return file && file.mode !== "tombstone" ? [openFile(file)] : [];
    }),
    ref: message.ts,
    addressesUs: isDirect || isMention || message.parent_user_id === us.userId,
  };
  const forwarded = await readForwarded(reading, message.attachments ?? []);
  return {
    address: addressOf(message, isDirect, isMention),
    isDirect,
    title: isDirect ? name : await names.channel(message.channel),
    from: { id: message.user, name },
    atMs: Math.floor(Number(message.ts) * 1000),
    ...words,
    ...(forwarded && { data: forwarded, labels: ["forwarded"] }),
  };
}

// "/stop" would be an order to Slack itself, so it is written as "!stop"
function withSlash(text: string): string {
  return text.replace(/^\s*!(?=[a-z]+(\s|$))/, "/");
}

function mentions(text: string, { userId }: Us): boolean {
  return text.includes(`<@${userId}>`) || text.includes(`<@${userId}|`);
}

// in a channel a thread is a conversation, and a message that calls Steward begins one; a root names itself once it has replies
function addressOf(message: SpokenMessage, isDirect: boolean, isMention: boolean): Address {
  const { channel: chat, ts, thread_ts: thread } = message;
  if (thread && thread !== ts) return { chat, thread };
  return !isDirect && isMention ? { chat, thread: ts } : { chat };
}

async function readForwarded({ names, us }: Reading, attachments: readonly unknown[]): Promise<string | undefined> {
  const texts: string[] = [];
  for (const raw of attachments) {
    const attachment = Attachment.safeParse(raw).data;
    if (!attachment?.is_share && !attachment?.is_msg_unfurl) continue;
    const text = await readText(names.of, attachment.text || attachment.fallback || "", us.userId);
    if (text) texts.push(`Forwarded from ${attachment.author_name || "somebody elsewhere"}:\n${text}`);
  }
  return texts.length > 0 ? texts.join("\n\n") : undefined;
}

const Press = z.object({
  type: z.literal("block_actions"),
  user: z.object({ id: z.string().min(1) }),
  container: z.object({ channel_id: optional, message_ts: optional, thread_ts: optional }).nullish(),
  channel: z.object({ id: z.string().min(1) }).nullish(),
  message: z.object({ ts: optional, thread_ts: optional }).nullish(),
  response_url: optional,
  actions: z
    .array(z.object({ value: z.string().min(1), action_id: z.string().default(""), action_ts: z.string().default("") }))
    .min(1),
});
/** Somebody has pressed a button of a message. */
export type ButtonPress = {
  key: string;
  address: Address;
  user: string;
  press: string;
  responseUrl: string | undefined;
};

export function readPress(raw: unknown): ButtonPress | undefined {
  const pressed = Press.safeParse(raw).data;
  const chat = pressed?.channel?.id ?? pressed?.container?.channel_id;
  const action = pressed?.actions[0];
  if (!pressed || !chat || !action) return undefined;
  const ts = pressed.message?.ts ?? pressed.container?.message_ts;
  const thread = pressed.message?.thread_ts ?? pressed.container?.thread_ts;
  return {
    key: `press ${pressed.user.id} ${action.action_ts} ${action.action_id} ${action.value}`,
    address: thread && thread !== ts ? { chat, thread } : { chat },
    user: pressed.user.id,
    press: action.value,
    responseUrl: pressed.response_url ?? undefined,
  };
}

export async function pressUpdate(
  { names }: Pick<Reading, "names">,
  pressed: ButtonPress,
  nowMs: number,
  answer: IncomingPress["answer"],
): Promise<IncomingUpdate> {
  const isDirect = pressed.address.chat.startsWith("D");
  const name = await names.person(pressed.user);
  return {
    kind: "press",
    address: pressed.address,
    isDirect,
    title: isDirect ? name : await names.channel(pressed.address.chat),
    from: { id: pressed.user, name },
    atMs: nowMs,
    press: pressed.press,
    answer,
  };
}

const AssistantThread = z.object({
  type: z.literal("assistant_thread_started"),
  assistant_thread: z.object({ channel_id: z.string().min(1), thread_ts: z.string().min(1) }),
});

/** Somebody has opened the pane of the assistant and said nothing yet. */
export function readOpenedThread(raw: unknown): Required<Address> | undefined {
  const opened = AssistantThread.safeParse(raw).data?.assistant_thread;
  return opened && { chat: opened.channel_id, thread: opened.thread_ts };
}
