// What would be forgotten comes in, the question that lists it goes out; and the same question tells later what was listed.
import { createHash } from "node:crypto";
import { amountInWords } from "../../contract/memory/forgotten-words.ts";
import type { Mention } from "../../contract/wire/methods/memory.ts";
import { count } from "../../contract/words/amounts.ts";
import type { Calendar } from "../../contract/words/calendar.ts";
import { spellOutQuestion } from "../../contract/words/spell-out.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import { workWords } from "../forget/said-of-it.ts";

const mostLines = 40;
const mostConversations = 8;
const mostExamples = 3;
const mostCharacters = 160;
const mostStaying = 5;
const entry = "\n• ";

/** What speaks of it. `staying`: and cannot be taken out here; `more`: and there is more of it. */
export type Listed = {
  mentions: readonly Mention[];
  earlierVersions: readonly string[];
  staying: readonly Mention[];
  more: boolean;
};

/** Where it is asked, and how days are told there. */
export type Around = { conversation: string | undefined; isGroup: boolean; dayOf: Calendar };

export function forgetQuestion(around: Around, about: string, listed: Listed): string {
  const { mentions, earlierVersions, staying } = listed;
  const conversations = [...Map.groupBy(saidIn(mentions), ({ sessionKey = "" }) => sessionKey)];
  const [shown, rest] = [conversations.slice(0, mostConversations), conversations.slice(mostConversations)];
  return [
    `Forget everything about “${visibleLine(about)}” for good: ${amountInWords({ lines: linesIn(mentions).length, messages: saidIn(mentions).length, earlierVersions: earlierVersions.length })}.`,
    ...linesList(around, linesIn(mentions)),
    ...shown.map(([key, said]) => conversationList(around, key, said)),
    ...(rest.length === 0 ? [] : [restWords(rest.map(([, said]) => said))]),
    closingWords(listed),
    ...(staying.length === 0 ? [] : [stayingList(staying)]),
    `Checked by ${[...marksOf(mentions), markOfVersions(earlierVersions)].join("-")}`,
  ].join("\n\n");
}

/**
 * Those that a question has counted. If the lines are others by now, or the messages, then of these only those that stand in it
 * whole and word for word.
 */
export function shownMentions(around: Around, question: string, mentions: readonly Mention[]): readonly Mention[] {
  const marks = /\n\nChecked by ([0-9a-f]{8})-([0-9a-f]{8})/.exec(question)?.slice(1) ?? [];
  const now = marksOf(mentions);
  const listed = new Set(question.split("\n").filter((line) => line.startsWith("• ")));
  return mentions.filter((mention) => {
    const place = mention.path === undefined ? 1 : 0;
    if (marks[place] === now[place]) return true;
    const { words, isWhole } = entryOf(around, mention);
    return isWhole && listed.has(spellOutQuestion(`• ${words}`));
  });
}

/** Whether the question has counted just these. */
export function isSameVersions(question: string, versions: readonly string[]): boolean {
  return /\n\nChecked by [0-9a-f]{8}-[0-9a-f]{8}-([0-9a-f]{8})/.exec(question)?.[1] === markOfVersions(versions);
}

function linesIn(mentions: readonly Mention[]): readonly Mention[] {
  return mentions.filter(({ path }) => path !== undefined);
}

function saidIn(mentions: readonly Mention[]): readonly Mention[] {
  return mentions.filter(({ path }) => path === undefined);
}

function linesList(around: Around, lines: readonly Mention[]): readonly string[] {
  if (lines.length === 0) return [];
  const [shown, rest] = [lines.slice(0, mostLines), lines.slice(mostLines)];
  const further = [...Map.groupBy(rest, ({ path = "" }) => path)].map(
    ([path, own]) => `and ${own.length} more in ${visibleLine(path)}`,
  );
  return [["In the notes:", ...shown.map((line) => entryOf(around, line).words), ...further].join(entry)];
}

function conversationList(around: Around, key: string, said: readonly Mention[]): string {
  const place = key === around.conversation ? "In this conversation:" : `In the conversation ${visibleLine(key)}:`;
  const examples = bySpeaker(said)
    .slice(0, mostExamples)
    .map((mention) => entryOf(around, mention).words);
  const rest = said.length - examples.length;
  return [place, ...examples, ...(rest > 0 ? [`and ${rest} more`] : [])].join(entry);
}

/** What people said first, then the answers, then what was looked up or done for them. */
function bySpeaker(said: readonly Mention[]): readonly Mention[] {
  const rank = ({ who, text }: Mention) => (text.startsWith(workWords) ? 2 : who === "assistant" ? 1 : 0);
  return said.toSorted((one, other) => rank(one) - rank(other));
}

function restWords(conversations: readonly (readonly Mention[])[]): string {
  return `And ${count(conversations.flat().length, "message")} in ${count(conversations.length, "further conversation")}.`;
}

function closingWords({ mentions, earlierVersions, more }: Listed): string {
  return [
    ...(saidIn(mentions).length > 0
      ? [
          "With an answer goes all that was done for it; a question, or something looked up, takes along only what speaks of it too.",
        ]
      : []),
    ...(earlierVersions.length > 0
      ? ["Earlier versions are what an undo or the history of a note would bring back."]
      : []),
    "The whole list is on the page Memory, under Forget.",
    ...(more ? ["There is more than could be counted; it stays until you ask again."] : []),
  ].join(" ");
}

function stayingList(staying: readonly Mention[]): string {
  const shown = staying.slice(0, mostStaying).map(({ path, line, stays = "" }) => {
    const place = path === undefined ? "" : `${path}, line ${line}: `;
    return visibleLine(`${place}${stays}`);
  });
  const rest = staying.length - shown.length;
  return ["This stays:", ...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(entry);
}

/** One line; not whole: more was said than stands in it. */
function entryOf({ isGroup, dayOf }: Around, mention: Mention): { words: string; isWhole: boolean } {
  const { path, line, who, atMs, text } = mention;
  const speaker = who === "assistant" ? "Steward" : isGroup ? "somebody" : "you";
  const place =
    path === undefined ? [...(atMs === undefined ? [] : [dayOf(atMs)]), speaker].join(", ") : `${path}, line ${line}`;
  const whole = visibleLine(text, Number.MAX_SAFE_INTEGER);
  const words = visibleLine(text, mostCharacters);
  // one line stands for all that was looked up or done in its turn
  const isAll = words === whole && !text.startsWith(workWords);
  return { words: `${visibleLine(place)}: ${words}`, isWhole: isAll };
}

/** Of the lines and of what was said: another one if anything of it is. */
function marksOf(mentions: readonly Mention[]): readonly [string, string] {
  return [markOf(linesIn(mentions)), markOf(saidIn(mentions))];
}

function markOfVersions(versions: readonly string[]): string {
  return digest([...versions]);
}

function markOf(mentions: readonly Mention[]): string {
  const all = mentions.map(({ path, line, sessionKey, seq, text }) =>
    JSON.stringify([path, line, sessionKey, seq, text]),
  );
  return digest(all);
}

function digest(all: string[]): string {
  return createHash("sha256").update(all.sort().join("\n")).digest("hex").slice(0, 8);
}
