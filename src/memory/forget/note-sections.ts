// Lines of a note come in; those that are about something go out: what speaks of it, and all that stands below a heading that does.
import { readFence, readHeading } from "../units/markdown-lines.ts";
import type { SpeaksOf } from "./asked-words.ts";

export type LineOfIt = { line: number; times: number };

/** In their order, without empty ones. */
export function linesOfIt(lines: readonly string[], speaksOf: SpeaksOf): readonly LineOfIt[] {
  const levels = headingLevels(lines);
  const found: LineOfIt[] = [];
  // of the heading above that speaks of it
  let section: number | undefined;
  for (const [index, text] of lines.entries()) {
    const level = levels[index];
    const times = speaksOf.times(text);
    if (level !== undefined && section !== undefined && level <= section) section = undefined;
    if (level !== undefined && times > 0) section ??= level;
    if (times > 0 || (section !== undefined && text.trim() !== "")) found.push({ line: index + 1, times });
  }
  return found;
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
  return lines.map((line) => {
    if (fence) {
      if (fence.isClosedBy(line)) fence = undefined;
      return undefined;
    }
    fence = readFence(line);
    return fence ? undefined : readHeading(line)?.level;
  });
}
