import { expect, test } from "vitest";
import { costUsdOf, priceOf } from "./prices.ts";

test("a dated or routed name of a model has the model's price", () => {
  const names = [
    "anthropic/claude-sonnet-5-5",
    "anthropic/claude-sonnet-5-5-20260928",
    "openrouter/anthropic/claude-sonnet-5.5",
  ];
  expect(names.map((name) => priceOf({}, name, false)?.input)).toEqual([2, 2, 2]);
});

test("a longer name does not get the price of a shorter one that it only begins with", () => {
  expect(priceOf({}, "openai/gpt-5.4-mini", false)).toMatchObject({ input: 0.75, output: 4.5 });
  expect(priceOf({}, "openai/gpt-5.45", false)).toBeUndefined();
});

test("a local model is free unless the owner says otherwise", () => {
  expect(priceOf({}, "ollama/claude-sonnet-5", true)).toEqual({ input: 0, output: 0 });
  expect(priceOf({ "ollama/a": { input: 1, output: 2 } }, "ollama/a", true)).toEqual({ input: 1, output: 2 });
});

test("a price without cache figures counts cached tokens in full", () => {
  const usage = { inputTokens: 1_000_000, outputTokens: 0, cacheReadTokens: 400_000, cacheWriteTokens: 100_000 };
  expect(costUsdOf({ input: 3, output: 15 }, usage)).toBeCloseTo(3, 10);
  expect(costUsdOf(undefined, usage)).toBeUndefined();
});
