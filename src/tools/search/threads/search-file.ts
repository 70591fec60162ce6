// Searches one open file of any size in stretches of whole lines; runs in a thread of its own, so it may block.
import { readSync } from "node:fs";
import { openFoundLines } from "./found-lines.ts";
import type { LineMatcher } from "./line-matcher.ts";
import type { FoundLine, LinesWanted } from "./search-job.ts";

export type FileSearch = {
  matcher: LineMatcher;
  wanted: LinesWanted;
  /** Told before each stretch, so that whoever watches sees it move. */
  alive(): void;
};

const stretchBytes = 1024 * 1024;
// a longer line is searched in pieces
const longestLineBytes = 16 * 1024 * 1024;
const newline = 0x0a;
// one for all files of a thread; what no file needs of it takes no memory
const buffer = Buffer.allocUnsafeSlow(longestLineBytes);

/** Undefined for a file without a match, and for one that is not text. */
export function searchFile(
  search: FileSearch,
  descriptor: number,
): { count: number; lines: readonly FoundLine[] } | undefined {
  const found = openFoundLines(search.matcher, search.wanted);
  for (const text of stretchesOf(search, descriptor)) {
    const before = found.count();
    found.add(text);
    // only what has a match is looked at for what no text holds
    if (found.count() > before && text.includes("\0")) return undefined;
    if (search.wanted.mode === "files" && found.count() > 0) break;
  }
  return found.count() === 0 ? undefined : { count: found.count(), lines: found.lines };
}

function* stretchesOf(search: FileSearch, descriptor: number): Generator<string> {
  let held = 0;
  let isStart = true;
  for (let isEnd = false; !isEnd; ) {
    search.alive();
    const wanted = Math.min(stretchBytes, buffer.length - held);
    const read = readSync(descriptor, buffer, held, wanted, null);
    held += read;
    // a regular file gives less than asked for only at its end
    isEnd = read < wanted;
    const lineEnd = buffer.subarray(0, held).lastIndexOf(newline) + 1;
    const to = isEnd || (lineEnd === 0 && held === buffer.length) ? held : lineEnd;
    if (to === 0) continue;
    const text = buffer.toString("utf8", 0, to);
    // without the byte order mark
    yield isStart && text.startsWith("\ufeff") ? text.slice(1) : text;
    isStart = false;
    buffer.copyWithin(0, to, held);
    held -= to;
  }
}
