// Whether a line may be told for a question at all: it is no question or command itself, and not of somebody else.
import type { Piece } from "./pieces.ts";
import type { Question } from "./read-question.ts";
import { relativeDays } from "./relative-day.ts";
import { saysSame, wordsIn } from "./same-word.ts";

export function mayAnswer(piece: Piece, question: Question): boolean {
  return !isNoAnswer(piece, question) && isInDays(piece, question) && !isOfAnother(piece, question);
}

const ownAnswer =
  /^(?:[-*] )?(?:On \d|(?:Today|Yesterday) \S{1,40} (?:said|wrote)|That is \d|You (?:said|wrote)|The closest I find|A line in your notes|Something that was said speaks|Your notes (?:say|also say)|Nothing about “|Several notes fit|Shall I remember|Removed from your notes|Taken back|It is back in|It replaces|I (?:find nothing|will remember|know that already|have forgotten)|I remember:|About “|From outside|This is what I found|It says in|Remembered|I am the built-in|That did not work)/;
// what was to be remembered stands in the notes, unless it was taken out of them
const command =
  /^(?:(?:hey|ok|okay|please|can you|could you|bitte)\b[\s,]*)*(?:merke? (?:dir|es dir)|notiere?|vergiss|remember|note|keep in mind|don['’]?t forget|do not forget|make a note|take a note|memori[sz]e|forget|unlearn|search|look (?:in|for|up)|show|list|read|open|fetch|help)\b/i;
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

export function plain(text: string): string {
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
