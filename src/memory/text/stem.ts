// Porter's stemmer (1980), from its published rules: "painting", "painted" and "paints" are one word to the search.
const consonant = "[^aeiou]";
const vowel = "[aeiouy]";
const consonants = `${consonant}[^aeiouy]*`;
const vowels = `${vowel}[aeiou]*`;
const hasMeasure = new RegExp(`^(${consonants})?${vowels}${consonants}`);
const isMeasureOne = new RegExp(`^(${consonants})?${vowels}${consonants}(${vowels})?$`);
const isMeasureMore = new RegExp(`^(${consonants})?(${vowels}${consonants}){2}`);
const hasVowel = new RegExp(`^(${consonants})?${vowel}`);
const endsShort = new RegExp(`^${consonants}${vowel}[^aeiouwxy]$`);

const longEndings = pairs(
  "ational ate tional tion enci ence anci ance izer ize bli ble alli al entli ent eli e ousli ous ization ize ation ate ator ate alism al iveness ive fulness ful ousness ous aliti al iviti ive biliti ble logi log",
);
const middleEndings = pairs("icate ic ative - alize al iciti ic ical ic ful - ness -");
const lastEnding = /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/;

/** Words that are not of plain letters stay as they are. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  let rest = withoutPlural(word);
  rest = withoutPast(rest);
  if (rest.endsWith("y") && hasVowel.test(rest.slice(0, -1))) rest = `${rest.slice(0, -1)}i`;
  for (const endings of [longEndings, middleEndings]) rest = exchangeEnding(rest, endings);
  const last = lastEnding.exec(rest)?.[1];
  if (last !== undefined && isMeasureMore.test(last)) rest = last;
  return withoutFinalE(rest);
}

function withoutPlural(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.endsWith("eed")) return hasMeasure.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const base = /^(.+?)(?:ed|ing)$/.exec(word)?.[1];
  if (base === undefined || !hasVowel.test(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (/([^aeiouylsz])\1$/.test(base)) return base.slice(0, -1);
  return endsShort.test(base) && isMeasureOne.test(base) ? `${base}e` : base;
}

function exchangeEnding(word: string, endings: readonly (readonly [string, string])[]): string {
  const found = endings.find(([ending]) => word.endsWith(ending));
  if (!found) return word;
  const base = word.slice(0, -found[0].length);
  return hasMeasure.test(base) ? base + found[1] : word;
}

function withoutFinalE(word: string): string {
  let rest = word;
  if (rest.endsWith("e")) {
    const base = rest.slice(0, -1);
    if (isMeasureMore.test(base) || (isMeasureOne.test(base) && !endsShort.test(base))) rest = base;
  }
  return rest.endsWith("ll") && isMeasureMore.test(rest) ? rest.slice(0, -1) : rest;
}

/** Every other word takes the place of the one before it; a dash stands for nothing. */
function pairs(words: string): readonly (readonly [string, string])[] {
  const all = words.split(" ");
  return all.flatMap((ending, at) => (at % 2 === 0 ? [[ending, all[at + 1]?.replace("-", "") ?? ""] as const] : []));
}
