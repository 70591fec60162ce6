// A table where there are no tables: columns side by side if they fit, otherwise one point for each row.
import { displayWidth } from "./display-width.ts";
import { plainSpan, type Span, type TableRow, textOf } from "./document.ts";
import { isOwnAddress } from "./spans.ts";

type Table = { rows: readonly TableRow[]; isRight: readonly boolean[] };

/** The lines of a table that is no wider than that; undefined when it is, or when it holds links, which code cannot. */
export function alignedLines(
  { rows, isRight }: Table,
  mostWidth: number,
): { header: string[]; lines: string[] } | undefined {
  if (rows.some((row) => row.some(leadsElsewhere))) return undefined;
  const cells = rows.map((row) => row.map((cell) => textOf(cell).replace(/\s+/g, " ").trim()));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 1, displayWidth(cell));
  }
  if (sum(widths) + 2 * (widths.length - 1) > mostWidth) return undefined;
  const write = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const fill = " ".repeat((widths[column] ?? 0) - displayWidth(cell));
        return isRight[column] ? fill + cell : cell + fill;
      })
      .join("  ")
      .trimEnd();
  const [header = [], ...others] = cells;
  return { header: [write(header), widths.map((width) => "─".repeat(width)).join("  ")], lines: others.map(write) };
}

export type TablePoint = { isFirst: boolean; spans: readonly Span[] };

/** The names of the columns, then each row: its first cell as a point, below it the others with the names of their columns. */
export function tablePoints({ rows }: Table): { names: Span[]; points: TablePoint[] } {
  const [header = [], ...others] = rows;
  const names = header.flatMap((cell, column) => [...(column > 0 ? [plainSpan(" · ")] : []), ...cell]);
  const points = others.flatMap((row) =>
    row.flatMap((cell, column): TablePoint[] => {
      if (column === 0) return [{ isFirst: true, spans: cell.map(bold) }];
      const name = textOf(header[column] ?? []);
      if (cell.length === 0) return [];
      return [{ isFirst: false, spans: name === "" ? cell : [plainSpan(`${name}: `), ...cell] }];
    }),
  );
  return { names: names.map(bold), points };
}

export function bold(span: Span): Span {
  return span.emphasis.includes("bold") ? span : { ...span, emphasis: ["bold", ...span.emphasis] };
}

function leadsElsewhere(cell: readonly Span[]): boolean {
  return cell.some((span) => span.href !== undefined && !isOwnAddress([span]));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
