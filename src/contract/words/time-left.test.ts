import { expect, test } from "vitest";
import { timeLeft } from "./time-left.ts";

test.each([
  [0, "Time is up: it counts as no"],
  [-5, "Time is up: it counts as no"],
  [500, "Counts as no in 1 s"],
  [42_300, "Counts as no in 42 s"],
  [61_000, "Counts as no in 2 min"],
  [9 * 60_000, "Counts as no in 9 min"],
  [3_601_000, "Counts as no in 1 h 10 min"],
  [3 * 86_400_000, "Counts as no in 3 days"],
])("%i ms before the end it reads: %s", (left, words) => {
  expect(timeLeft(1_000_000 + left, 1_000_000).text).toBe(words);
});
