import { expect, test } from "vitest";
import type { UsageRow } from "../../../src/contract/wire/method.ts";
import { readBudgets } from "./budgets.ts";

function row(day: string, sessionKey: string, costUsd: number): UsageRow {
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return { day, model: "a/m", sessionKey, calls: 1, usage, costUsd, unpriced: 0, durationMs: 1 };
}
const rows = [row("2026-11-14", "web--1", 5), row("2026-11-15", "web--1", 1), row("2026-11-15", "web--2", 2)];

test("the day's budget counts today and nothing else", () => {
  const settings = { budgets: { perDayUsd: 4, perConversationUsd: null, perTurnUsd: null } };
  expect(readBudgets(settings, rows, "2026-11-15")).toEqual([{ name: "Today", limitUsd: 4, spentUsd: 3 }]);
});

test("the conversation's budget is shown for the dearest one, over all its days", () => {
  const budgets = readBudgets({ budgets: { perConversationUsd: 4 } }, rows, "2026-11-15");
  expect(budgets).toEqual([{ name: "Dearest conversation", limitUsd: 4, spentUsd: 6, of: "web--1" }]);
});

test("without limits there is nothing to show", () => {
  expect(readBudgets({ budgets: { perDayUsd: null } }, rows, "2026-11-15")).toEqual([]);
  expect(readBudgets({}, rows, "2026-11-15")).toEqual([]);
});
