import { expect, test } from "vitest";
import { placeToCut } from "./cut-words.ts";

test.each([
  ["what fits is not cut", "hello", 10, 5],
  ["words are cut at the last space", "hello big world", 12, 9],
  ["a space far back does not count", `a ${"b".repeat(50)}`, 40, 40],
  ["a pair is not cut in two", "ab😀cd", 3, 2],
  ["a family stays together", "ab👨‍👩‍👧‍👦cd", 8, 2],
  ["a letter keeps its accent", "abe\u0301f", 3, 2],
  ["marks without end are cut", `a${"\u0301".repeat(1_000)}`, 500, 500],
])("%s", (_, text, most, expected) => {
  expect(placeToCut(text, most)).toBe(expected);
});
