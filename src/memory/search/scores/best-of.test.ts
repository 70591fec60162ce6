import { expect, test } from "vitest";
import { bestOf } from "./best-of.ts";

test("the largest come first, and of equals the one that was there first", () => {
  expect(bestOf(Float32Array.of(1, 5, 3, 5, 2), 3)).toEqual([1, 3, 2]);
});

test("what has no score is not among them, however few there are", () => {
  expect(bestOf(Float32Array.of(Number.NEGATIVE_INFINITY, 0, Number.NEGATIVE_INFINITY, -1), 3)).toEqual([1, 3]);
  expect(bestOf(new Float32Array(0), 3)).toEqual([]);
});

test("of many made-up scores the same are chosen as by sorting all of them", () => {
  let state = 7;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state % 1_000;
  };
  for (let round = 0; round < 50; round++) {
    const scores = Float32Array.from({ length: 500 }, next);
    const sorted = [...scores.keys()].sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other);
    expect(bestOf(scores, 20).map((place) => scores[place])).toEqual(sorted.slice(0, 20).map((place) => scores[place]));
  }
});
