import type { Change } from "./apply-edits.ts";

const mostLinesOfOneSide = 8;
const mostLines = 60;
const mostCharacters = 200;

/** A short excerpt in the manner of a diff: old lines with a minus, new lines with a plus, each with its number. */
export function formatChanges(changes: readonly Change[]): string {
  const lines = changes.flatMap((change) => [
    ...formatSide("-", change.oldLine, change.removed),
    ...formatSide("+", change.newLine, change.added),
  ]);
  if (lines.length <= mostLines) return lines.join("\n");
  return [...lines.slice(0, mostLines), `… ${lines.length - mostLines} more lines`].join("\n");
}

function formatSide(sign: string, firstLine: number, lines: readonly string[]): readonly string[] {
  const shown = lines
    .slice(0, mostLinesOfOneSide)
    .map((line, index) => `${sign}${String(firstLine + index).padStart(6)}\t${cut(line)}`);
  const rest = lines.length - shown.length;
  return rest > 0 ? [...shown, `${sign}      …\t${rest} more lines`] : shown;
}

function cut(line: string): string {
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters).toWellFormed()}…` : line;
}
