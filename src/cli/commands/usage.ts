import type { UsageRow } from "../../contract/method.ts";
import { spendingRow } from "../chat/spending-words.ts";
import type { CommandLineDeps } from "../command-line-deps.ts";
import { paletteFor } from "../palette.ts";
import { alignColumns } from "../table.ts";
import { visibleLine } from "../visible-text.ts";
import { printJson, withClient } from "./with-client.ts";

export async function showUsage(deps: CommandLineDeps, { json = false }: { json?: boolean }): Promise<number> {
  const result = await withClient(deps, (client) => client.call("usage.get", {}));
  const { output, colors } = deps.console;
  if (json) {
    printJson(deps, result);
    return 0;
  }
  if (result.rows.length === 0) {
    output.write("Nothing has been used yet.\n");
    return 0;
  }
  const byDayAndModel = Map.groupBy(result.rows, (row: UsageRow) => JSON.stringify([row.day, row.model]));
  const lines = [...byDayAndModel.values()]
    .map((rows) => [rows[0]?.day ?? "", ...spendingRow(visibleLine(rows[0]?.model ?? "", 80), rows)])
    .toSorted((one, other) => (one.join() < other.join() ? -1 : 1));
  const titles = ["day", "model", "calls", "read", "cached", "written", "cost"];
  const total = ["total", ...spendingRow("", result.rows)];
  const [title, ...table] = alignColumns([titles, ...lines, total], [2, 3, 4, 5, 6]);
  output.write(`${[paletteFor(colors).faint(title ?? ""), ...table].join("\n")}\n`);
  return 0;
}
