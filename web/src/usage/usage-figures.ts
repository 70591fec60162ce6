import type { UsageRow } from "../../../src/contract/wire/method.ts";

export type Figures = {
  costUsd: number;
  inputTokens: number;
  outputTokens: number;
  calls: number;
  /** Calls whose price nobody knows: they are missing in the cost. */
  unpriced: number;
  durationMs: number;
};

export function sumUp(rows: readonly UsageRow[]): Figures {
  const sum: Figures = { costUsd: 0, inputTokens: 0, outputTokens: 0, calls: 0, unpriced: 0, durationMs: 0 };
  for (const row of rows) {
    sum.costUsd += row.costUsd;
    sum.inputTokens += row.usage.inputTokens;
    sum.outputTokens += row.usage.outputTokens;
    sum.calls += row.calls;
    sum.unpriced += row.unpriced;
    sum.durationMs += row.durationMs;
  }
  return sum;
}

export function averageMs(figures: Figures): number | undefined {
  return figures.calls === 0 ? undefined : figures.durationMs / figures.calls;
}

export type Measure = "cost" | "tokens" | "latency";

/** A day or model without any call has no average time, and that is not the same as zero. */
export function measureOf(measure: Measure, figures: Figures): number | null {
  switch (measure) {
    case "cost":
      return figures.costUsd;
    case "tokens":
      return figures.inputTokens + figures.outputTokens;
    case "latency":
      return averageMs(figures) ?? null;
    default:
      return measure satisfies never;
  }
}

export type Share = { name: string; figures: Figures };

/** The dearest first; what costs nothing by how much it read and wrote. */
export function shareBy(rows: readonly UsageRow[], key: "model" | "sessionKey"): Share[] {
  const groups = Map.groupBy(rows, (row) => row[key]);
  return [...groups]
    .map(([name, group]) => ({ name, figures: sumUp(group) }))
    .sort(
      (one, other) =>
        other.figures.costUsd - one.figures.costUsd ||
        (measureOf("tokens", other.figures) ?? 0) - (measureOf("tokens", one.figures) ?? 0),
    );
}
