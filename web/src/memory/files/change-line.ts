import { diffLines } from "../../../../src/contract/diff/line-diff.ts";

export type ChangeLine = { text: string; kind: "goes" | "comes" };

/** Of the first place that changed the line that stands there now, or the one that went. */
export function firstChangedLine(before: string, after: string): ChangeLine | undefined {
  const lines = diffLines(before, after).text.split("\n");
  const first = lines.findIndex(isChanged);
  if (first < 0) return undefined;
  const length = lines.slice(first).findIndex((line) => !isChanged(line));
  const place = lines.slice(first, length < 0 ? undefined : first + length);
  const shown = place.find((line) => isOf("+", line)) ?? place.find((line) => isOf("-", line));
  return shown === undefined
    ? undefined
    : { text: withoutMark(shown.slice(1).trim()), kind: shown.startsWith("+") ? "comes" : "goes" };
}

/** A dash before a line that came looks like a line that went. */
function withoutMark(line: string): string {
  return line.replace(/^(?:[-*+]|#+)\s+/, "");
}

function isChanged(line: string): boolean {
  return line.startsWith("+") || line.startsWith("-");
}

/** An empty line tells nothing. */
function isOf(sign: string, line: string): boolean {
  return line.startsWith(sign) && line.slice(1).trim() !== "";
}
