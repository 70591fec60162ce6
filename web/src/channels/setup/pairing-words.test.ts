import { expect, test } from "vitest";
import { codeGroups, leftWords, openCodesWords } from "./pairing-words.ts";

test("a code is read in two halves, however it is written", () => {
  expect(["ABCD2345", "abcd-2345", "ABCD 2345"].map(codeGroups)).toEqual(Array(3).fill(["ABCD", "2345"]));
});

test.each([
  [60 * 60_000, "1 h left"],
  [59.9 * 60_000, "59 min left"],
  [60_000, "1 min left"],
  [59_200, "60 s left"],
  [900, "1 s left"],
  [0, undefined],
  [-5, undefined],
])("with %i ms to go: %s", (leftMs, words) => {
  expect(leftWords(1_000_000 + leftMs, 1_000_000)).toBe(words);
});

test("one code is open, two are", () => {
  expect([1, 2].map(openCodesWords)).toEqual([
    "1 pairing code is open and not used yet.",
    "2 pairing codes are open and not used yet.",
  ]);
});
