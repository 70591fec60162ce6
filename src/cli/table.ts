import type { CommandConsole } from "../contract/room/command.ts";
import { paletteFor } from "./palette.ts";

type Rows = readonly (readonly string[])[];

/** Rows under a faint line of titles. */
export function printTable({ output, colors }: CommandConsole, rows: Rows, right: readonly number[] = []): void {
  const [titles = "", ...lines] = alignColumns(rows, right);
  output.write(`${[paletteFor(colors).faint(titles), ...lines].join("\n")}\n`);
}

/** Columns side by side, each as wide as its widest cell; numbers are asked for with `right`. */
export function alignColumns(rows: Rows, right: readonly number[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, [...cell].length);
  return rows.map((row) =>
    row
      .map((cell, column) => pad(cell, column))
      .join("  ")
      .trimEnd(),
  );

  function pad(cell: string, column: number): string {
    const fill = " ".repeat((widths[column] ?? 0) - [...cell].length);
    return right.includes(column) ? fill + cell : cell + fill;
  }
}
