// Time words as people misspell them. The usual slips are put right; of others that stand beside a time we ask, for a day that is
// not understood would otherwise be left out, and something planned for another one.
import { nearestName } from "../../../contract/names/nearest-name.ts";
import { monthNames, weekdayNames } from "../calendar-names.ts";
import type { Span } from "./phrase.ts";

const usualSlips: Readonly<Record<string, string>> = {
  tomorrow:
    "tommorr?o?w?|tom+orr?ow?|tomorr+o+w|tom+arr?ow|tomm?r+ow|tomorrw|tommorrow?|tmo?r+o?w|tmrw?|tmw|2mo?r+o?w?|2moro|tomoz+",
  today: "todya|tody|todday|2day",
  tonight: "tonite|tonigth|tonght|2nite|2night",
  monday: "mondy|mondya|monady|monnday",
  tuesday: "tuseday|teusday|tuesady|tusday|tueday|tuesdy|twesday|tues",
  wednesday:
    "wensday|wednessday|wendesday|wedensday|wednsday|wedesday|wedneday|wenesday|wednesdy|wendsday|wensday|wednsesday|weds",
  thursday: "thurday|thrusday|thersday|thurdsay|thrsday|thusday|thurseday|thursady",
  friday: "firday|fryday|friady|fridya|frday",
  saturday: "saterday|satuday|saturady|saturdy|satruday|saturaday|staurday|satarday",
  sunday: "sunady|sundy|sundya|sunnday",
  january: "janurary|januray|janary|januery|jannuary|janaury",
  february: "febuary|feburary|febrary|feberuary|februrary|feburay|februay",
  august: "agust|augest|auguest",
  september: "septmber|setember|septemer|sepember|setpember|septembre",
  october: "octber|ocotber|oktober|octobre|octuber",
  november: "novmber|novembre|novemeber|novemer",
  december: "decmber|dicember|decembre|desember|decemeber|decemer",
  every: "evry|evrey|eveyr|everey|ervery|eveery",
  minutes: "mintues|minuts|minuites|mintes|miniutes|munites|minites",
};

const slipPattern = new RegExp(
  `(?<![\\w@./'’-])(?:${Object.entries(usualSlips)
    .map(([meant, slips]) => `(?<${meant}>${slips})`)
    .join("|")})(?=s?\\b(?![@/-]|\\.\\w))`,
  "gi",
);

/** The same sentence with the usual slips put right. */
export function correctSlips(text: string): string {
  return text.replace(slipPattern, (written: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Record<string, string | undefined>;
    const meant = Object.keys(usualSlips).find((name) => groups[name] !== undefined) ?? written;
    return /^[A-Z]/.test(written) ? meant.charAt(0).toUpperCase() + meant.slice(1) : meant;
  });
}

/** What is left of the text once its time is out of it: a name that looked like a slip stands there as it was written. */
export function takeBackSlips(rest: string, original: string): string {
  let words = rest;
  for (const [written] of original.matchAll(slipPattern)) {
    const meant = correctSlips(written);
    if (!original.includes(meant)) words = words.replaceAll(meant, written);
  }
  return words;
}

export type Slip = { written: string; meant: string };

const days = ["tomorrow", "today", "tonight", "morning", "afternoon", "evening", ...weekdayNames];
// shorter months are too near to other words
const dayNames = [...days, ...monthNames.filter((name) => name.length >= 5 && name !== "March")];
const units = ["minute", "hour", "day", "week", "weekday", "month", "year"];
// words and names that only look so
const ordinary = new Set([
  ...[
    "sundae",
    "sundry",
    "toady",
    "mourning",
    "moaning",
    "dismember",
    "evenings",
    "yearn",
    "weedy",
    "weekly",
    "monthly",
  ],
  ...["frida", "sundar", "augusta", "avril", "toda", "yearly", "hourly", "daily", "our", "moth", "dry", "hours"],
]);
const smallWords = /^(?:on|the|at|next|this|every|each|other|of|in|by|for|and|or|\d{1,2}(?:st|nd|rd|th)?)$/i;
const amountWords = /^(?:every|each|other|an?|\d{1,3}|one|two|three|four|five|six|ten|twenty|thirty)$/i;

