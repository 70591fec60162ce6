// Lines of a note come in; those that are about something go out: what speaks of it, an item of a list with all that is indented below
// it, and all that stands below a heading that does.
import { readFence, readHeading } from "../units/markdown-lines.ts";
import type { SpeaksOf } from "./asked-words.ts";

export type LineOfIt = { line: number; times: number };

/** In their order, without empty ones. */
export function linesOfIt(lines: readonly string[], speaksOf: SpeaksOf): readonly LineOfIt[] {
  const levels = headingLevels(lines);
  const items = linesOfItems(lines, levels, speaksOf);
  const found: LineOfIt[] = [];
  // of the heading above that speaks of it
  let section: number | undefined;
  for (const [index, text] of lines.entries()) {
    const level = levels[index];
    const times = speaksOf.times(text);
    if (level !== undefined && section !== undefined && level <= section) section = undefined;
    if (level !== undefined && times > 0) section ??= level;
    if (times > 0 || ((section !== undefined || items.has(index)) && text.trim() !== ""))
      found.push({ line: index + 1, times });
  }
  return found;
}

/** Those that belong to an item which speaks of it: an item that is broken over lines is one, and what is noted below it is about it. */
function linesOfItems(
  lines: readonly string[],
  levels: readonly (number | undefined)[],
  speaksOf: SpeaksOf,
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [index, text] of lines.entries()) {
    const indent = indentOfItem(text);
    if (indent === undefined || found.has(index)) continue;
    let end = index + 1;
    while (end < lines.length && levels[end] === undefined && isBelow(lines[end] ?? "", indent)) end += 1;
    const below = lines.slice(index + 1, end);
    const first = below.findIndex((line) => indentOfItem(line) !== undefined);
    const own = [text, ...(first < 0 ? below : below.slice(0, first))];
    if (speaksOf.times(own.join(" ")) > 0) for (let line = index; line < end; line += 1) found.add(line);
  }
  return found;
}

/** Undefined: the line begins no item of a list. */
function indentOfItem(line: string): number | undefined {
  return /^([ \t]{0,40})(?:[-*+]|\d{1,9}[.)])[ \t]/.exec(line)?.[1]?.length;
}

function isBelow(line: string, indent: number): boolean {
  return line.trim() !== "" && line.length - line.trimStart().length > indent;
}

/** The empty lines around sections that go which would be left over: between them and at the ends, and where others stand already. */
export function blanksLeftOver(lines: readonly string[], gone: ReadonlySet<number>): readonly number[] {
  const levels = headingLevels(lines);
  const left: number[] = [];
  const isEmpty = (line: number) => lines[line - 1]?.trim() === "" && !gone.has(line);
  for (let from = 1; from <= lines.length; ) {
    let end = from;
    while (end <= lines.length && (gone.has(end) || isEmpty(end))) end += 1;
    const run = Array.from({ length: end - from }, (_, at) => from + at);
    if (run.some((line) => gone.has(line) && levels[line - 1] !== undefined)) {
      const isAtEnd = from === 1 || end > lines.length;
      const first = run.findIndex((line) => gone.has(line));
      // one gap stays between what stood before and what comes next
      const keeps = first > 0 ? run.slice(0, first) : run.slice(run.findLastIndex((line) => gone.has(line)) + 1);
      left.push(...run.filter((line) => isEmpty(line) && (isAtEnd || !keeps.includes(line))));
    }
    from = Math.max(end, from + 1);
  }
  return left;
}

/** Undefined: the line is no heading. */
function headingLevels(lines: readonly string[]): readonly (number | undefined)[] {
  let fence: ReturnType<typeof readFence>;
  return lines.map((line, index) => {
    if (fence) {
      if (fence.isClosedBy(line)) fence = undefined;
      return undefined;
    }
    fence = readFence(line);
    return fence ? undefined : (readHeading(line)?.level ?? underlined(line, lines[index + 1] ?? ""));
  });
}

/** `Anna` with a line of === or --- right below it. */
function underlined(line: string, next: string): number | undefined {
  if (!/[\p{L}\p{N}]/u.test(line) || indentOfItem(line) !== undefined) return undefined;
  return /^={2,}\s*$/.test(next) ? 1 : /^-{2,}\s*$/.test(next) ? 2 : undefined;
}
