// Gathers what the threads of a search find, in whatever order, into one sorted text with the rest counted.
import { escapeName } from "./escape-text.ts";
import { type FoundFile, type FoundLine, mostMatchesShown, type SearchMode, type TaskResult } from "./search-job.ts";

export type FoundMatches = {
  /** Answers whether more is wanted. */
  add(result: TaskResult): boolean;
  /** Undefined when nothing was found. */
  format(): string | undefined;
};

const mostFilesShown = 1000;
const mostCounted = 100_000;
const mostFilesKept = 5000;

export function openFoundMatches(mode: SearchMode): FoundMatches {
  let kept: FoundFile[] = [];
  let matches = 0;
  let files = 0;
  const mostKept = mode === "lines" ? mostMatchesShown : mostFilesShown;
  return { add, format };

  function add(result: TaskResult): boolean {
    for (const file of result.files) {
      kept.push(file);
      matches += file.count;
    }
    files += result.files.length;
    // each file shown has a match, so later files cannot be shown
    if (kept.length > mostFilesKept) kept = sorted(kept).slice(0, mostKept);
    return matches <= mostCounted;
  }

  function format(): string | undefined {
    if (files === 0) return undefined;
    const lines = mode === "lines" ? formatLines(sorted(kept)) : formatFiles(sorted(kept));
    return lines.join("\n");
  }

  function formatFiles(all: readonly FoundFile[]): string[] {
    const shown = all.slice(0, mostFilesShown);
    const lines = shown.map(({ path, count }) =>
      mode === "count" ? `${escapeName(path)}: ${count}` : escapeName(path),
    );
    if (files > shown.length) lines.push(`[${files - shown.length} more files match.]`);
    if (mode === "count") lines.push(`[${atLeast(matches)} matching lines in ${files} ${plural(files, "file")}.]`);
    return lines;
  }

  function formatLines(all: readonly FoundFile[]): string[] {
    const lines: string[] = [];
    let room = mostMatchesShown;
    for (const file of all) {
      if (room === 0) break;
      const shown = firstMatches(file.lines, room);
      lines.push(escapeName(file.path), ...shown.map(formatLine).flatMap(withGap(shown)));
      room -= shown.filter(({ isMatch }) => isMatch).length;
    }
    const rest = matches - (mostMatchesShown - room);
    if (rest > 0) {
      lines.push(
        `[${atLeast(rest)} more matching lines, in ${files} ${plural(files, "file")} altogether: narrow the search.]`,
      );
    }
    return lines;
  }

  function atLeast(count: number): string {
    return matches > mostCounted ? `more than ${count}` : String(count);
  }
}

function sorted(files: readonly FoundFile[]): FoundFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** The lines up to the last match for which there is room, with what stands around them. */
function firstMatches(lines: readonly FoundLine[], room: number): readonly FoundLine[] {
  let left = room;
  const end = lines.findIndex(({ isMatch }) => isMatch && left-- === 0);
  return end === -1 ? lines : lines.slice(0, end);
}

function formatLine({ number, text, isMatch }: FoundLine): string {
  return `${number}${isMatch ? ":" : "-"}${text.replaceAll("\0", "\u2400")}`;
}

function withGap(lines: readonly FoundLine[]): (text: string, index: number) => readonly string[] {
  const hasContext = lines.some(({ isMatch }) => !isMatch);
  return (text, index) => {
    const before = lines[index - 1];
    const isApart = before !== undefined && lines[index]?.number !== before.number + 1;
    return hasContext && isApart ? ["--", text] : [text];
  };
}

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}
