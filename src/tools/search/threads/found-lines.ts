// Collects what is shown of a file's matches: the lines with their numbers, and those around them.
import { endOfLine, type LineMatcher, lineText, type MatchedLine } from "./line-matcher.ts";
import { type FoundLine, mostMatchesShown } from "./search-job.ts";

export type FoundLines = {
  /** The matches of one stretch of the file; `lineAt` is the number of the line in which the bytes begin. */
  add(bytes: Buffer, matches: readonly MatchedLine[], lineAt: number): void;
  lines(): readonly FoundLine[];
};

const longestLine = 500;
const shownBeforeMatch = 100;
const newline = 0x0a;

export function openFoundLines(matcher: LineMatcher, context: number): FoundLines {
  const lines: FoundLine[] = [];
  let matchesKept = 0;
  let lastShown = 0;
  return { add, lines: () => lines };

  function add(bytes: Buffer, matches: readonly MatchedLine[], lineAt: number): void {
    let counted = 0;
    let number = lineAt;
    for (const [index, match] of matches.entries()) {
      if (matchesKept++ >= mostMatchesShown) return;
      number += countLines(bytes, counted, match.start);
      counted = match.start;
      showBefore(bytes, match.start, number);
      show(bytes, match, number, true);
      showAfter(bytes, match.end + 1, number + 1, matches[index + 1]?.start ?? bytes.length);
    }
  }

  function showBefore(bytes: Buffer, start: number, number: number): void {
    const wanted = Math.min(context, number - lastShown - 1);
    let at = start;
    for (let back = 0; back < wanted; back++) at = startOfLineBefore(bytes, at);
    for (let line = number - wanted; line < number; line++) {
      const end = endOfLine(bytes, at, bytes.length);
      show(bytes, { start: at, end }, line, false);
      at = end + 1;
    }
  }

  function showAfter(bytes: Buffer, from: number, firstNumber: number, to: number): void {
    let at = from;
    for (let line = firstNumber; line < firstNumber + context && at < to; line++) {
      const end = endOfLine(bytes, at, bytes.length);
      show(bytes, { start: at, end }, line, false);
      at = end + 1;
    }
  }

  function show(bytes: Buffer, { start, end }: MatchedLine, number: number, isMatch: boolean): void {
    lines.push({ number, text: cutLine(lineText(bytes, start, end), isMatch ? matcher : undefined), isMatch });
    lastShown = number;
  }
}

export function countLines(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (bytes[at] === newline) count++;
  return count;
}

/** The beginning of the line before the one that begins here. */
export function startOfLineBefore(bytes: Buffer, start: number): number {
  return start < 2 ? 0 : bytes.lastIndexOf(newline, start - 2) + 1;
}

// a match far out in a long line is shown with what stands around it
function cutLine(text: string, matcher: LineMatcher | undefined): string {
  if (text.length <= longestLine) return text;
  const match = matcher?.locate(text) ?? { start: 0, end: 0 };
  const from = match.end <= longestLine ? 0 : Math.max(0, match.start - shownBeforeMatch);
  const shown = text.slice(from, from + longestLine).toWellFormed();
  const before = from > 0 ? "…" : "";
  const after = from + longestLine < text.length ? "…" : "";
  return `${before}${shown}${after} [line of ${text.length} characters]`;
}
