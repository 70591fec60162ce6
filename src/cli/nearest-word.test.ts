import { expect, test } from "vitest";
import { nearestWord } from "./nearest-word.ts";

const words = ["chat", "status", "sessions", "usage", "config"];
test.each([
  ["chta", "chat"],
  ["stat", "status"],
  ["sesions", "sessions"],
  ["USAGE", "usage"],
])("%s was probably meant as %s", (typed, meant) => {
  expect(nearestWord(typed, words)).toBe(meant);
});
test("what resembles nothing gets no suggestion", () => {
  expect(nearestWord("xylophone", words)).toBeUndefined();
  expect(nearestWord("x", words)).toBeUndefined();
});
