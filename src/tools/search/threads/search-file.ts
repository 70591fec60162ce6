// Searches one open file of any size in stretches of whole lines; runs in a thread of its own, so it may block.
import { readSync } from "node:fs";
import { countLines, type FoundLines, openFoundLines, startOfLineBefore } from "./found-lines.ts";
import type { LineMatcher, MatchedLine } from "./line-matcher.ts";
import { type FoundLine, mostMatchesShown, type SearchMode } from "./search-job.ts";

export type FileSearch = {
  matcher: LineMatcher;
  context: number;
  mode: SearchMode;
  /** Told before each stretch, so that whoever watches sees it move. */
  alive(): void;
};
export type FileMatches = { count: number; lines: readonly FoundLine[] };

const usualBytes = 1024 * 1024;
// a longer line is searched in pieces
const mostBytes = 16 * 1024 * 1024;
const newline = 0x0a;

export type SearchBuffer = { bytes: Buffer };

export function newSearchBuffer(): SearchBuffer {
  return { bytes: Buffer.allocUnsafe(usualBytes) };
}

/** Undefined for a file without a match, and for one that is not text. */
export function searchFile(search: FileSearch, descriptor: number, buffer: SearchBuffer): FileMatches | undefined {
  // most files have no match, and need nothing to keep matches in
  let found: FoundLines | undefined;
  let count = 0;
  let line = 1;
  for (const stretch of stretchesOf(search, descriptor, buffer)) {
    const { bytes, from, to } = stretch;
    const matches = matchesIn(search, bytes, from, to, count);
    // only what has a match is looked at for what no text holds
    if (matches.count > 0 && bytes.includes(0)) return undefined;
    count += matches.count;
    if (matches.lines.length > 0) {
      found ??= openFoundLines(search.matcher, search.context);
      found.add(bytes, matches.lines, line);
    }
    if (search.mode === "files" && count > 0) break;
    if (stretch.keptFrom < bytes.length) line += countLines(bytes, 0, stretch.keptFrom);
  }
  return count === 0 ? undefined : { count, lines: found?.lines() ?? [] };
}

/** Whole lines to search, with as many lines before and after them as are to be shown. */
type Stretch = { bytes: Buffer; from: number; to: number; keptFrom: number };

function* stretchesOf(search: FileSearch, descriptor: number, buffer: SearchBuffer): Generator<Stretch> {
  let held = 0;
  let from: number | undefined;
  for (let isEnd = false; !isEnd; ) {
    search.alive();
    held += readSync(descriptor, buffer.bytes, held, buffer.bytes.length - held, null);
    const bytes = buffer.bytes.subarray(0, held);
    // a regular file gives less than asked for only at its end
    isEnd = held < buffer.bytes.length;
    from ??= startsWithMark(bytes) ? 3 : 0;
    const lineEnd = isEnd ? held : endOfStretch(bytes, from, search.context);
    if (lineEnd === undefined && buffer.bytes.length < mostBytes) {
      grow(buffer, held);
      continue;
    }
    const to = lineEnd ?? held;
    const keptFrom = isEnd ? held : startOfKept(bytes, to, search.context);
    yield { bytes, from, to, keptFrom };
    from = to - keptFrom;
    bytes.copyWithin(0, keptFrom, held);
    held -= keptFrom;
  }
}

function startsWithMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function matchesIn(search: FileSearch, bytes: Buffer, from: number, to: number, before: number) {
  const lines: MatchedLine[] = [];
  let count = 0;
  search.matcher.search(bytes, from, to, (line) => {
    count++;
    if (search.mode === "lines" && before + count <= mostMatchesShown) lines.push(line);
    return search.mode !== "files";
  });
  return { count, lines };
}

/** Where the last line ends that has as many lines after it as are to be shown; undefined when there is none. */
function endOfStretch(bytes: Buffer, from: number, context: number): number | undefined {
  let end = bytes.lastIndexOf(newline) + 1;
  for (let back = 0; back < context && end > 0; back++) end = startOfLineBefore(bytes, end);
  return end > from ? end : undefined;
}

function startOfKept(bytes: Buffer, searchedTo: number, context: number): number {
  let start = searchedTo;
  for (let back = 0; back < context && start > 0; back++) start = startOfLineBefore(bytes, start);
  return start;
}

function grow(buffer: SearchBuffer, held: number): void {
  const larger = Buffer.allocUnsafe(buffer.bytes.length * 4);
  buffer.bytes.copy(larger, 0, 0, held);
  buffer.bytes = larger;
}
