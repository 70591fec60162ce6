// What Discord tells, read: a message or a press becomes an update; whatever is neither, or has another shape, is passed over.
import { z } from "zod";
import type { IncomingPress, IncomingUpdate, IncomingWords, Person } from "../../contract/channel/incoming-update.ts";
import { plainName } from "../plain-name.ts";
import type { Place } from "./places.ts";
import { Attachment, type FetchFile, readAttachments } from "./read-attachments.ts";

export const Snowflake = z.string().regex(/^\d{1,20}$/);

const Author = z.object({
  id: Snowflake,
  username: z.string().catch(""),
  global_name: z.string().nullish().catch(undefined),
  bot: z.boolean().catch(false).default(false),
});
const Member = z.object({ nick: z.string().nullish() }).nullish().catch(undefined);
const attachments = z.array(z.unknown()).catch([]).transform(eachThatIs(Attachment));

const Forwarded = z.object({ message: z.object({ content: z.string().catch(""), attachments }) });

const Message = z.object({
  id: Snowflake,
  channel_id: Snowflake,
  guild_id: Snowflake.optional().catch(undefined),
  type: z.number(),
  author: Author,
  member: Member,
  webhook_id: z.string().optional().catch(undefined),
  content: z.string().catch(""),
  mentions: z.array(z.unknown()).catch([]).transform(eachThatIs(Author)),
  attachments,
  sticker_items: z.array(z.object({ name: z.string() })).catch([]),
  referenced_message: z
    .object({ id: Snowflake.catch(""), content: z.string().catch(""), author: Author })
    .nullish()
    .catch(undefined),
  message_snapshots: z.array(z.unknown()).catch([]).transform(eachThatIs(Forwarded)),
  flags: z.number().catch(0),
  nonce: z.union([z.string(), z.number()]).nullish().catch(undefined),
});
export type DiscordMessage = z.infer<typeof Message>;

const Interaction = z.object({
  id: Snowflake,
  token: z.string(),
  type: z.literal(3),
  channel_id: Snowflake,
  guild_id: Snowflake.optional().catch(undefined),
  data: z.object({ custom_id: z.string() }),
  user: Author.optional(),
  member: z.object({ user: Author, nick: z.string().nullish().catch(undefined) }).optional(),
});
export type DiscordPress = z.infer<typeof Interaction>;

/** What the gateway says when a session begins: as whom, and in which servers. */
export const Greeting = z.object({
  user: z.object({ id: Snowflake, username: z.string() }),
  guilds: z.array(z.object({ id: Snowflake })).catch([]),
});
/** Something in a server is called otherwise now. */
export const Changed = z.object({ id: Snowflake.optional(), guild_id: Snowflake.optional() });

const [plain, reply] = [0, 19];
const voiceMessage = 1 << 13;
const quotedAtMost = 1_000;
const discordBeginsMs = 1_420_070_400_000;

export type Reading = {
  place: Place;
  ownId: string;
  channelName(id: string): string | undefined;
  fetchFile: FetchFile;
};

export function readDiscordMessage(raw: unknown): DiscordMessage | undefined {
  return Message.safeParse(raw).data;
}

export function readDiscordPress(raw: unknown): DiscordPress | undefined {
  return Interaction.safeParse(raw).data;
}

/** Whether a person has said it: not a bot, a webhook or Discord itself ("has joined"). */
export function isOfAPerson({ author, webhook_id, type }: DiscordMessage): boolean {
  return !author.bot && webhook_id === undefined && (type === plain || type === reply);
}

/** Undefined: there is nothing in it that could be answered, as when its only content is of a kind that is not known here. */
export function readWords(reading: Reading, message: DiscordMessage): (IncomingUpdate & IncomingWords) | undefined {
  const { place, ownId } = reading;
  const { text, isMentioned } = readText(reading, message);
  const answersUs = message.referenced_message?.author.id === ownId;
  const others = readOthersWords(reading, message);
  const files = [...message.attachments, ...message.message_snapshots.flatMap((each) => each.message.attachments)];
  if (text === "" && others === "" && files.length === 0) return undefined;
  const from = readPerson(message.author, message.member?.nick);
  return {
    kind: "message",
    ...{ address: place.address, isDirect: place.isDirect, title: place.title ?? from.name, from },
    atMs: timeOf(message.id),
    key: message.id,
    ref: message.id,
    text,
    files: readAttachments(reading.fetchFile, files, (message.flags & voiceMessage) !== 0),
    ...(isMentioned || answersUs ? { addressesUs: true } : {}),
    ...(message.referenced_message ? { answersRef: message.referenced_message.id } : {}),
    ...(others === "" ? {} : { data: others }),
    ...(others === "" && message.message_snapshots.length === 0 ? {} : { labels: ["forwarded:discord"] }),
    ...(message.message_snapshots.length === 0 ? {} : { isForwarded: true }),
  };
}

