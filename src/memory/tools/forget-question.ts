// What would be forgotten comes in, the question that lists it goes out; and the same question tells later what was listed.
import { createHash } from "node:crypto";
import type { Mention } from "../../contract/wire/methods/memory.ts";
import { count } from "../../contract/words/amounts.ts";
import { spellOutQuestion } from "../../contract/words/spell-out.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";

const mostShown = 40;
const entry = "\n• ";

/** What speaks of it. `staying`: and cannot be taken out here; `more`: and there is more of it. */
export type Listed = { mentions: readonly Mention[]; staying: readonly Mention[]; more: boolean };

export function forgetQuestion(about: string, { mentions, staying, more }: Listed): string {
  const [shown, rest] = [mentions.slice(0, mostShown), mentions.slice(mostShown)];
  const all = [
    `Forget everything about “${visibleLine(about)}” for good: ${tally(mentions)}. With a message goes all that was done and said for it.`,
    ...shown.map(mentionWords),
    ...(rest.length === 0 ? [] : [`and ${tally(rest)} more: ${whereWords(rest)}`]),
  ];
  const stays = staying.map((mention) => `- ${placeOf(mention)}: ${visibleLine(mention.stays ?? "")}`);
  return [
    all.join(entry),
    `List ${listMark(mentions)}`,
    ...(stays.length === 0 ? [] : [`This stays:\n${stays.join("\n")}`]),
    ...(more ? ["There is more than could be listed. It stays until it is asked for again."] : []),
  ].join("\n\n");
}

/** Those that a question has listed; if anything of the list is another by now, only those that stand in it word for word. */
export function shownMentions(question: string, mentions: readonly Mention[]): readonly Mention[] {
  const [list = "", mark = ""] = question.split(/\n\nList ([0-9a-f]{16})/);
  if (mark === listMark(mentions)) return mentions;
  const listed = new Set(list.split(entry).slice(1));
  return mentions.filter((mention) => listed.has(spellOutQuestion(mentionWords(mention))));
}

/** `3 lines and 1 message` */
function tally(mentions: readonly Mention[]): string {
  const lines = mentions.filter(({ path }) => path !== undefined).length;
  const messages = mentions.length - lines;
  const parts = [...(lines > 0 ? [count(lines, "line")] : []), ...(messages > 0 ? [count(messages, "message")] : [])];
  return parts.join(" and ") || "nothing";
}

function mentionWords(mention: Mention): string {
  // so that no line of a message passes for an entry of its own
  return `${placeOf(mention)}: ${mention.text.replaceAll("\n", "\n    ")}`;
}

function placeOf({ path, line, sessionKey, seq, who }: Mention): string {
  if (path !== undefined) return `${path}:${line}`;
  if (sessionKey === undefined) return "elsewhere";
  return `${sessionKey} #${seq}${who === undefined ? "" : ` (${who === "person" ? "said to me" : "said by me"})`}`;
}

function whereWords(mentions: readonly Mention[]): string {
  const counts = new Map<string, Mention[]>();
  for (const mention of mentions) {
    const where = mention.path ?? mention.sessionKey ?? "?";
    counts.set(where, [...(counts.get(where) ?? []), mention]);
  }
  return [...counts].map(([where, found]) => `${tally(found)} in ${where}`).join(", ");
}

/** Another one if anything in the list is. */
function listMark(mentions: readonly Mention[]): string {
  const all = mentions.map(({ path, line, sessionKey, seq, text }) =>
    JSON.stringify([path, line, sessionKey, seq, text]),
  );
  return createHash("sha256").update(all.sort().join("\n")).digest("hex").slice(0, 16);
}
