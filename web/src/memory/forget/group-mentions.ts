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
export function amountWords(amount: Amount): string {
  const { lines, messages, earlierVersions } = amount;
  const all = lines + messages + earlierVersions;
  return all === 0 ? "Nothing is" : `${amountInWords(amount)} ${all === 1 ? "is" : "are"}`;
}
