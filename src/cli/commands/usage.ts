import type { UsageRow } from "../../contract/wire/method.ts";
import { spendingRow } from "../chat/spending-table.ts";
import { printTable } from "../table.ts";
import { visibleLine } from "../visible-text.ts";
import { lookCommand } from "./look-command.ts";

const titles = ["day", "model", "calls", "read", "cached", "written", "cost"];

export const usageCommand = lookCommand({
  name: "usage",
  summary: "Show tokens and cost by day and model",
  fields: "rows: [{day, model, sessionKey, calls, usage, costUsd, unpriced, durationMs}]",
  ask: (client) => client.call("usage.get", {}),
  show({ rows }, { console }) {
    if (rows.length === 0) return void console.output.write("Nothing has been used yet.\n");
    const byDayAndModel = Map.groupBy(rows, (row: UsageRow) => JSON.stringify([row.day, row.model]));
    const lines = [...byDayAndModel.values()]
      .map((same) => [same[0]?.day ?? "", ...spendingRow(visibleLine(same[0]?.model ?? "", 80), same)])
      .toSorted((one, other) => (one.join() < other.join() ? -1 : 1));
    printTable(console, [titles, ...lines, ["total", ...spendingRow("", rows)]], [2, 3, 4, 5, 6]);
  },
});
