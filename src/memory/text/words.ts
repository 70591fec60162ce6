// What of a text is searched by words: letters and digits in lower case, without accents, and scripts without spaces in pairs
// of characters, so that a word of two characters is found in the middle of a sentence.
import { stem } from "./stem.ts";

// they stand in nearly every sentence and say nothing of what it is about
const littleWords: ReadonlySet<string> = new Set(
  `a an the and or but if then else of in on at to for from by with without about into over under again once here there when where
  why how what which who whom whose that this these those am is are was were be been being do does did doing have has had having
  can could will would shall should may might must not no nor only own same so than too very just i me my mine we our ours you
  your yours he him his she her hers it its they them their theirs as up down out off s t re ve ll d m`.split(/\s+/),
);

const word = /[\p{L}\p{N}]+/gu;
const plainWord = /[a-z0-9]+/g;
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const plainAscii = /^[\0-\x7f]*$/;

/** Every word as it stands, in order. */
export function words(text: string): readonly string[] {
  if (plainAscii.test(text)) return text.toLowerCase().match(plainWord) ?? [];
  const plain = text.normalize("NFD").replace(accents, "").normalize("NFC").toLowerCase();
  return (plain.match(word) ?? []).flatMap(pairsInUnspaced);
}

/** Those that say what it is about. */
export function tellingWords(text: string): readonly string[] {
  return words(text).filter((each) => !littleWords.has(each));
}

const stems = new Map<string, string>();
const mostStems = 20_000;

/** The words as the index holds them. */
export function stemOf(each: string): string {
  const known = stems.get(each);
  if (known !== undefined) return known;
  const found = stem(each);
  // language has an end, and made-up words do not
  if (stems.size >= mostStems) stems.clear();
  stems.set(each, found);
  return found;
}

function pairsInUnspaced(each: string): readonly string[] {
  if (plainAscii.test(each) || each.search(unspaced) < 0) return [each];
  const found: string[] = [];
  let at = 0;
  for (const { 0: run, index } of each.matchAll(unspaced)) {
    if (index > at) found.push(each.slice(at, index));
    found.push(...pairsIn([...run]));
    at = index + run.length;
  }
  if (at < each.length) found.push(each.slice(at));
  return found;
}

function pairsIn(characters: readonly string[]): readonly string[] {
  if (characters.length === 1) return characters;
  return characters.slice(0, -1).map((character, at) => character + characters[at + 1]);
}
