// Gathers what the threads of a search find, in whatever order, into one sorted text with the rest counted.
import { count } from "../../contract/words/amounts.ts";
import { escapeName } from "../paths/escape-text.ts";
import {
  type FoundFile,
  type FoundLine,
  mostMatchesShown,
  type SearchMode,
  type TaskResult,
} from "./threads/search-job.ts";

const mostFilesShown = 1000;
const mostCounted = 1_000_000;
const mostFilesKept = 5000;

export function openFoundMatches(mode: SearchMode) {
  let kept: FoundFile[] = [];
  let matches = 0;
  let files = 0;
  const mostKept = mode === "lines" ? mostMatchesShown : mostFilesShown;
  return { add, format };

  /** Answers whether more is wanted. */
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

  /** `text` is undefined when nothing was found; `read`: the files of which something is shown. */
  function format(): { text: string | undefined; read: readonly string[] } {
    if (files === 0) return { text: undefined, read: [] };
    const shown = filesShown(sorted(kept));
    const lines = mode === "lines" ? formatLines(shown) : formatFiles(shown);
    return { text: lines.join("\n"), read: shown.map(({ path }) => path) };
  }

  function filesShown(all: readonly FoundFile[]): readonly FoundFile[] {
    if (mode !== "lines") return all.slice(0, mostFilesShown);
    let matchesBefore = 0;
    return all.filter(({ count }) => {
      matchesBefore += count;
      return matchesBefore - count < mostMatchesShown;
    });
  }

  function formatFiles(shown: readonly FoundFile[]): string[] {
    const lines = shown.map(({ path, count }) =>
      mode === "count" ? `${escapeName(path)}: ${count}` : escapeName(path),
    );
    if (files > shown.length) lines.push(`[${files - shown.length} more files match.]`);
    if (mode === "count") lines.push(`[${atLeast(matches)} matching lines in ${count(files, "file")}.]`);
    return lines;
  }

  function formatLines(all: readonly FoundFile[]): string[] {
    const lines: string[] = [];
    let room = mostMatchesShown;
    for (const file of all) {
      const shown = firstMatches(file.lines, room);
      lines.push(escapeName(file.path), ...shown.map(formatLine).flatMap(withGap(shown)));
      room -= shown.filter(({ isMatch }) => isMatch).length;
    }
    const rest = matches - (mostMatchesShown - room);
    if (rest > 0) {
      lines.push(`[${atLeast(rest)} more matching lines, in ${count(files, "file")} altogether: narrow the search.]`);
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
