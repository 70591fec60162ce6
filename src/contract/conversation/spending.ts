import type { Usage } from "../model.ts";
import type { UsageRow } from "../wire/method.ts";
import { formatTokens, formatUsd } from "../words/amounts.ts";

export type Spending = { inputTokens: number; outputTokens: number; costUsd: number; unpricedCalls: number };

export const noSpending: Spending = { inputTokens: 0, outputTokens: 0, costUsd: 0, unpricedCalls: 0 };

export function addUsage(spending: Spending, call: { usage: Usage; costUsd?: number | undefined }): Spending {
  return {
    inputTokens: spending.inputTokens + call.usage.inputTokens,
    outputTokens: spending.outputTokens + call.usage.outputTokens,
    costUsd: spending.costUsd + (call.costUsd ?? 0),
    unpricedCalls: spending.unpricedCalls + (call.costUsd === undefined ? 1 : 0),
  };
}

export function totalSpending(rows: readonly UsageRow[]): Spending {
  const sum = (of: (row: UsageRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
  return {
    inputTokens: sum((row) => row.usage.inputTokens),
    outputTokens: sum((row) => row.usage.outputTokens),
    costUsd: sum((row) => row.costUsd),
    unpricedCalls: sum((row) => row.unpriced),
  };
}

/** What something cost, as far as prices are known: "$0.42", "$0.42 + 2 without a price", "no price known". */
export function costWords(costUsd: number, unpricedCalls: number): string {
  if (unpricedCalls === 0) return formatUsd(costUsd);
  return costUsd === 0 ? "no price known" : `${formatUsd(costUsd)} + ${unpricedCalls} without a price`;
}

/** Tokens and, where a price is known, what they cost; nothing when nothing was used. */
export function spendingWords(spending: Spending): string[] {
  const tokens = spending.inputTokens + spending.outputTokens;
  if (tokens === 0) return [];
  const cost = spending.costUsd > 0 ? formatUsd(spending.costUsd) : "";
  return [`${formatTokens(tokens)} tokens`, cost].filter(Boolean);
}
