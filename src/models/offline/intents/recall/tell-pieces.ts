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
  const meant = daysMeant(words, piece.day);
  const on = piece.day === undefined ? "" : `on ${dayOf(piece, scene)}`;
  const quote = `“${words}”${underHeading(piece, question)} (${where})`;
  if (meant && question.kind === "when" && isMeant(words, meant, question, piece.day))
    return `That is ${meant.called}: ${[on, saying(piece)].filter(Boolean).join(" ")} ${quote}.`;
  const begin = beginning(piece, on, question.kind === "when");
  return `${begin}: ${quote}${meant ? `; “${meant.words}”: that is ${meant.called}` : ""}.`;
}

/** Where the heading says what the line is about, it is told along. */
function underHeading({ heading, text }: Piece, { telling }: Question): string {
  if (heading === undefined) return "";
  const [above, own] = [wordsIn(heading), wordsIn(text)];
  const isOf = (word: string, words: readonly string[]) => words.some((each) => saysSame(word, each));
  const isNeeded = telling.some((word) => isOf(word, above) && !isOf(word, own));
  return isNeeded ? ` under “${visibleLine(heading, 80)}”` : "";
}

/** On 3 November 2026 you wrote; You said on 12 October. */
function beginning(piece: Piece, on: string, isDayFirst: boolean): string {
  const said = saying(piece);
  if (on === "") return capital(said);
  return capital(isDayFirst || piece.place.kind === "file" ? `${on} ${said}` : `${said} ${on}`);
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
  const on = piece.day === undefined ? "" : `on ${dayOf(piece, scene)}, `;
  return `${capital(`${on}${what}`)} (${where}):\n${fenced(words)}`;
}

function placeOf({ place, text, by }: Piece, { earlier }: At): string {
  if (place.kind === "file") return [visibleLine(place.path), place.lines].filter((part) => part !== "").join(", ");
  const isHere = by.kind === "owner" && earlier.some((said) => said.by === "person" && onOneLine(said.text) === text);
  return isHere ? "earlier in this conversation" : "in another conversation";
}

function dayOf({ day = "", place }: Piece, { today }: At): string {
  return dayInWords(day, place.kind === "file" ? undefined : today.slice(0, 4));
}

/** A day that is told by its distance, unless it is the one on which it was told. */
function daysMeant(words: string, day: string | undefined): RelativeDays | undefined {
  const meant = day === undefined ? undefined : relativeDays(words, day);
  if (!meant || day === undefined || meant.from === day) return undefined;
  return meant.from === meant.to ? { ...meant, called: dayInWords(meant.from, day.slice(0, 4)) } : meant;
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
