import { expect, test } from "vitest";
import type { UsageRow } from "../../../src/contract/wire/method.ts";
import { readBackground } from "./background-usage.ts";

const today = "2026-11-16";
function row(sessionKey: string, day: string, costUsd: number, inputTokens = 700): UsageRow {
  const usage = { inputTokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return { day, model: "a/m", sessionKey, calls: 1, usage, costUsd, unpriced: 0, durationMs: 1 };
}

test("the heartbeat is counted by the day, over the last week", () => {
  const rows = [
    row("heartbeat--main", today, 0.014),
    row("heartbeat--main", "2026-11-12", 0.014, 1_400),
    row("heartbeat--main", "2026-10-01", 9, 90_000),
  ];
  expect(readBackground(rows, today, {})).toMatchObject({
    heartbeatToday: "700 tokens, $0.014",
    heartbeatDaily: "300 tokens, $0.004",
  });
});

test("tasks are told as a part of everything that was spent, and of nothing not at all", () => {
  const rows = [row("task--t1", today, 0.1), row("task--t2", today, 0.1), row("web--1", today, 0.6)];
  expect(readBackground(rows, today, {})?.tasksShare).toBeCloseTo(0.25);
  const free = [row("task--t1", today, 0), row("web--1", today, 0, 2_100)];
  expect(readBackground(free, today, {})).toHaveProperty("tasksShare", undefined);
});

test("whoever has neither sees nothing of it, and a heartbeat that is on says that it cost nothing", () => {
  expect(readBackground([row("web--1", today, 1)], today, {})).toBeUndefined();
  expect(readBackground([], today, { heartbeat: { enabled: true } })).toMatchObject({ heartbeatDaily: "0 tokens" });
});
