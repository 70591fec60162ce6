// The lines of a note as they are shown and taken out: bytes come in, and every byte of the other lines stays as it is.
import { createHash } from "node:crypto";

const newline = 0x0a;
const mostShown = 4_000;

/** Each with the end that it has. */
export function linesOf(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(newline, from);
    const next = end < 0 ? bytes.length : end + 1;
    lines.push(bytes.subarray(from, next));
    from = next;
  }
  return lines;
}

/** Without its end. */
export function wholeLine(line: Buffer): string {
  // the mark at the beginning of a file is no part of its words
  return wordsOf(line)
    .toString("utf8")
    .replace(/^\ufeff/, "");
}

/** As a person is shown it. */
export function shownLine(line: Buffer): string {
  const text = wholeLine(line);
  // what is not shown is told apart from another end of the line
  return text.length > mostShown
    ? `${text.slice(0, mostShown)}… (${text.length} characters, ${digestOf(line).slice(0, 8)})`
    : text;
}

/** By which it is known again without its words. */
export function digestOf(line: Buffer): string {
  return createHash("sha256").update(wordsOf(line)).digest("hex");
}

/** `numbers` begin at 1. */
export function withoutLines(bytes: Buffer, numbers: ReadonlySet<number>): Buffer {
  return Buffer.concat(linesOf(bytes).filter((_, index) => !numbers.has(index + 1)));
}

/** Whether one of these lines stands anywhere in it, also in a folder's pack. */
export function holdsLine(content: Buffer, lines: readonly Buffer[]): boolean {
  return lines.map(wordsOf).some((line) => line.length > 0 && standsIn(content, line));
}

function standsIn(content: Buffer, line: Buffer): boolean {
  for (let at = content.indexOf(line); at >= 0; at = content.indexOf(line, at + 1)) {
    const [before, after] = [content[at - 1], content[at + line.length]];
    const isBegin = before === undefined || before === newline;
    // a file at the end of which no line ends is followed in a pack by the next name
    if (isBegin && (after === undefined || after === newline || after === 0x0d || after === 0x7b)) return true;
  }
  return false;
}

function wordsOf(line: Buffer): Buffer {
  const end = line.at(-1) === newline ? line.length - 1 : line.length;
  return line.subarray(0, line[end - 1] === 0x0d && end < line.length ? end - 1 : end);
}
