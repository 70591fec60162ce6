// In: a place where a word begins. Out: the provider's secret that begins there, if any.
import { everyFormat } from "../formats/every-format.ts";
import { type Format, literally } from "../formats/format.ts";
import { markedFormats } from "../formats/marked-formats.ts";
import { type Finding, holdsMask, type Tail } from "../mask.ts";
import { matchAt, needsMore, type Reading, tokenEnd } from "../reading.ts";
import { isPlaceholderToken } from "./secret-value.ts";

type Matcher = {
  name: string;
  prefix: string;
  third: RegExp | undefined;
  /** Two groups: what may be seen, and the secret. */
  pattern: RegExp;
  tail: Tail | undefined;
  stop: RegExp;
  limit: number;
  keep: number;
  isSecret: (secret: string) => boolean;
  companion: { name: string; pattern: RegExp } | undefined;
};

/** The formats that begin with the same two characters, and which characters may come third. */
type Opening = { matchers: Matcher[]; thirds: Uint8Array };

const everyCode = Array.from({ length: 128 }, (_, code) => code);
const wordLimit = 400;
const keptCharacters = 4;

const openings = indexByPair(everyFormat.flatMap(matchersOf));
const marks = markedFormats.map((format) => ({
  ...format,
  code: format.mark.charCodeAt(0),
  pattern: new RegExp(format.body, "y"),
}));
// one mark stands near the start of its word, the others behind ten letters
const { markOffset: nearOffset, code: nearCode } = marks.find((mark) => mark.markOffset < 10) as (typeof marks)[number];
const farMarks = marks.filter((mark) => mark.markOffset >= 10);
const tokenCodes = Uint8Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9_-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
/** A word this long has shown its prefix or mark. */
const longestOpening = 96;

/** Cheap enough for every word of a text; true for few. */
export function mayStartFormat(text: string, at: number): boolean {
  if (text.length - at < longestOpening) return true;
  const opening = openings[pairAt(text, at)];
  if (opening !== undefined && opening.thirds[text.charCodeAt(at + 2)] === 1) return true;
  return mayBeMarked(text, at);
}

/** The old tokens of Azure DevOps have neither beginning nor mark: they are 52 letters and digits of base32. */
const longWord = /(?=[a-z]{0,50}[2-7][a-z]{0,50}[2-7])[a-z2-7]{52}(?![A-Za-z0-9])/y;
const longWordLength = 52;

/** Places that every long token has letters at, and few words; other alphabets only make it look twice. */
function isLong(text: string, at: number): boolean {
  return isTokenAt(text, at + 9) && isTokenAt(text, at + 6) && isTokenAt(text, at + 4) && isTokenAt(text, at + 8);
}

function isTokenAt(text: string, at: number): boolean {
  return tokenCodes[text.charCodeAt(at) & 255] === 1;
}

function mayBeMarked(text: string, at: number): boolean {
  if (text.charCodeAt(at + nearOffset) === nearCode) return true;
  if (!isLong(text, at)) return false;
  for (const mark of farMarks) if (text.charCodeAt(at + mark.markOffset) === mark.code) return true;
  return mayBeLongWord(text, at);
}

function mayBeLongWord(text: string, at: number): boolean {
  if (isBase32(text.charCodeAt(at + longWordLength))) return false;
  // some places along the way are enough to tell nearly every other text
  for (let offset = longWordLength - 1; offset > 0; offset -= 11)
    if (!isBase32(text.charCodeAt(at + offset))) return false;
  return true;
}

function isBase32(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 50 && code <= 55);
}

export function findFormat(reading: Reading, at: number): Finding | "more" | undefined {
  const { text } = reading;
  if (needsMore(reading, at, longestOpening, tokenEnd)) return "more";
  let longest: Finding | undefined;
  for (const matcher of openings[pairAt(text, at)]?.matchers ?? []) {
    if (!text.startsWith(matcher.prefix, at)) continue;
    if (needsMore(reading, at, matcher.limit, matcher.stop)) return "more";
    const finding = findWith(text, at, matcher);
    if (finding && finding.end > (longest?.end ?? 0)) longest = finding;
  }
  return longest ?? findMarked(reading, at);
}

