// Words that came with a message and are not its sender's own: forwarded ones, those of another bot, those it answers. They are
// data, so that nobody obeys them.
import { z } from "zod";
import { plainWords } from "./read-words.ts";
import type { Me, Message, Quoted } from "./update-shapes.ts";

type OwnAndOthers = { text: string; data?: string; labels?: readonly string[]; isForwarded?: true };

const labels = ["forwarded:telegram"];
const maxQuoted = 1_000;

const Named = z.object({
  title: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  username: z.string().optional(),
});
const Origin = z.object({
  sender_user: Named.optional(),
  sender_user_name: z.string().optional(),
  sender_chat: Named.optional(),
  chat: Named.optional(),
});

export function readOthersWords(me: Me, message: Message, text: string): OwnAndOthers {
  const notTheirs = { text: "", labels, isForwarded: true } as const;
  if (isForwarded(message)) return { ...notTheirs, data: after(`Forwarded from ${originOf(message)}`, text) };
  if (message.via_bot !== undefined)
    return { ...notTheirs, data: after(`Written by the bot ${nameOf(message.via_bot)}`, text) };
  const answered = message.reply_to_message;
  const quoted = message.quote?.text ?? (answered && plainWords(answered));
  if (!quoted || answered?.from?.id === me.id) return { text };
  const data = after(
    `It answers this message of ${answered ? authorOf(answered) : "somebody elsewhere"}`,
    quoted.slice(0, maxQuoted),
  );
  // what its sender has written before is no stranger's word
  return answered && isOwn(message, answered) ? { text, data } : { text, data, labels };
}

function isForwarded(message: Message | Quoted): boolean {
  return message.forward_origin !== undefined || message.forward_date !== undefined;
}

function isOwn(message: Message, answered: Quoted): boolean {
  const isTheirs = answered.from !== undefined && answered.from.id === message.from?.id;
  return isTheirs && answered.sender_chat === undefined && !isForwarded(answered) && answered.via_bot === undefined;
}

function originOf({ forward_origin }: Message): string {
  const origin = Origin.safeParse(forward_origin).data;
  return origin?.sender_user_name ?? nameOf(origin?.sender_user ?? origin?.sender_chat ?? origin?.chat);
}

function authorOf({ from, sender_chat }: Quoted): string {
  return nameOf(sender_chat ?? from);
}

function nameOf(raw: unknown): string {
  const named = Named.safeParse(raw).data;
  const full = [named?.first_name, named?.last_name].filter(Boolean).join(" ");
  return named?.title || full || named?.username || "somebody";
}

function after(what: string, words: string): string {
  return words === "" ? `${what}.` : `${what}:\n${words}`;
}
