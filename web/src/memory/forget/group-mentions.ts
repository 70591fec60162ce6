// What speaks of something, by the file or the conversation in which it stands, and what of it was chosen.
import { type Amount, amountInWords } from "../../../../src/contract/memory/forgotten-words.ts";
import type { MethodInput, MethodResult } from "../../../../src/contract/wire/method.ts";

export type Mention = MethodResult<"memory.mentions">["mentions"][number];
type Input = MethodInput<"memory.forget">;
type ToForget = { lines: NonNullable<Input["lines"]>; messages: NonNullable<Input["messages"]> };

export type MentionGroup = {
  id: string;
  /** Of a file. */
  path?: string | undefined;
  /** Of a conversation. */
  sessionKey?: string | undefined;
  mentions: readonly Mention[];
};

export function mentionId({ path = "", line = 0, sessionKey = "", seq = 0 }: Mention): string {
  return [path, line, sessionKey, seq].join("\n");
}

type MentionWords = { kind: "said" | "title" | "summary" | "work"; text: string };

/** As the gateway begins what nobody said. */
const beginnings = [
  ["work", "(looked up or done) "],
  ["title", "(what a conversation is called) "],
  ["summary", "(a summary of a conversation) "],
] as const;

export function mentionWords({ sessionKey, text }: Mention): MentionWords {
  const [kind, beginning] = beginnings.find(([, words]) => sessionKey !== undefined && text.startsWith(words)) ?? [];
  return kind === undefined ? { kind: "said", text } : { kind, text: text.slice(beginning.length) };
}

/** What somebody said, then what was answered, then what the conversation is called; and apart from it what was looked up or done. */
export function splitWork(mentions: readonly Mention[]): { said: readonly Mention[]; work: readonly Mention[] } {
  const kindOf = (mention: Mention) => mentionWords(mention).kind;
  const rankOf = (mention: Mention) => (kindOf(mention) !== "said" ? 2 : mention.who === "assistant" ? 1 : 0);
  return {
    said: mentions.filter((one) => kindOf(one) !== "work").toSorted((one, other) => rankOf(one) - rankOf(other)),
    work: mentions.filter((one) => kindOf(one) === "work"),
  };
}

/** Files first, then conversations, each in the order in which they came. */
export function groupMentions(mentions: readonly Mention[]): readonly MentionGroup[] {
  const groups = new Map<string, Mention[]>();
  for (const mention of mentions) {
    const id = mention.path === undefined ? `conversation ${mention.sessionKey}` : `file ${mention.path}`;
    groups.set(id, [...(groups.get(id) ?? []), mention]);
  }
  const all = [...groups].map(([id, own]) => ({
    id,
    path: own[0]?.path,
    sessionKey: own[0]?.sessionKey,
    mentions: own,
  }));
  return [...all.filter(({ path }) => path !== undefined), ...all.filter(({ path }) => path === undefined)];
}

export function toForget(chosen: readonly Mention[]): ToForget {
  return {
    lines: chosen.flatMap(({ path, line, text }) =>
      path !== undefined && line !== undefined ? [{ path, line, text }] : [],
    ),
    messages: chosen.flatMap(({ sessionKey, seq }) =>
      sessionKey !== undefined && seq !== undefined ? [{ sessionKey, seq }] : [],
    ),
  };
}

/** "2 lines and 1 message are", for a sentence that goes on. */
export function amountWords(amount: Amount, [one, many]: readonly [string, string] = ["is", "are"]): string {
  const { lines, messages, earlierVersions } = amount;
  const all = lines + messages + earlierVersions;
  return all === 0 ? `Nothing ${one}` : `${amountInWords(amount)} ${all === 1 ? one : many}`;
}
