/** Columns side by side, each as wide as its widest cell; numbers are asked for with `right`. */
export function alignColumns(rows: readonly (readonly string[])[], right: readonly number[] = []): string[] {
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
