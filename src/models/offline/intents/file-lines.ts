import type { Exchange } from "../intent.ts";

export type FileSoFar =
  | { kind: "unread" }
  | { kind: "missing" }
  | { kind: "failed"; exchange: Exchange }
  // the tool gives a long file in pieces; the next one begins at this line
  | { kind: "partial"; nextLine: number }
  | { kind: "whole"; lines: readonly string[] };

/** A file put together from what the `read` tool has returned for it in this turn, without its line numbers. */
export function fileSoFar(done: readonly Exchange[]): FileSoFar {
  const reads = done.filter((exchange) => exchange.tool === "read");
  const last = reads.at(-1);
  if (!last) return { kind: "unread" };
  if (last.failed) return isMissing(last.output) ? { kind: "missing" } : { kind: "failed", exchange: last };
  const more = /^\[The file has more lines: go on with offset (\d+)\.\]$/m.exec(notesOf(last.output));
  if (more) return { kind: "partial", nextLine: Number(more[1]) };
  return { kind: "whole", lines: reads.flatMap((read) => stripNumbers(read.output)) };
}

/** The lines of a file as the `read` tool shows them, without the numbers before them and the notes after them. */
export function stripNumbers(output: string): string[] {
  return output.split("\n").flatMap((line) => {
    const text = /^ *\d+\t(.*)$/s.exec(line)?.[1];
    return text === undefined ? [] : [text];
  });
}

/** What the tool says beside the lines: that there are more of them, or why there are none. */
export function notesOf(output: string): string {
  return output
    .split("\n")
    .filter((line) => !/^ *\d+\t/.test(line))
    .join("\n");
}

function isMissing(output: string): boolean {
  return /does not exist|no such file|not found|ENOENT/i.test(output);
}

export type LineEdit = { oldText: string; newText: string };

/** An edit that puts new lines after the last line that is not blank; undefined when all lines are blank. */
export function insertAtEnd(lines: readonly string[], added: string): LineEdit | undefined {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  if (last === -1) return undefined;
  const { text: oldText } = uniqueStretch(lines, last, last);
  return { oldText, newText: `${oldText}\n${added}` };
}

/** An edit that takes whole lines out. */
export function removeLines(lines: readonly string[], from: number, to: number): LineEdit {
  // a neighbour goes along, so that the line break is taken out as well
  const { first, last, text } = uniqueStretch(lines, Math.max(0, from - 1), from === 0 ? to + 1 : to);
  const kept = [...lines.slice(first, from), ...lines.slice(to + 1, last + 1)];
  return { oldText: text, newText: kept.join("\n") };
}

// the edit tool wants text that occurs once, so lines above and then below are added until it does
function uniqueStretch(lines: readonly string[], from: number, to: number) {
  const whole = lines.join("\n");
  let first = from;
  let last = Math.min(to, lines.length - 1);
  for (;;) {
    const text = lines.slice(first, last + 1).join("\n");
    const isUnique = whole.indexOf(text) === whole.lastIndexOf(text);
    if (isUnique || (first === 0 && last === lines.length - 1)) return { first, last, text };
    if (first > 0) first--;
    else last++;
  }
}
