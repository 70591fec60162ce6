import type { CommandConsole } from "../contract/room/command.ts";
import { alignColumns } from "../contract/words/align-columns.ts";
import { paletteFor } from "./palette.ts";

type Rows = readonly (readonly string[])[];

/** Rows under a faint line of titles. */
export function printTable({ output, colors }: CommandConsole, rows: Rows, right: readonly number[] = []): void {
  const [titles = "", ...lines] = alignColumns(rows, right);
  output.write(`${[paletteFor(colors).faint(titles), ...lines].join("\n")}\n`);
}
