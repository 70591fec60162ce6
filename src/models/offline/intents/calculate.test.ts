import { expect, test } from "vitest";
import { calculate } from "./calculate.ts";

test.each([
  ["1 + 2 * 3", 7],
  ["(1 + 2) * 3", 9],
  ["-2^2", -4],
  ["2^3^2", 512],
  ["10 - 4 - 3", 3],
  ["10 % 4", 2],
  ["50%", 0.5],
  ["200 * 5%", 10],
  ["20 percent of 50", 10],
  ["3 x 4", 12],
  ["9 ÷ 3 − 1", 2],
  ["5 squared", 25],
  ["2 to the power of 10", 1024],
  ["1,234,567 + 1", 1_234_568],
  [".5 + .25", 0.75],
  ["--3", 3],
])("%s is %f", (text, value) => {
  expect(calculate(text)).toEqual({ value });
});

test.each(["", "7", "1 +", "1 2", "(1", "1)", "+", "1..2", "a + b", "2 +* 3", "1,2"])("%j is no sum", (text) => {
  expect(calculate(text)).toBeUndefined();
});

test("what cannot be calculated is told", () => {
  expect(calculate("1 / (2 - 2)")).toEqual({ problem: "Nothing can be divided by zero." });
  expect(calculate("9^9^9")).toEqual({ problem: "The result is too large for me." });
});
