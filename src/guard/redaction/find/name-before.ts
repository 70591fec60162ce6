import { colourPattern, type Reading } from "../reading.ts";
import { passwordNameBefore } from "./password-words.ts";

const longestName = 64;
const isNameCode = Uint8Array.from({ length: 128 }, (_, code) => (/[\w.$-]/.test(String.fromCharCode(code)) ? 1 : 0));
// French sets a narrow space that does not break before a colon
const blanks = " \t\u00a0\u202f";
const colour = new RegExp(`${colourPattern}$`);
const htmlQuote = /&(?:quot|#34|#39|apos);$/;
const pairName =
  /(?:name|key)\\{0,8}["']?\s{0,4}[:=]\s{0,4}\\{0,8}["']?([\w.-]{1,64})\\{0,8}["']?(?:[\s,;]|\\+[nrt]){0,60}[\\"']{0,8}$/i;
const propertyListName = /<key>([\w.-]{1,64})<\/key>\s{0,40}(?:\\+[nrt]){0,4}\s{0,40}<$/;

/** The name that stands before a separator: `password=`, `"password":`, `env['API_KEY'] =`. Empty if there is none. */
export function nameBefore({ text, floor }: Reading, separator: number): string {
  let last = skipBlanksBack(text, separator - 1);
  const skipped = skipColourBack(text, last);
  if (skipped !== last) last = skipBlanksBack(text, skipped);
  last = skipQuoteBack(text, last);
  const first = skipEscapeLetters(text, nameStart(text, last, floor));
  const name = text.slice(first, last + 1);
  // "API key: …" is a label of two words
  if (name.length <= 4 && /^(?:key|code)$/i.test(name) && text[first - 1] === " ")
    return `${text.slice(skipEscapeLetters(text, nameStart(text, first - 2, floor)), first - 1)}_${name}`;
  return passwordNameBefore(text, last + 1, name, floor) ?? name;
}

/** The name in `name: API_KEY, value: …` or `<key>API_KEY</key><string>…`, with the end of the text at `value`. */
export function pairedNameBefore({ text, floor }: Reading, at: number): string {
  const before = text.slice(Math.max(floor, at - 200), at);
  return (pairName.exec(before) ?? propertyListName.exec(before))?.[1] ?? "";
}

function skipBlanksBack(text: string, from: number): number {
  let at = from;
  while (from - at < 8 && blanks.includes(text[at] ?? "-")) at--;
  return at;
}

function skipColourBack(text: string, from: number): number {
  if (text[from] !== "m") return from;
  const sequence = colour.exec(text.slice(Math.max(0, from - 32), from + 1));
  return sequence ? from - sequence[0].length : from;
}

function skipQuoteBack(text: string, from: number): number {
  let at = from;
  if (text[at] === ";") {
    const quote = htmlQuote.exec(text.slice(Math.max(0, at - 5), at + 1));
    return quote ? at - quote[0].length : at;
  }
  // Markdown's `**password**:`
  while (text[at] === "*" && from - at < 3) at--;
  // a bracket counts only after a quote: `["key"]`, never the end of a mask
  if (text[at] === "]" && isQuote(text[at - 1])) at--;
  if (!isQuote(text[at])) return at;
  at--;
  while (text[at] === "\\" && from - at < 16) at--;
  return at;
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'" || character === "`";
}

function nameStart(text: string, last: number, floor: number): number {
  let at = last;
  while (at >= floor && last - at < longestName && isNameCode[text.charCodeAt(at)] === 1) at--;
  return at + 1;
}

/** In `\\npassword` and after a colour, letters of the escape stand right before the name. */
function skipEscapeLetters(text: string, first: number): number {
  const before = text[first - 1];
  if (before === "\\") return /[nrtbfv]/.test(text[first] ?? "") ? first + 1 : first;
  if (before !== "[" && before !== ";") return first;
  const ending = /^\d{0,3}m/.exec(text.slice(first, first + 4))?.[0].length ?? 0;
  const isColour = ending > 0 && colour.test(text.slice(Math.max(0, first - 24), first + ending));
  return isColour ? first + ending : first;
}
