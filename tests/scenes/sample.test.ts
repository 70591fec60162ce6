import { expect, test, vi } from "vitest";
import { openRandom, sample } from "./sample.ts";

const items = Array.from({ length: 100 }, (_, at) => at);

function withSeed<Result>(seed: string, work: () => Result): Result {
  vi.stubEnv("STEWARD_TEST_SEED", seed);
  try {
    return work();
  } finally {
    vi.unstubAllEnvs();
  }
}

test("a sample has as many as asked for, each once and in their own order", () => {
  const taken = withSeed("5", () => sample(items, 20));
  expect(taken).toHaveLength(20);
  expect(taken).toEqual([...new Set(taken)].toSorted((one, other) => one - other));
});

test("the same seed takes the same, another seed something else", () => {
  expect(withSeed("5", () => sample(items, 20))).toEqual(withSeed("5", () => sample(items, 20)));
  expect(withSeed("5", () => sample(items, 20))).not.toEqual(withSeed("6", () => sample(items, 20)));
});

test("where there are no more than asked for, all are taken", () => {
  expect(sample(["a", "b"], 2)).toEqual(["a", "b"]);
});

test("random numbers lie between 0 and 1 and are spread", () => {
  const numbers = withSeed("5", () => Array.from({ length: 1_000 }, openRandom()));
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  expect(Math.abs(numbers.reduce((sum, number) => sum + number, 0) / 1_000 - 0.5)).toBeLessThan(0.05);
});
