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
  /** Two groups: what may be seen, and the secret. */
  pattern: RegExp;
  tail: Tail | undefined;
  stop: RegExp;
  limit: number;
  keep: number;
  isSecret: (secret: string) => boolean;
  companion: { name: string; pattern: RegExp } | undefined;
};

const wordLimit = 400;
const keptCharacters = 4;

const matchersByPair = indexByPair(everyFormat.flatMap(matchersOf));
const marks = markedFormats.map((format) => ({
  ...format,
  code: format.mark.charCodeAt(0),
  pattern: new RegExp(format.body, "y"),
}));
/** A word this long has shown its prefix or mark. */
const longestOpening = 96;

/** Cheap enough for every word of a text; true for few. */
export function mayStartFormat(text: string, at: number): boolean {
  if (text.length - at < longestOpening) return true;
  if (matchersByPair[pairAt(text, at)] !== undefined) return true;
  for (const mark of marks) if (text.charCodeAt(at + mark.markOffset) === mark.code) return true;
  return false;
}

export function findFormat(reading: Reading, at: number): Finding | "more" | undefined {
  const { text } = reading;
  if (needsMore(reading, at, longestOpening, tokenEnd)) return "more";
  let longest: Finding | undefined;
  for (const matcher of matchersByPair[pairAt(text, at)] ?? []) {
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
  for (const mark of marks) {
    if (!text.startsWith(mark.mark, at + mark.markOffset)) continue;
    if (needsMore(reading, at, wordLimit, tokenEnd)) return "more";
    const match = matchAt(mark.pattern, text, at);
    if (match) return { start: at, end: at + match[0].length, name: mark.name, keep: keptCharacters };
  }
  return undefined;
}

function matchersOf(format: Format): Matcher[] {
  return format.prefixes.map((prefix) => ({
    name: format.name,
    prefix,
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

function indexByPair(matchers: readonly Matcher[]): (Matcher[] | undefined)[] {
  const table: (Matcher[] | undefined)[] = new Array(128 * 128);
  for (const matcher of matchers) {
    const first = matcher.prefix.charCodeAt(0) << 7;
    const seconds =
      matcher.prefix.length > 1 ? [matcher.prefix.charCodeAt(1)] : Array.from({ length: 128 }, (_, i) => i);
    for (const second of seconds) {
      table[first | second] ??= [];
      table[first | second]?.push(matcher);
    }
  }
  return table;
}

function pairAt(text: string, at: number): number {
  const first = text.charCodeAt(at);
  const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
  return first < 128 && second < 128 ? (first << 7) | second : 0;
}
