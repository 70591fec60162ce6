import { expect, test } from "vitest";
import { isSameWord, saysSame } from "./same-word.ts";

test.each([
  ["birthday", "birthdays"],
  ["garden", "gardening"],
  ["bus", "buses"],
  ["city", "cities"],
  ["plan", "planned"],
  ["move", "moving"],
  ["carry", "carried"],
])("%s and %s are one word", (one, other) => {
  expect([isSameWord(one, other), isSameWord(other, one)]).toEqual([true, true]);
});

test.each([
  ["car", "card"],
  ["car", "carpet"],
  ["is", "island"],
  ["glass", "gas"],
  ["plum", "plumber"],
])("%s and %s are two words", (one, other) => {
  expect(saysSame(one, other)).toBe(false);
});

test.each([
  ["lend", "lent"],
  ["kids", "children"],
  ["went", "visited"],
  ["favorite", "favourite"],
  ["address", "lives"],
])("%s is said for %s", (one, other) => {
  expect([saysSame(one, other), isSameWord(one, other)]).toEqual([true, false]);
});
