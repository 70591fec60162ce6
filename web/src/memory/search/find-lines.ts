// The text of a find as lines to be shown: the paragraph or message that fits best, and what stands around it.
import type { MemoryFind } from "../../../../src/contract/memory/memory-place.ts";

export type FindLine = { text: string; isHeading: boolean; isBest: boolean };
export type FindExcerpt = {
  /** The heading above it and the line before it. */
  before: readonly FindLine[];
  best: string;
  after: readonly FindLine[];
  /** Everything, where that is more. */
  whole: readonly FindLine[] | undefined;
};

const headingMark = "# ";

export function findExcerpt(text: string, best: MemoryFind["best"]): FindExcerpt {
  const lines = markedLines(text, best);
  const from = Math.max(
    0,
    lines.findIndex(({ isBest }) => isBest),
  );
  const to = lines.findLastIndex(({ isBest }) => isBest) + 1;
  const own = lines.slice(from, to);
  const [before, after] = [beforeIt(lines.slice(0, from)), lines.slice(to, to + 1)];
  const isWhole = before.length + own.length + after.length === lines.length;
  return {
    ...{ before, after },
    best: best?.text ?? own.map((line) => line.text).join("\n"),
    whole: isWhole ? undefined : lines,
  };
}

/** Without one that fits best, all of it is that but the headings above it. */
function markedLines(text: string, best: MemoryFind["best"]): readonly FindLine[] {
  const rows = text.split("\n");
  const [from, to] = (best && rowsOf(best, rows)) ?? [rows.findIndex((row) => !isHeading(row)), rows.length];
  return rows.map((row, at) => {
    const isBest = at >= from && at < to;
    const isHead = !isBest && isHeading(row);
    return { text: isHead ? row.slice(headingMark.length) : row, isHeading: isHead, isBest };
  });
}

type Rows = readonly [from: number, to: number];

function rowsOf({ text, speaker }: NonNullable<MemoryFind["best"]>, lines: readonly string[]): Rows | undefined {
  const rows = (speaker === undefined ? text : `${speaker}: ${text}`).split("\n");
  const from = lines.findIndex((_, at) => rows.every((row, after) => lines[at + after] === row));
  return from < 0 ? undefined : [from, from + rows.length];
}

function beforeIt(lines: readonly FindLine[]): readonly FindLine[] {
  const last = lines.at(-1);
  const heading = last?.isHeading ? undefined : lines.findLast((line) => line.isHeading);
  return [heading, last].filter((line) => line !== undefined);
}

function isHeading(row: string): boolean {
  return row.startsWith(headingMark);
}
