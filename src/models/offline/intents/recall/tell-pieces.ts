// The lines that were found, as they are told: the words themselves, whose they are, from when, and where they stand.
import { visibleLine } from "../../../../contract/words/visible-line.ts";
import type { Scene } from "../../intent.ts";
import { bullets, fenced } from "../../wording.ts";
import type { Piece } from "./pieces.ts";
import type { Question } from "./read-question.ts";
import { dayInWords, type RelativeDays, relativeDays } from "./relative-day.ts";
import { saysSame, wordsIn } from "./same-word.ts";

type At = Pick<Scene, "earlier"> & { today: string };

const mostCharacters = 280;

export function tellPieces(pieces: readonly Piece[], question: Question, scene: At): string {
  const told = pieces.map((piece) => tellPiece(piece, question, scene));
  if (told.length === 1) return told[0] ?? "";
  // a fence cannot stand in a list
  return told.some((one) => one.includes("\n")) ? told.join("\n\n") : bullets(told);
}

function tellPiece(piece: Piece, question: Question, scene: At): string {
  const words = shortened(piece.text, question.telling);
  const where = placeOf(piece, scene);
  if (piece.labels.length > 0) return tellForeign(piece, words, where, scene);
  const meant = daysMeant(words, piece.day, scene.today);
  const on = piece.day === undefined ? "" : whenSaid(piece.day, scene.today);
  const quote = `“${words}”${underHeading(piece)} (${where})`;
  if (meant && question.kind === "when" && isMeant(words, meant, question, piece.day))
    return `That is ${meant.called}: ${[on, saying(piece)].filter(Boolean).join(" ")} ${quote}.`;
  return `${capital([on, saying(piece)].filter(Boolean).join(" "))}: ${quote}${meant ? `; “${meant.words}”: that is ${meant.called}` : ""}.`;
}

/** What could not be told as the answer. */
export function tellClosest(piece: Piece, scene: At): string {
  const { day } = piece;
  const from = day === undefined ? "" : `, ${whenSaid(day, scene.today).replace(/^on /, "")}`;
  return `The closest I find: “${shortened(piece.text, [])}”${underHeading(piece)} (${placeOf(piece, scene)}${from}).`;
}

/** A line of which the part that matters was taken out, because it looks like a secret. */
export function isHidden({ text }: Piece): boolean {
  return text.includes("[redacted:");
}

export function tellHidden(piece: Piece, scene: At): string {
  const secret = `speaks of it, but is hidden from me because it looks like a secret (${placeOf(piece, scene)}).`;
  return piece.place.kind === "file"
    ? `A line in your notes ${secret} The page Memory shows your notes.`
    : `Something that was said ${secret}`;
}

/** What stands under a heading may be about nothing else; the title of the whole is none. */
function underHeading({ heading, place }: Piece): string {
  const isTitle = place.kind !== "file" || /^(?:memory|user|notes?)$/i.test(heading?.trim() ?? "");
  return heading === undefined || isTitle ? "" : ` under “${visibleLine(heading, 80)}”`;
}

function saying({ by, place }: Piece): string {
  const isFile = place.kind === "file";
  switch (by.kind) {
    case "owner":
      return isFile ? "you wrote" : "you said";
    case "named":
      return `${visibleLine(by.name, 60)} said`;
    case "unknown":
      return isFile ? "it was written" : "it was said";
    default:
      return by satisfies never;
  }
}

function tellForeign(piece: Piece, words: string, where: string, scene: At): string {
  const from = piece.labels.map((label) => visibleLine(label.replace(/^person:/, ""), 60)).join(", ");
  const isMixed = piece.place.kind === "conversation" && piece.place.isAmongOthers;
  const what = isMixed
    ? `said among words from outside (${from}), so perhaps not your own`
    : `from outside (${from}), not your own words`;
  const on = piece.day === undefined ? "" : `${whenSaid(piece.day, scene.today)}, `;
  return `${capital(`${on}${what}`)} (${where}):\n${fenced(words)}`;
}

function placeOf({ place, text, by }: Piece, { earlier }: At): string {
  if (place.kind === "file") return [visibleLine(place.path), place.lines].filter((part) => part !== "").join(", ");
  const own = earlier.flatMap((said) => (said.by === "person" ? [said.text] : []));
  if (by.kind !== "named" && own.some((said) => holds(onOneLine(said), text))) return "earlier in this conversation";
  // what was summarised may have been said here as well
  return own.some((said) => cutMark.test(said)) ? "in a conversation" : "in another conversation";
}

/** Where something was taken out of the text, whatever stands around it. */
function holds(said: string, text: string): boolean {
  return text.split(/\[redacted:[^\]]{0,60}\]/).every((part) => said.includes(part));
}

const cutMark = /^\[(?:What was said before, in short|Earlier messages are left out\.)\]/;

/** today; yesterday; on 19 November, with the year if it is another one. */
function whenSaid(day: string, today: string): string {
  if (day === today) return "today";
  const daysAgo = (Date.parse(`${today}T00:00:00Z`) - Date.parse(`${day}T00:00:00Z`)) / 86_400_000;
  return daysAgo === 1 ? "yesterday" : `on ${dayInWords(day, today.slice(0, 4))}`;
}

/** A day that is told by its distance, unless it is the one on which it was told. */
function daysMeant(words: string, day: string | undefined, today: string): RelativeDays | undefined {
  const meant = day === undefined ? undefined : relativeDays(words, day);
  if (!meant || day === undefined || meant.from === day) return undefined;
  const year = today.slice(0, 4);
  const called = meant.from === meant.to ? dayInWords(meant.from, year) : meant.called;
  return { ...meant, called: called.replace(new RegExp(`(?<=\\D) ${year}$`), "") };
}

/** Whether these days are when it happened: they stand beside what was asked for, and lie where the question looks. */
function isMeant(text: string, { words, from }: RelativeDays, { telling, isOfPast }: Question, day = ""): boolean {
  const beside = wordsIn(text.split(/[;,.!?]\s|\b(?:and|but)\b/).find((clause) => clause.includes(words)) ?? "");
  return (!isOfPast || from <= day) && telling.some((word) => beside.some((other) => saysSame(word, other)));
}

/** Of a long text the sentences around the one that says most of what was asked for. */
function shortened(text: string, telling: readonly string[]): string {
  // no picture is fetched because somebody's words are told
  const line = visibleLine(text, 20_000).replaceAll("![", "! [");
  if (line.length <= mostCharacters) return line;
  const sentences = line.split(/(?<=[.!?…])\s+/);
  const counts = sentences.map((each) => {
    const words = wordsIn(each);
    return telling.filter((word) => words.some((other) => saysSame(word, other))).length;
  });
  const best = counts.indexOf(Math.max(...counts));
  let [from, to] = [best, best + 1];
  const cut = () => sentences.slice(from, to).join(" ");
  while (to < sentences.length && cut().length + (sentences[to] ?? "").length < mostCharacters) to += 1;
  while (from > 0 && cut().length + (sentences[from - 1] ?? "").length < mostCharacters) from -= 1;
  return `${from > 0 ? "… " : ""}${visibleLine(cut(), mostCharacters)}${to < sentences.length ? " …" : ""}`;
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
