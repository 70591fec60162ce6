import { dimensions } from "./token-files.ts";

/** Words that mean something like `word`, best first: at most `most`, each at least as alike (cosine) as `atLeast`. */
export type NearestWords = (
  word: string,
  /** Whether a word counts; `index` is its place among the table's words. */
  among: (word: string, index: number) => boolean,
  atLeast: number,
  most: number,
) => readonly { word: string; likeness: number }[];

/** All words that are at least so alike, best first. */
type Neighbours = { atLeast: number; indexes: Uint16Array; likenesses: Float32Array };

// most pairs of words can be told apart by a quarter of their numbers; of those that are alike by 0.4, not one in a hundred is lost
const firstDimensions = 16;
const leastOfFirst = 0.018;
const secondDimensions = 64;
const leastOfSecond = 0.12;
const mostRemembered = 1_000;

/** `tokens`: the row of each word. Rows are compared as they are in the file, since a scale does not turn a vector. */
export function openNearestWords(table: {
  bytes: Int8Array;
  words: readonly string[];
  tokens: Uint16Array;
  wordVector(word: string): Float32Array;
}): NearestWords {
  const { bytes, words, tokens, wordVector } = table;
  // counted when it is first asked for, since a table is also opened to embed only
  let inverseLengths: Float32Array | undefined;
  const remembered = new Map<string, Neighbours>();
  return (word, among, atLeast, most) => {
    const { indexes, likenesses } = neighboursOf(word, atLeast);
    const nearest: { word: string; likeness: number }[] = [];
    for (const [place, index] of indexes.entries()) {
      const likeness = likenesses[place] ?? 0;
      if (nearest.length >= most || likeness < atLeast) break;
      const near = words[index] ?? "";
      if (among(near, index)) nearest.push({ word: near, likeness });
    }
    return nearest;
  };

  function neighboursOf(word: string, atLeast: number): Neighbours {
    const known = remembered.get(word);
    if (known && known.atLeast <= atLeast) return known;
    const found = compare(wordVector(word), atLeast);
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(word, found);
    return found;
  }

  function compare(vector: Float32Array, atLeast: number): Neighbours {
    inverseLengths ??= Float32Array.from(tokens, (token) => inverseLength(bytes, token * dimensions));
    const found: { index: number; likeness: number }[] = [];
    for (let index = 0; index < tokens.length; index++) {
      const start = (tokens[index] ?? 0) * dimensions;
      const factor = inverseLengths[index] ?? 0;
      const first = product(vector, bytes, start, 0, firstDimensions) * factor;
      if (first < leastOfFirst) continue;
      const second = first + product(vector, bytes, start, firstDimensions, secondDimensions) * factor;
      if (second < leastOfSecond) continue;
      const likeness = second + product(vector, bytes, start, secondDimensions, dimensions) * factor;
      if (likeness >= atLeast) found.push({ index, likeness });
    }
    found.sort((one, other) => other.likeness - one.likeness);
    return {
      atLeast,
      indexes: Uint16Array.from(found, ({ index }) => index),
      likenesses: Float32Array.from(found, ({ likeness }) => likeness),
    };
  }
}

/** Of the row that begins there. */
export function inverseLength(bytes: Int8Array, start: number): number {
  let squares = 0;
  for (let at = start; at < start + dimensions; at++) {
    const byte = bytes[at] ?? 0;
    squares += byte * byte;
  }
  return squares === 0 ? 0 : 1 / Math.sqrt(squares);
}

// four sums side by side, so that none has to wait for the one before it
function product(vector: Float32Array, bytes: Int8Array, start: number, from: number, to: number): number {
  let one = 0;
  let two = 0;
  let three = 0;
  let four = 0;
  for (let at = from; at < to; at += 4) {
    one += (vector[at] ?? 0) * (bytes[start + at] ?? 0);
    two += (vector[at + 1] ?? 0) * (bytes[start + at + 1] ?? 0);
    three += (vector[at + 2] ?? 0) * (bytes[start + at + 2] ?? 0);
    four += (vector[at + 3] ?? 0) * (bytes[start + at + 3] ?? 0);
  }
  return one + two + three + four;
}