/** What a press says, but for the answer to it; undefined: nobody knows who has pressed. */
export function readPress(
  place: Place,
  press: DiscordPress,
): Omit<IncomingUpdate & IncomingPress, "answer"> | undefined {
  const author = press.member?.user ?? press.user;
  if (!author) return undefined;
  const from = readPerson(author, press.member?.nick);
  return {
    kind: "press",
    ...{ address: place.address, isDirect: place.isDirect, title: place.title ?? from.name, from },
    atMs: timeOf(press.id),
    press: press.data.custom_id,
  };
}

/** Discord's ids hold the time at which they were made. */
export function timeOf(id: string): number {
  return Number(BigInt(id) >> 22n) + discordBeginsMs;
}

/** The smallest id that can have been made then. */
export function idAt(ms: number): string {
  return String(BigInt(Math.max(0, Math.floor(ms) - discordBeginsMs)) << 22n);
}

function readText(reading: Reading, message: DiscordMessage): { text: string; isMentioned: boolean } {
  const { ownId, place } = reading;
  const ours = [`<@${ownId}>`, `<@!${ownId}>`, ...(place.ownRoleId === undefined ? [] : [`<@&${place.ownRoleId}>`])];
  const isMentioned = ours.some((mention) => message.content.includes(mention));
  let words = message.content.trim();
  for (let before = ""; before !== words; ) {
    before = words;
    for (const mention of ours) if (words.startsWith(mention)) words = words.slice(mention.length).trimStart();
  }
  const named = words === "" ? message.content.trim() : words;
  const stickers = message.sticker_items.map(({ name }) => `[sticker: ${name}]`).join(" ");
  return { text: readMarks(reading, message, named) || stickers, isMentioned };
}

/** Mentions stand in the text as numbers; people see names. */
function readMarks(reading: Reading, { mentions }: DiscordMessage, text: string): string {
  const names = new Map(mentions.map((author) => [author.id, plainName(readPerson(author, undefined).name)]));
  return text
    .replace(/<@!?(\d{1,20})>/g, (mark, id: string) => (names.has(id) ? `@${names.get(id)}` : mark))
    .replace(/<#(\d{1,20})>/g, (mark, id: string) => {
      const name = reading.channelName(id);
      return name === undefined ? mark : `#${plainName(name)}`;
    })
    .replace(/<a?:(\w{1,64}):\d{1,20}>/g, ":$1:");
}

/** What its sender has not written: the message it answers, or that it forwards. */
function readOthersWords(reading: Reading, message: DiscordMessage): string {
  const answered = message.referenced_message;
  const isOthers = answered && answered.author.id !== reading.ownId && answered.author.id !== message.author.id;
  const answeredWords =
    isOthers && answered.content !== ""
      ? [`It answers this message of ${readPerson(answered.author, undefined).name}:\n${cut(answered.content)}`]
      : [];
  // Discord does not tell who has written what is forwarded
  const forwarded = message.message_snapshots
    .map((each) => each.message.content)
    .filter((each) => each !== "")
    .map((each) => `Forwarded from somebody elsewhere:\n${cut(each)}`);
  return [...answeredWords, ...forwarded].join("\n\n");
}

function cut(words: string): string {
  return words.slice(0, quotedAtMost);
}

function readPerson({ id, global_name, username }: z.infer<typeof Author>, nick: string | null | undefined): Person {
  return { id, name: nick || global_name || username || id };
}

/** One that has another shape does not take the rest with it. */
function eachThatIs<Kind extends z.ZodType>(kind: Kind): (all: unknown[]) => z.infer<Kind>[] {
  return (all) => all.map((each) => kind.safeParse(each)).flatMap((read) => (read.success ? [read.data] : []));
}
