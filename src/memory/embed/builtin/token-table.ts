// The static token table: a row of numbers for each token, so that a text's vector is a sum and needs no model to run.
import { fileURLToPath } from "node:url";
import { toUnitLength } from "../unit-length.ts";
import { inverseLength, type NearestWords, openNearestWords } from "./nearest-words.ts";
import { dimensions, readTokenFiles } from "./token-files.ts";
import { openWordpiece } from "./wordpiece.ts";

export type TokenTable = {
  dimensions: number;
  /** Writes the sum of a text's rows into `out`: of any length, zeros for a text without words. */
  sumOf(text: string, out: Float32Array): void;
  /** Of length one; zeros for a text without words. */
  vectorOf(text: string): Float32Array;
  /** The whole words of the vocabulary: letters and digits, at least two. */
  words: readonly string[];
  /** Of length one. The same array may be handed out again. */
  wordVector(word: string): Float32Array;
  /** Adds the vector of a word, so many times, to `out`: without a vector of its own for each word. */
  addWord(word: string, times: number, out: Float32Array): void;
  nearestWords: NearestWords;
};

const assetsFolder = fileURLToPath(new URL("../../assets", import.meta.url));
const wholeWord = /^[\p{L}\p{N}]{2,}$/u;
// a vector takes a kilobyte
const mostRemembered = 2_000;

/** Throws an EmbedderFailure when the table is not there or not whole. */
export async function openTokenTable(folder = assetsFolder): Promise<TokenTable> {
  const { vocabulary, bytes, scales } = await readTokenFiles(folder);
  const { tokensOf, tokenOf } = openWordpiece(vocabulary);
  const words = vocabulary.filter((piece) => wholeWord.test(piece));
  const tokens = Uint16Array.from(words, (word) => tokenOf(word) ?? 0);
  const remembered = new Map<string, Float32Array>();
  const lengths = new Float32Array(vocabulary.length);
  const nearestWords = openNearestWords({ bytes, words, tokens, wordVector });
  return { dimensions, sumOf, vectorOf, words, wordVector, addWord, nearestWords };

  function sumOf(text: string, out: Float32Array): void {
    out.fill(0);
    for (const token of tokensOf(text)) addRow(token, out);
  }

  function addRow(token: number, out: Float32Array): void {
    const scale = scales[token] ?? 0;
    const start = token * dimensions;
    for (let at = 0; at < dimensions; at++) out[at] = (out[at] ?? 0) + scale * (bytes[start + at] ?? 0);
  }

  function vectorOf(text: string): Float32Array {
    const sum = new Float32Array(dimensions);
    sumOf(text, sum);
    return toUnitLength(sum);
  }

  function rowOf(token: number): Float32Array {
    const row = new Float32Array(dimensions);
    addRow(token, row);
    return toUnitLength(row);
  }

  function addWord(word: string, times: number, out: Float32Array): void {
    const token = tokenOf(word);
    if (token === undefined) {
      const vector = wordVector(word);
      for (let at = 0; at < dimensions; at++) out[at] = (out[at] ?? 0) + times * (vector[at] ?? 0);
      return;
    }
    const start = token * dimensions;
    const factor = times * inverseLengthOf(token);
    for (let at = 0; at < dimensions; at++) out[at] = (out[at] ?? 0) + factor * (bytes[start + at] ?? 0);
  }

  /** A scale does not turn a vector, so that it is left out. */
  function inverseLengthOf(token: number): number {
    lengths[token] ||= inverseLength(bytes, token * dimensions);
    return lengths[token] ?? 0;
  }

  function wordVector(word: string): Float32Array {
    const known = remembered.get(word);
    if (known) return known;
    const token = tokenOf(word);
    const vector = token === undefined ? vectorOf(word) : rowOf(token);
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(word, vector);
    return vector;
  }
}
