export type Piece = { text: string; isMarked: boolean };

// what a question is made of beside what it is about
const ofQuestions = new Set(
  "the and for are was were what when where which who whom whose why how did does has have had you your about with from that this there".split(
    " ",
  ),
);

/** The text in pieces; those that hold a word of the query, in one of its forms, are marked. */
export function markWords(text: string, query: string): readonly Piece[] {
  const wanted = wordsOf(query);
  const pieces: Piece[] = [];
  let at = 0;
  const add = (until: number, isMarked: boolean) => {
    if (until > at) pieces.push({ text: text.slice(at, until), isMarked });
    at = until;
  };
  for (const { index, 0: word } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const [from, to] = markedPart(word.toLowerCase(), wanted);
    if (to === from) continue;
    add(index + from, false);
    add(index + to, true);
  }
  add(text.length, false);
  return pieces;
}

function wordsOf(query: string): readonly string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const said = words.filter((word) => !ofQuestions.has(word) && (word.length > 2 || !/^[a-z]+$/.test(word)));
  // a question of nothing but small words is about these
  return said.length > 0 ? said : words;
}

function markedPart(word: string, wanted: readonly string[]): readonly [from: number, to: number] {
  for (const one of wanted) {
    const isForm = stemOf(word) === stemOf(one) || (one.length > 3 && word.startsWith(one));
    // "moved" is also about "move", and "notebook" not about "note"
    const isShorter = word.length > 3 && one.length - word.length < 4 && one.startsWith(word);
    if (isForm || isShorter) return [0, word.length];
    // scripts that write no spaces have no word to compare with
    const at = isWithoutSpaces(one) ? word.indexOf(one) : -1;
    if (at >= 0) return [at, at + one.length];
  }
  return [0, 0];
}

// roughly, and alike for both sides: what is marked wrongly costs nobody anything
function stemOf(word: string): string {
  const singular = word.replace(/(?<=.[^aeiou])(?:ies|ied|y)$/, "i");
  return singular.length > 4 ? singular.replace(/(?:ing|ed|es|s|e)$/, "") : singular.replace(/s$/, "");
}

function isWithoutSpaces(word: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word);
}
