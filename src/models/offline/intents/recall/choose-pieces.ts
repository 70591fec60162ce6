// Which of the lines that were found answer the question; rather none than one that only looks like it.

import { calledFor, impliedBy, placeBefore, properName } from "./implied-words.ts";
import { mayAnswer, plain } from "./may-answer.ts";
import type { Piece } from "./pieces.ts";
import { isTelling, type Question } from "./read-question.ts";
import { dayInWords } from "./relative-day.ts";
import { isSameWord, saysSame, wordsIn } from "./same-word.ts";

const mostTold = 3;
// as good as the best, as far as the search can tell
const aboutEqual = 0.1;
// one of many words may be missing where the search is fairly sure
const manyWords = 4;
const fairlySure = 0.5;

type Fit = { piece: Piece; missing: number; exact: number; order: number };

export function choosePieces(pieces: readonly Piece[], question: Question): readonly Piece[] {
  const fits = pieces.flatMap((piece, order) => fitOf(piece, question, order)).sort(betterFirst);
  const answering = fits.filter(({ piece }) => hasShapeOf(question.kind, piece));
  const [best, ...others] = withoutRepeats(withoutSaidNotes(isShapeNeeded(question, answering) ? answering : fits));
  if (!best) return [];
  const equal = others.filter((one) => isAboutEqual(one, best)).map(({ piece }) => piece);
  const told = [best.piece, ...equal];
  const byDay = told.toSorted(newerFirst);
  if (question.wants === "best") {
    // a newer line may say otherwise, so the older one is never told alone
    const newest = byDay.find(({ day = "", labels }) => day > (best.piece.day ?? "") && labels.length === 0);
    const shown = new Set([...told.slice(0, mostTold - 1), ...(newest ? [newest] : []), ...told.slice(mostTold - 1)]);
    const first = [...shown].slice(0, mostTold);
    return byDay.filter((piece) => first.includes(piece));
  }
  const dated = byDay.filter(({ day }) => day !== undefined);
  return dated.slice(...(question.wants === "newest" ? [0, 1] : [-1])).concat(dated.length === 0 ? [best.piece] : []);
}

/** The notes grow at their end. */
function newerFirst(one: Piece, other: Piece): number {
  const byDay = (other.day ?? "").localeCompare(one.day ?? "");
  if (byDay !== 0 || one.place.kind !== "file" || other.place.kind !== "file") return byDay;
  return one.place.path === "MEMORY.md" && other.place.path === "MEMORY.md" ? other.row - one.row : 0;
}

function fitOf(piece: Piece, question: Question, order: number): readonly Fit[] {
  if (!mayAnswer(piece, question)) return [];
  const { telling, welcome } = question;
  const own = [...wordsIn(piece.text), ...calledFor(piece.text)];
  const above = wordsIn(piece.context);
  const around = [...own, ...above, ...impliedBy(piece.text, question.isOfPast), ...wordsOfDay(piece.day)];
  // its day says nothing of it, unless a whole day is asked for
  const isOfDay = telling.every((word) => wordsOfDay(piece.day).includes(word));
  if (!isOfDay && countOf(telling, [...own, ...above], saysSame) === 0) return [];
  const missing = telling.length - countOf(telling, around, saysSame);
  const isSure = telling.length >= manyWords && piece.score >= fairlySure;
  const allowed = isSure || (question.kind === "food" && shapes.food.test(piece.text)) ? 1 : 0;
  if (missing > allowed) return [];
  return [{ piece, missing, exact: countOf(welcome, [...own, ...wordsIn(piece.heading ?? "")], isSameWord), order }];
}

function wordsOfDay(day: string | undefined): readonly string[] {
  return day === undefined ? [] : wordsIn(dayInWords(day));
}

function countOf(wanted: readonly string[], present: readonly string[], isSame: typeof saysSame): number {
  return wanted.filter((word) => present.some((each) => isSame(word, each))).length;
}

function betterFirst(one: Fit, other: Fit): number {
  return (
    one.missing - other.missing ||
    Number(one.piece.labels.length > 0) - Number(other.piece.labels.length > 0) ||
    other.exact - one.exact ||
    other.piece.score - one.piece.score ||
    Number(other.piece.isBest) - Number(one.piece.isBest) ||
    placeRank(one.piece) - placeRank(other.piece) ||
    one.order - other.order
  );
}

/** What was noted counts before what was said, and the owner's own words before those of others. */
function placeRank({ place, by }: Piece): number {
  return (place.kind === "file" ? 0 : 2) + (by.kind === "owner" ? 0 : 1);
}

function isAboutEqual(one: Fit, best: Fit): boolean {
  return (
    one.missing === best.missing &&
    one.exact === best.exact &&
    one.piece.labels.length > 0 === best.piece.labels.length > 0 &&
    (one.piece.score >= best.piece.score - aboutEqual || (one.piece.day ?? "") > (best.piece.day ?? "9"))
  );
}

function isShapeNeeded({ kind }: Question, answering: readonly Fit[]): boolean {
  return answering.length > 0 || kind === "food";
}

/** What was said and noted is told as it was noted, whenever it was said. */
function withoutSaidNotes(fits: readonly Fit[]): readonly Fit[] {
  const notes = fits.flatMap(({ piece }) => (piece.place.kind === "file" ? [plain(piece.text)] : []));
  return fits.filter(({ piece }) => {
    const said = plain(piece.text);
    return piece.place.kind === "file" || !notes.some((note) => said === note || said.endsWith(` ${note}`));
  });
}

/** A message that led to a note beside that note; the same on another day is no repetition. */
function withoutRepeats(fits: readonly Fit[]): readonly Fit[] {
  const kept: { day: string | undefined; words: readonly string[] }[] = [];
  return fits.filter(({ piece: { text, day } }) => {
    const words = wordsIn(text).filter(isTelling);
    const isNew = !kept.some((one) => one.day === day && words.every((word) => one.words.includes(word)));
    kept.push({ day, words });
    return isNew;
  });
}

const time =
  /\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|today|tomorrow|yesterday|noon|midnight|every|week|weekend|month|year|spring|summer|autumn|winter|christmas|easter|morning|evening|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?|mai|juni|juli)\b/i;
const shapes: Readonly<Record<Question["kind"], RegExp>> = {
  when: time,
  where: placeBefore,
  who: properName,
  food: /\b(?:allerg\w+|vegan|vegetarian|intoleran\w+|c?o?eliac|hates?|likes?|loves?|dislikes?|avoids?|prefers?|favou?rite|diet|can['’]t|cannot|doesn['’]t|don['’]t|not|no|mag|keine?|eats?|drinks?)\b/i,
  amount:
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|once|twice|every|daily|weekly|half|hour|week|month|year)\b/i,
  other: /^/,
};

/** Whether it says the kind of thing that was asked for. */
function hasShapeOf(kind: Question["kind"], { text, day }: Piece): boolean {
  return shapes[kind].test(text) || (kind === "when" && day !== undefined && !/\b(?:is|are)\b/.test(text));
}
