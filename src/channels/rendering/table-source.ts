// Tables as they are written: rows of cells between bars. What stands beyond the last column that has a name is kept.
const delimiterRow = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const startsOtherBlock = /^(?:[-*+>#\s]|\d{1,9}[.)][ \t]|`{3}|~{3})/;

/** The line after the last one of the table that begins here at the margin. */
export function endOfTable(lines: readonly string[], start: number): number | undefined {
  const header = lines[start] ?? "";
  const delimiter = lines[start + 1] ?? "";
  if (!header.includes("|") || !delimiter.includes("-") || !/[|:]/.test(delimiter)) return undefined;
  if (startsOtherBlock.test(header) || !isDelimiter(delimiter)) return undefined;
  if (cellsOf(header).length !== cellsOf(delimiter).length) return undefined;
  let end = start + 2;
  while (lines[end]?.includes("|") && !startsOtherBlock.test(lines[end] ?? "")) end += 1;
  return end;
}

export function readRows(source: string): { rows: string[][]; isRight: boolean[] } {
  const lines = source.split("\n").filter((line) => line.trim() !== "");
  const [header = "", delimiter = "", ...others] = lines;
  return {
    rows: [header, ...others].map(cellsOf),
    isRight: cellsOf(delimiter).map((cell) => cell.endsWith(":") && !cell.startsWith(":")),
  };
}

// the pattern could take long on a long line that is none
function isDelimiter(line: string): boolean {
  return line.length < 2_000 && delimiterRow.test(line);
}

function cellsOf(row: string): string[] {
  const cells = [""];
  for (const part of row.trim().split(/(\\\||\|)/)) {
    if (part === "|") cells.push("");
    else cells[cells.length - 1] += part === "\\|" ? "|" : part;
  }
  const trimmed = cells.map((cell) => cell.trim());
  if (trimmed.length > 1 && trimmed[0] === "") trimmed.shift();
  if (trimmed.length > 1 && trimmed.at(-1) === "") trimmed.pop();
  return trimmed;
}
