// Which of the lines that were found answer the question; rather none than one that only looks like it.
import type { Piece } from "./pieces.ts";
import { isTelling, type Question } from "./read-question.ts";
import { dayInWords, relativeDays } from "./relative-day.ts";
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
  const [best, ...others] = withoutRepeats(answering.length > 0 || question.kind === "food" ? answering : fits);
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
  if (isNoAnswer(piece, question) || !isInDays(piece, question) || isOfAnother(piece, question)) return [];
  const { telling, welcome } = question;
  const own = wordsIn(piece.text);
  const above = wordsIn(piece.context);
  const around = [...own, ...above, ...impliedBy(piece.text), ...wordsOfDay(piece.day)];
  // its day says nothing of it, unless a whole day is asked for
  const isOfDay = telling.every((word) => wordsOfDay(piece.day).includes(word));
  if (!isOfDay && countOf(telling, [...own, ...above], saysSame) === 0) return [];
  const missing = telling.length - countOf(telling, around, saysSame);
  const isSure = telling.length >= manyWords && piece.score >= fairlySure;
  const allowed = isSure || (question.kind === "food" && shapes.food.test(piece.text)) ? 1 : 0;
  if (missing > allowed) return [];
  return [{ piece, missing, exact: countOf(welcome, [...own, ...wordsIn(piece.heading ?? "")], isSameWord), order }];
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

const ownAnswer =
  /^(?:[-*] )?(?:On \d|That is \d|You (?:said|wrote)|I (?:find nothing|will remember|know that already|have forgotten)|I remember:|About “|From outside|This is what I found|It says in|Remembered|I am the built-in|That did not work)/;
