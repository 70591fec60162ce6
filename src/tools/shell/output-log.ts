import { lastWholeLine } from "./output-window.ts";

/** The last part of an output that goes on, by positions that stay valid: the first character of all has position 0. */
export type OutputLog = {
  add(text: string): void;
  /** The position after the last character. */
  next(): number;
  bytes(): number;
  /** What is kept from a position on; a part that is too long ends with a whole line. */
  since(position: number, maxLength: number): OutputPart;
  /** The last line that is whole. */
  lastLine(): string;
};

/** `from` is later than was asked for when the beginning is no longer kept. */
export type OutputPart = { text: string; from: number; next: number };

// no line that is shown while a command runs is longer
const lineLength = 2_000;

export function openOutputLog(keptLength: number): OutputLog {
  let kept = "";
  let dropped = 0;
  let bytes = 0;
  return {
    add(text) {
      kept += text;
      bytes += Buffer.byteLength(text);
      // cut only now and then: each cut copies what is left
      if (kept.length > 2 * keptLength) drop(kept.length - keptLength);
    },
    next: () => dropped + kept.length,
    bytes: () => bytes,
    since(position, maxLength) {
      const first = Math.max(dropped, dropped + kept.length - keptLength);
      const from = Math.min(Math.max(position, first), dropped + kept.length);
      const text = cutAtLine(kept.slice(from - dropped), maxLength);
      return { text: text.toWellFormed(), from, next: from + text.length };
    },
    lastLine: () => lastWholeLine(kept.slice(-lineLength)),
  };

  function drop(length: number): void {
    kept = kept.slice(length);
    dropped += length;
  }
}

// a secret that is cut in two would be recognised in neither half
function cutAtLine(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const lineEnd = text.lastIndexOf("\n", maxLength - 1);
  return text.slice(0, lineEnd < 0 ? maxLength : lineEnd + 1);
}
