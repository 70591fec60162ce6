// A change of a note as a person reads it: what was done, the line that tells it, and every line without doubled signs.
import { diffLines } from "../../../../src/contract/diff/line-diff.ts";

export type ChangeLine = { text: string; kind: "goes" | "comes" };

type Deed = "noted" | "removed" | "changed";

/** Only lines that came, only lines that went, or both. */
export function deedOfTexts(before: string, after: string): Deed {
  const { removed, added } = diffLines(before, after);
  if (removed === 0 && added > 0) return "noted";
  return added === 0 && removed > 0 ? "removed" : "changed";
}

const signs: Readonly<Record<string, string>> = { "-": "−", "+": "+" };

/** Of a line of a diff: its dash of a list would look like a second sign. */
export function shownLine(line: string): string {
  return `${signs[line[0] ?? ""] ?? line.slice(0, 1)}${line.slice(1).replace(/^( \s*)[-*+](?=\s)/, "$1•")}`;
}

/** Of the first place that changed the line that stands there now, or the one that went. */
export function firstChangedLine(before: string, after: string): ChangeLine | undefined {
  const lines = diffLines(before, after).text.split("\n");
  const first = lines.findIndex(isChanged);
  if (first < 0) return undefined;
  const length = lines.slice(first).findIndex((line) => !isChanged(line));
  const place = lines.slice(first, length < 0 ? undefined : first + length);
  const shown =
    place.find((line) => isOf("+", line) && !isHeading(line)) ??
    place.find((line) => isOf("+", line)) ??
    place.find((line) => isOf("-", line));
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

/** It says less than what stands under it. */
function isHeading(line: string): boolean {
  return /^. #+\s/.test(line);
}

/** An empty line tells nothing. */
function isOf(sign: string, line: string): boolean {
  return line.startsWith(sign) && line.slice(1).trim() !== "";
}
