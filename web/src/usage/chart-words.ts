import { formatDuration, formatTokens, formatUsd } from "../../../src/contract/words/amounts.ts";
import type { Measure } from "./usage-figures.ts";

export const measureNames: Readonly<Record<Measure, string>> = {
  cost: "Cost by day",
  tokens: "Tokens by day",
  latency: "Time per answer, by day",
};

export function formatMeasure(measure: Measure, value: number | null): string {
  if (value === null) return "–";
  if (measure === "cost") return formatUsd(value);
  return measure === "tokens" ? formatTokens(value) : formatDuration(value);
}

/** `2026-11-15` → `15 Nov`; which day it was where is decided before. */
export function shortDay(day: string): string {
  return dayFormat.format(Date.parse(`${day}T00:00:00Z`));
}

const dayFormat = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });

/** `anthropic/claude-sonnet-4-5` → `claude-sonnet-4-5`; the provider only where two offer the same model. */
export function shortModels(models: readonly string[]): Map<string, string> {
  const bare = (model: string) => model.slice(model.indexOf("/") + 1);
  const counts = Map.groupBy(models, bare);
  return new Map(models.map((model) => [model, counts.get(bare(model))?.length === 1 ? bare(model) : model]));
}