/** A word beside what is understood that is probably a misspelt day, month or unit. */
export function slipBeside(text: string, spans: readonly Span[]): Slip | undefined {
  for (const { from, to } of spans) {
    const before = wordsIn(text.slice(Math.max(0, from - 80), from)).toReversed();
    const after = wordsIn(text.slice(to, to + 80));
    const slip = firstSlip(before, true) ?? firstSlip(after, false);
    if (slip) return slip;
  }
  return undefined;
}

/** The first such word anywhere, for a sentence in which no time is found. */
export function slipIn(text: string): Slip | undefined {
  const words = wordsIn(text.slice(0, 500));
  for (const [at, word] of words.entries()) {
    const slip = slipOf(word, words[at - 1]);
    if (slip) return slip;
  }
  return undefined;
}

export function slipQuestion({ written, meant }: Slip): string {
  return `Did you mean "${meant}" where you wrote "${written}"? Write it again with that word, or leave it out.`;
}

function wordsIn(text: string): string[] {
  // addresses and paths are no words
  return text.match(/(?<![^\s("“,])[\p{L}\p{N}'’]+(?![^\s)"”.,;:!?])/gu) ?? [];
}

// small words may stand between a time and its day
function firstSlip(words: readonly string[], isBackwards: boolean): Slip | undefined {
  for (const [at, word] of words.slice(0, 4).entries()) {
    const slip = slipOf(word, isBackwards ? words[at + 1] : words[at - 1]);
    if (slip || !smallWords.test(word)) return slip;
  }
  return undefined;
}

function slipOf(written: string, before: string | undefined): Slip | undefined {
  const word = written.toLowerCase().replace(/['’]s$/, "");
  if (word.length > 12 || ordinary.has(word)) return undefined;
  const isCounted = before !== undefined && amountWords.test(before);
  const names = isCounted ? [...dayNames, ...units, ...units.map((unit) => `${unit}s`)] : dayNames;
  if (names.some((name) => [name.toLowerCase(), `${name.toLowerCase()}s`].includes(word))) return undefined;
  const meant = names.find((name) => isSlipOf(word, name.toLowerCase()));
  return meant ? { written, meant } : undefined;
}

function isSlipOf(word: string, name: string): boolean {
  if (word.charAt(0) !== name.charAt(0)) return false;
  if (name.length >= 8 && word.length >= 6 && isLeftOutOf(word, name)) return true;
  if (Math.abs(word.length - name.length) > 1) return false;
  // of a short word many are one letter away: only swapped and doubled letters count
  if (name.length < 5) return isSwapped(word, name) || isDoubled(word, name);
  if (isOneAway(word, name)) return true;
  return name.length >= 8 && word.length === 8 && nearestName(word, [name]) !== undefined;
}

/** Nothing but letters are missing: "decmbr". */
function isLeftOutOf(word: string, name: string): boolean {
  let at = 0;
  for (const letter of name) if (letter === word[at]) at++;
  return at === word.length;
}

function isOneAway(word: string, name: string): boolean {
  const [left, right] = differing(word, name);
  return (left.length <= 1 && right.length <= 1) || isSwapped(word, name);
}

function isSwapped(word: string, name: string): boolean {
  const [left, right] = differing(word, name);
  return left.length === 2 && right.length === 2 && left.charAt(0) === right.charAt(1) && left.charAt(1) === right[0];
}

function isDoubled(word: string, name: string): boolean {
  return word.length === name.length + 1 && word.replace(/(.)\1+/, "$1") === name.replace(/(.)\1+/, "$1");
}

/** What is left of both without their common beginning and end. */
function differing(one: string, other: string): [string, string] {
  let from = 0;
  while (from < Math.min(one.length, other.length) && one[from] === other[from]) from++;
  let end = 0;
  while (end < Math.min(one.length, other.length) - from && one.at(-1 - end) === other.at(-1 - end)) end++;
  return [one.slice(from, one.length - end), other.slice(from, other.length - end)];
}
