import { expect, test } from "vitest";
import { cutIntoBatches } from "./cut-into-batches.ts";

const small = { mostTexts: 3, mostCharacters: 10 };

test("texts go together in their order until there are enough of them", () => {
  expect(cutIntoBatches(["a", "b", "c", "d"], small)).toEqual([[0, 1, 2], [3]]);
});

test("texts go together until they are long enough", () => {
  expect(cutIntoBatches(["aaaaaa", "bbbb", "c"], small)).toEqual([[0, 1], [2]]);
});

test("a text that is too long for any goes alone", () => {
  expect(cutIntoBatches(["a", "b".repeat(50), "c"], small)).toEqual([[0], [1], [2]]);
});

test("a text with nothing in it goes into none", () => {
  expect(cutIntoBatches(["", "a", " \n", "b"], small)).toEqual([[1, 3]]);
  expect(cutIntoBatches(["", " "], small)).toEqual([]);
  expect(cutIntoBatches([], small)).toEqual([]);
});

test("usually there are at most 96 texts in a request", () => {
  const batches = cutIntoBatches(Array.from({ length: 200 }, () => "words"));
  expect(batches.map((batch) => batch.length)).toEqual([96, 96, 8]);
});
