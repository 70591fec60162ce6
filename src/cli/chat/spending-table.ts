import { costWords } from "../../contract/conversation/spending.ts";
import type { UsageRow } from "../../contract/wire/method.ts";
import { alignColumns } from "../../contract/words/align-columns.ts";
import { formatTokens } from "../../contract/words/amounts.ts";
import { visibleLine } from "../visible-text.ts";

/** A table with a line for each model, and the sum when there are several. */
export function spendingTable(rows: readonly UsageRow[]): string {
  if (rows.length === 0) return "Nothing has been used yet.";
  const models = Map.groupBy(rows, (row) => row.model);
  const lines = [...models].map(([model, ofModel]) => spendingRow(visibleLine(model, 80), ofModel));
  if (models.size > 1) lines.push(spendingRow("total", rows));
  const title = ["model", "calls", "read", "cached", "written", "cost"];
  return alignColumns([title, ...lines], [1, 2, 3, 4, 5]).join("\n");
}

export function spendingRow(name: string, rows: readonly UsageRow[]): string[] {
  const sum = (of: (row: UsageRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
  return [
    name,
    String(sum((row) => row.calls)),
    formatTokens(sum((row) => row.usage.inputTokens)),
    formatTokens(sum((row) => row.usage.cacheReadTokens)),
    formatTokens(sum((row) => row.usage.outputTokens)),
    costWords(
      sum((row) => row.costUsd),
      sum((row) => row.unpriced),
    ),
  ];
}