function findWith(text: string, at: number, matcher: Matcher): Finding | undefined {
  const match = matchAt(matcher.pattern, text, at);
  if (!match) return undefined;
  const [, lead = "", secret = ""] = match;
  if (holdsMask(secret) || !matcher.isSecret(secret)) return undefined;
  const start = at + lead.length;
  const { name, keep, tail } = matcher;
  const end = start + secret.length;
  const companion = matchCompanion(text, end, matcher);
  return { start, end, name, keep, ...(tail && { tail }), ...(companion && { companion }) };
}

function matchCompanion(text: string, at: number, { companion }: Matcher): Finding | undefined {
  if (!companion) return undefined;
  const [, between = "", secret = ""] = matchAt(companion.pattern, text, at) ?? [];
  if (secret === "") return undefined;
  const start = at + between.length;
  return { start, end: start + secret.length, name: companion.name, keep: keptCharacters };
}

function findMarked(reading: Reading, at: number): Finding | "more" | undefined {
  const { text } = reading;
  if (!mayBeMarked(text, at)) return undefined;
  for (const mark of marks) {
    if (text.charCodeAt(at + mark.markOffset) !== mark.code || !text.startsWith(mark.mark, at + mark.markOffset))
      continue;
    if (needsMore(reading, at, wordLimit, tokenEnd)) return "more";
    const match = matchAt(mark.pattern, text, at);
    if (match) return { start: at, end: at + match[0].length, name: mark.name, keep: 0 };
  }
  if (!mayBeLongWord(text, at) || !matchAt(longWord, text, at)) return undefined;
  return { start: at, end: at + longWordLength, name: "azure-devops-token", keep: 0 };
}

function matchersOf(format: Format): Matcher[] {
  return format.prefixes.map((prefix) => ({
    name: format.name,
    prefix,
    third: format.third,
    pattern: new RegExp(
      format.lead ? `(${format.lead})(${format.body})` : `()(${literally(prefix)}${format.body})`,
      "y",
    ),
    tail: format.tail,
    stop: format.reach?.stop ?? tokenEnd,
    limit: format.reach?.limit ?? wordLimit,
    // what is known by the words before it has no harmless prefix to show
    keep: format.isSecret || format.lead ? 0 : keptCharacters,
    companion: format.companion && {
      name: format.companion.name,
      pattern: new RegExp(`(${format.companion.between})(${format.companion.body})`, "y"),
    },
    isSecret: format.isSecret ?? ((secret) => !isPlaceholderToken(secret.slice(format.lead ? 0 : prefix.length))),
  }));
}

function indexByPair(matchers: readonly Matcher[]): (Opening | undefined)[] {
  const table: (Opening | undefined)[] = new Array(128 * 128);
  for (const matcher of matchers) {
    const first = matcher.prefix.charCodeAt(0) << 7;
    const seconds = matcher.prefix.length > 1 ? [matcher.prefix.charCodeAt(1)] : everyCode;
    for (const second of seconds) {
      const opening = table[first | second] ?? { matchers: [], thirds: new Uint8Array(128) };
      table[first | second] = opening;
      opening.matchers.push(matcher);
      for (const code of thirdsOf(matcher)) opening.thirds[code] = 1;
    }
  }
  return table;
}

function thirdsOf({ prefix, third = /[\s\S]/ }: Matcher): readonly number[] {
  if (prefix.length > 2) return [prefix.charCodeAt(2)];
  return everyCode.filter((code) => third.test(String.fromCharCode(code)));
}

function pairAt(text: string, at: number): number {
  const first = text.charCodeAt(at);
  const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
  return first < 128 && second < 128 ? (first << 7) | second : 0;
}
