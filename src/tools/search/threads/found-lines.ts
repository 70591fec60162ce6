// Goes through the lines of one file and collects what is shown of its matches: the lines with their numbers, and those
// around them.
import { countNewlines } from "../../files/text/text-file.ts";
import type { LineMatcher } from "./line-matcher.ts";
import { type FoundLine, type LinesWanted, mostMatchesShown } from "./search-job.ts";

const longestLine = 500;
const shownBeforeMatch = 100;

export function openFoundLines(matcher: LineMatcher, { context, mode }: LinesWanted) {
  const lines: FoundLine[] = [];
  let before: string[] = [];
  let number = 1;
  let count = 0;
  let afterLeft = 0;
  // its lines count only if another stretch follows, and most files are a single one
  let passed = "";
  return { add, count: () => count, lines };

  /** The next stretch of whole lines. */
  function add(text: string): void {
    number += countNewlines(passed);
    passed = "";
    // most stretches have no match, and need not be taken apart
    if (afterLeft === 0 && !matcher.mayMatch(text)) {
      if (context > 0) before = [...before, ...lastLines(text, context)].slice(-context);
      passed = text;
      return;
    }
    const own = text.split("\n");
    if (text.endsWith("\n")) own.pop();
    for (const line of own) {
      addLine(line.endsWith("\r") ? line.slice(0, -1) : line);
      if (mode === "files" && count > 0) return;
      number++;
    }
    // a line that goes on in the next stretch keeps its number
    if (!text.endsWith("\n")) number--;
  }

  function addLine(line: string): void {
    if (matcher.matches(line)) {
      count++;
      afterLeft = context;
      if (mode !== "lines" || count > mostMatchesShown) return;
      for (const [index, text] of before.entries()) show(text, number - before.length + index, false);
      before = [];
      show(line, number, true);
    } else if (afterLeft > 0) {
      afterLeft--;
      if (count <= mostMatchesShown) show(line, number, false);
    } else if (context > 0) {
      before.push(line);
      if (before.length > context) before.shift();
    }
  }

  function show(line: string, lineNumber: number, isMatch: boolean): void {
    lines.push({ number: lineNumber, text: cutLine(line, isMatch ? matcher : undefined), isMatch });
  }
}

function lastLines(text: string, most: number): string[] {
  let start = text.length;
  for (let back = 0; back < most && start > 0; back++) {
    start = start < 2 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  }
  return text
    .slice(start)
    .split(/\r?\n/)
    .slice(0, text.endsWith("\n") ? -1 : undefined);
}

// a match far out in a long line is shown with what stands around it
function cutLine(text: string, matcher: LineMatcher | undefined): string {
  if (text.length <= longestLine) return text;
  const match = matcher?.locate(text);
  const start = match?.index ?? 0;
  const end = start + (match?.[0].length ?? 0);
  const from = end <= longestLine ? 0 : Math.max(0, start - shownBeforeMatch);
  const shown = text.slice(from, from + longestLine).toWellFormed();
  const before = from > 0 ? "…" : "";
  const after = from + longestLine < text.length ? "…" : "";
  return `${before}${shown}${after} [line of ${text.length} characters]`;
}
