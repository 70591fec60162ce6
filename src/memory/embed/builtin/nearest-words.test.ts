import { expect, test } from "vitest";
import { openTokenTable } from "./token-table.ts";

const { nearestWords, wordVector, words } = await openTokenTable();
const any = () => true;

test("the nearest words of a word are its forms and what belongs to it, best first", () => {
  const near = nearestWords("guitar", any, 0.5, 12).map(({ word }) => word);
  expect(near.slice(0, 3)).toEqual(["guitar", "guitars", "guitarist"]);
  expect(near).toEqual(expect.arrayContaining(["acoustic", "instrument", "musician"]));
});

test("a word that the table does not hold as a whole has nearest words, too", () => {
  expect(nearestWords("guitarplaying", any, 0.4, 5).map(({ word }) => word)).toContain("guitar");
});

test("no more come than are wanted, and none less alike", () => {
  expect(nearestWords("doctor", any, 0.3, 4)).toHaveLength(4);
  const alike = nearestWords("doctor", any, 0.6, 100).map(({ likeness }) => likeness);
  expect(Math.min(...alike)).toBeGreaterThanOrEqual(0.6);
});

test("only words that count come, and each is told its place", () => {
  const near = nearestWords("painting", (word, index) => word.endsWith("s") && words[index] === word, 0.4, 10);
  expect(near.length).toBeGreaterThan(0);
  expect(near.filter(({ word }) => !word.endsWith("s"))).toEqual([]);
});

test("a looser question after a stricter one brings more, and the stricter one again the same", () => {
  const strict = nearestWords("wedding", any, 0.7, 100);
  expect(nearestWords("wedding", any, 0.4, 100).length).toBeGreaterThan(strict.length);
  expect(nearestWords("wedding", any, 0.7, 100)).toEqual(strict);
});

test("a word without meaning to the table has none", () => {
  expect(nearestWords("", any, 0.1, 10)).toEqual([]);
  expect(nearestWords("🤗", any, 0.1, 10)).toEqual([]);
});

test("hardly any word is lost to the short cut that skips most comparisons", () => {
  const vectors = words.map((word) => wordVector(word));
  let [all, found] = [0, 0];
  for (let index = 100; index < words.length; index += 1_500) {
    const vector = vectors[index] ?? new Float32Array();
    all += vectors.filter((other) => likeness(other, vector) >= 0.4).length;
    found += nearestWords(words[index] ?? "", any, 0.4, words.length).length;
  }
  expect(found / all).toBeGreaterThan(0.98);
});

function likeness(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}
