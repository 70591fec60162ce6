import { expect, test } from "vitest";
import type { UsageRow } from "../../../src/contract/wire/method.ts";
import { lastDays } from "../../../src/contract/words/calendar.ts";
import { others, rowsOn, seriesByModel, stackUp } from "./usage-days.ts";
import { averageMs, shareBy, sumUp } from "./usage-figures.ts";

function row(day: string, model: string, costUsd: number, more: Partial<UsageRow> = {}): UsageRow {
  const usage = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return { day, model, sessionKey: "web--1", calls: 1, usage, costUsd, unpriced: 0, durationMs: 2_000, ...more };
}

const today = "2026-11-15";

test("figures are sums over calls, and the average time is per call", () => {
  const sum = sumUp([row("2026-11-15", "a/m", 0.25), row("2026-11-15", "a/n", 0.5, { calls: 3, unpriced: 2 })]);
  expect(sum).toMatchObject({ costUsd: 0.75, inputTokens: 200, outputTokens: 20, calls: 4, unpriced: 2 });
  expect(averageMs(sum)).toBe(1_000);
  expect(averageMs(sumUp([]))).toBeUndefined();
});

test("only the days asked for are counted", () => {
  const rows = [row("2026-11-15", "a/m", 1), row("2026-11-14", "a/m", 2), row("2026-11-01", "a/m", 4)];
  expect(sumUp(rowsOn(rows, lastDays(today, 7))).costUsd).toBe(3);
});

test("every model has its own series, with nothing where it was not used", () => {
  const rows = [row("2026-11-14", "a/m", 1), row("2026-11-15", "b/n", 2)];
  const days = lastDays(today, 2);
  expect(seriesByModel(rows, days, "cost")).toEqual([
    { name: "b/n", values: [0, 2] },
    { name: "a/m", values: [1, 0] },
  ]);
  expect(seriesByModel(rows, days, "latency")[0]).toEqual({ name: "b/n", values: [null, 2_000] });
});

test("many models are drawn as four and the others, and no cost gets lost", () => {
  const rows = Array.from({ length: 9 }, (_, index) => row("2026-11-15", `a/m${index}`, index + 1));
  const series = seriesByModel(rows, ["2026-11-15"], "cost");
  expect(series.map((one) => one.name)).toEqual(["a/m8", "a/m7", "a/m6", "a/m5", others]);
  expect(stackUp(series).at(-1)).toEqual([45]);
});

test("the dearest stands first, and what is free by its tokens", () => {
  const more = { inputTokens: 9_000, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const rows = [row("d", "local/small", 0), row("d", "local/large", 0, { usage: more }), row("d", "a/m", 0.1)];
  expect(shareBy(rows, "model").map((share) => share.name)).toEqual(["a/m", "local/large", "local/small"]);
});
