import { expect, test } from "vitest";
import { formatMeasure, shortDay, shortModels } from "./chart-words.ts";

test("a day without an answer has no time, which is not the same as zero", () => {
  expect([formatMeasure("latency", null), formatMeasure("latency", 1_500), formatMeasure("cost", 0)]).toEqual([
    "–",
    "1.5 s",
    "$0.00",
  ]);
});

test("a day keeps its date wherever the reader is", () => {
  expect(shortDay("2026-11-15")).toContain("15");
});

test("models lose their provider unless two providers serve the same one", () => {
  expect([...shortModels(["anthropic/claude", "openai/gpt", "openrouter/gpt"]).values()]).toEqual([
    "claude",
    "openai/gpt",
    "openrouter/gpt",
  ]);
});
