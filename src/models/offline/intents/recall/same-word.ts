// Whether two words say the same: birthday and birthdays, lend and lent, flat and apartment.
import { householdWords, verbWords, wordRows } from "./word-rows.ts";

const rowsOf: ReadonlyMap<string, readonly number[]> = rowsByWord();

/** In lower case; a single letter says nothing. */
export function wordsIn(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...new Set(words.filter((word) => word.length > 1 || !/^[a-z]$/.test(word)))];
}

/** By their endings alone. */
export function isSameWord(one: string, other: string): boolean {
  if (one === other) return true;
  const forms = formsOf(one);
  return formsOf(other).some((form) => forms.includes(form));
}

const withoutSpaces = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2,}$/u;

/** By their endings, or because one is said for the other. */
export function saysSame(one: string, other: string): boolean {
  if (isSameWord(one, other) || (withoutSpaces.test(one) && other.includes(one))) return true;
  const known = rowsIn(one);
  return rowsIn(other).some((row) => known.includes(row));
}

/** A thing or somebody that people have at home or around them. */
export function isOfHousehold(word: string): boolean {
  return formsOf(word).some((form) => householdWords.has(form));
}

export function isVerb(word: string): boolean {
  return formsOf(word).some((form) => verbWords.has(form));
}

function rowsIn(word: string): readonly number[] {
  return formsOf(word).flatMap((form) => rowsOf.get(form) ?? []);
}

function rowsByWord(): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [at, row] of wordRows.entries()) for (const word of row) found.set(word, [...(found.get(word) ?? []), at]);
  return found;
}

const endings: readonly (readonly [RegExp, string])[] = [
  [/ies$/, "y"],
  [/(?<=s|x|z|ch|sh|o)es$/, ""],
  [/(?<=[^su])s$/, ""],
  [/ied$/, "y"],
  [/ed$/, ""],
  [/ed$/, "e"],
  [/ing$/, ""],
  [/ing$/, "e"],
  [/(?<double>[bdgklmnprt])\k<double>(?:ed|ing)$/, "$1"],
];

/** The word and what it may be a form of. */
function formsOf(word: string): readonly string[] {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return [word];
  const bases = endings.flatMap(([ending, instead]) => {
    const base = word.replace(ending, instead);
    return base !== word && base.length >= 3 && /[aeiouy]/.test(base) ? [base] : [];
  });
  return [word, ...bases];
}