// what was to be remembered stands in the notes, unless it was taken out of them
const command =
  /^(?:(?:hey|ok|okay|please|can you|could you)\b[\s,]*)*(?:remember|note|keep in mind|don['’]?t forget|do not forget|make a note|take a note|memori[sz]e|forget|unlearn|search|look (?:in|for|up)|show|list|read|open|fetch|help)\b/i;
const questionWords =
  /^(?:(?:and|but|so|hey|ok|okay|please)\b[\s,]*)*(?:when|where|who|whom|whose|which|what|why|how|do you|did i|have i|tell me)\b/i;

/** The question itself, others like it, and what was said to Steward or by these rules about notes. */
function isNoAnswer({ text, place, by, isAssistants }: Piece, { asked, isOfOwnWords }: Question): boolean {
  if (isAssistants || isBlankForm(text, place)) return true;
  if (isOfOwnWords && by.kind !== "owner") return true;
  if (plain(text) === plain(asked)) return true;
  const sentences = text.split(/(?<=[.?!…])\s+/);
  if (sentences.every((sentence) => /\?["”’)]*$/.test(sentence.trimEnd()))) return true;
  if (place.kind === "file") return false;
  if (by.kind !== "owner" && ownAnswer.test(text)) return true;
  return command.test(text) || (sentences.length === 1 && questionWords.test(text));
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

// lines of the notes that wait to be filled in, and what the templates say of themselves
function isBlankForm(text: string, { kind }: Piece["place"]): boolean {
  return kind === "file" && /^<!--|:$|^What I (?:want to keep|know about the person I work for)\b/.test(text);
}

function isInDays({ day, text }: Piece, { days }: Question): boolean {
  if (!days) return true;
  if (day === undefined) return false;
  const meant = relativeDays(text, day);
  return [{ from: day, to: day }, ...(meant ? [meant] : [])].some(({ from, to }) => from <= days.to && to >= days.from);
}

function wordsOfDay(day: string | undefined): readonly string[] {
  return day === undefined ? [] : wordsIn(dayInWords(day));
}

const ownWord = /\b(?:i|me|my|mine|we|us|our|ours)\b/i;
const ofSomebody =
  /(?<![\p{L}])(?!(?:it|that|there|here|let|what|today|tonight|tomorrow)['’])(\p{L}+)['’]s\s+(\p{L}+)(?:\s+(\p{L}+))?|\b(his|her|their)\s+(\p{L}+)/giu;
const somebody =
  /^\p{Lu}|^(?:wife|husband|partner|sister|brother|mum|mom|mother|dad|father|son|daughter|boss|friend|neighbou?r)$/u;
const somebodyIs =
  /^(?!(?:the|this|that|it|there|here|today|yesterday|everything)\b)(\p{Lu}\p{Ll}+)\s+(?:is|was|lives|works|likes|loves|hates|wants|needs|weighs|wears|turns|turned|plays|studies|drives|eats|drinks)\b/u;
// everybody has them, so a line must say whose they are
const everybodys =
  "name birthday born birth age old number phone mobile address email mail live work job weigh height size".split(" ");

/** "When is my birthday?" is not answered by Anna's. */
function isOfAnother({ text, place }: Piece, { isOwn, kind, telling, asked }: Question): boolean {
  if (!isOwn || telling.length === 0) return false;
  const isNew = (word = "") => !wordsIn(asked).some((each) => saysSame(each, word.toLowerCase()));
  const isAsked = (word: string | undefined) =>
    word !== undefined && telling.some((each) => saysSame(each, word.toLowerCase()));
  const hasOwn = ownWord.test(text);
  for (const [, name, ...things] of text.matchAll(ofSomebody))
    if ((name === undefined ? !hasOwn : isNew(name) && (!hasOwn || somebody.test(name))) && things.some(isAsked))
      return true;
  if (hasOwn) return false;
  const subject = somebodyIs.exec(text)?.[1];
  if (kind !== "who" && subject !== undefined && isNew(subject)) return true;
  const isOfTheOwner = place.kind === "file" && place.path === "USER.md";
  return telling.every((word) => everybodys.includes(word)) && !isOfTheOwner && !isAsked(wordsIn(text)[0]);
}

const colours =
  /\b(?:red|blue|green|yellow|black|white|gr[ae]y|brown|orange|pink|purple|violet|silver|gold|golden|beige|turquoise)\b/i;
const placeBefore = /\b(?:in|on|under|behind|at|beside|inside|above|below|between|next to|with|by)\b/i;
const implied: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\d{3}/, ["number"]],
  [/\p{Sc}|\b\d+(?:[.,]\d\d)? ?(?:euros?|dollars?|pounds?|francs?)\b/iu, ["cost", "money"]],
  [/\S@\S/, ["mail"]],
  [colours, ["colour"]],
  [placeBefore, ["put"]],
  [/(?<=\p{Ll},? |: |\()\p{Lu}\p{Ll}/u, ["name"]],
  [/\b(?:allerg\w+|vegan|vegetarian|intolerant)\b/i, ["eat", "cook", "food", "diet"]],
  [/\b(?:combination|password|pin)\b/i, ["code"]],
  [/\bnumber\b/i, ["code"]],
  [/\b(?:fly|flight|flights)\b/i, ["airline"]],
  [/\b(?:hotel|hostel|inn|guesthouse)\b/i, ["stay"]],
];

/** What it tells without the word for it: a number is rarely called one. */
function impliedBy(text: string): readonly string[] {
  return implied.flatMap(([pattern, words]) => (pattern.test(text) ? words : []));
}

const time =
  /\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|today|tomorrow|yesterday|noon|midnight|every|week|weekend|month|year|spring|summer|autumn|winter|christmas|easter|morning|evening)\b/i;
const shapes: Readonly<Record<Question["kind"], RegExp>> = {
  when: time,
  where: placeBefore,
  who: /\p{Lu}\p{Ll}|\b(?:is|was|my|by)\b/u,
  food: /\b(?:allerg\w+|vegan|vegetarian|intoleran\w+|c?o?eliac|hates?|likes?|loves?|dislikes?|avoids?|prefers?|favou?rite|diet|can['’]t|cannot|doesn['’]t|don['’]t|not|no|mag|keine?|eats?|drinks?)\b/i,
  amount:
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|once|twice|every|daily|weekly|half|hour|week|month|year)\b/i,
  other: /^/,
};

/** Whether it says the kind of thing that was asked for. */
function hasShapeOf(kind: Question["kind"], { text, day }: Piece): boolean {
  return shapes[kind].test(text) || (kind === "when" && day !== undefined && !/\b(?:is|are)\b/.test(text));
}
