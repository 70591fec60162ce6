// The tokens of a text as BERT (uncased) cuts it: WordPiece, in lower case, without accents, the longest piece first.

export type Wordpiece = {
  /** Numbers of tokens, that is lines of the vocabulary, in the order of the text. */
  tokensOf(text: string): readonly number[];
  /** The token of a word that the vocabulary holds as a whole; the word is in lower case and without accents. */
  tokenOf(word: string): number | undefined;
};

const unknown = [100];
// what is longer is no word to BERT either
const longestWord = 100;
const mostRemembered = 4_000;
// V8 makes a longer piece of a text a view into it, which would keep the whole text in memory
const longestRemembered = 12;
const marks = /\p{M}+/gu;
// scripts without spaces are cut into their signs
const wordOrSign = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu;

export function openWordpiece(vocabulary: readonly string[]): Wordpiece {
  const beginnings = new Map<string, number>();
  const continuations = new Map<string, number>();
  let longestPiece = 0;
  // by number, since `entries` would make a pair for each of them
  for (let token = 0; token < vocabulary.length; token++) {
    const piece = vocabulary[token] ?? "";
    longestPiece = Math.max(longestPiece, piece.length);
    if (piece.startsWith("##") && piece.length > 2) continuations.set(piece.slice(2), token);
    else beginnings.set(piece, token);
  }
  const remembered = new Map<string, readonly number[]>();
  return { tokensOf, tokenOf: (word) => beginnings.get(word) };

  function tokensOf(text: string): readonly number[] {
    const plain = text.toLowerCase().normalize("NFD").replace(marks, "");
    const tokens: number[] = [];
    for (const word of plain.match(wordOrSign) ?? []) {
      const whole = beginnings.get(word);
      if (whole !== undefined) tokens.push(whole);
      else for (const token of piecesOf(word)) tokens.push(token);
    }
    return tokens;
  }

  function piecesOf(word: string): readonly number[] {
    if (word.length > longestWord) return unknown;
    const known = remembered.get(word);
    if (known) return known;
    const pieces = cut(word);
    if (word.length > longestRemembered) return pieces;
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(word, pieces);
    return pieces;
  }

  function cut(word: string): readonly number[] {
    const pieces: number[] = [];
    for (let start = 0; start < word.length; ) {
      const known = start === 0 ? beginnings : continuations;
      let end = Math.min(word.length, start + longestPiece);
      let token = known.get(word.slice(start, end));
      while (token === undefined && --end > start) token = known.get(word.slice(start, end));
      // one piece that nobody knows makes the whole word unknown
      if (token === undefined) return unknown;
      pieces.push(token);
      start = end;
    }
    return pieces;
  }
}
