import type { UsageRow } from "../../contract/wire/method.ts";

/** Money where the prices are known, and tokens in any case. */
export function amounts(rows: readonly Pick<UsageRow, "usage" | "costUsd" | "calls">[]): string {
  const tokens = rows.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
  const cost = rows.reduce((sum, { costUsd }) => sum + costUsd, 0);
  const calls = rows.reduce((sum, row) => sum + row.calls, 0);
  return `$${cost.toFixed(cost > 0 && cost < 0.1 ? 4 : 2)}, ${tokens.toLocaleString("en")} tokens in ${calls} calls`;
}
