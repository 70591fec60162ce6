// A range of lines out of a file of any size: only the wanted lines are ever kept in memory.
import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";

export type LineRange = { firstLine: number; maxLines: number };
export type LinesRead = {
  /** Numbered, as the model sees them. */
  numbered: readonly string[];
  /** The line to go on with, if the file has more. */
  nextLine: number | undefined;
  /** How many lines went by before the reading ended. */
  linesSeen: number;
  hasUndecodableBytes: boolean;
};

const maxLineCharacters = 2000;
const maxOutputBytes = 100 * 1024;
// room for the sentence about what was left out
const maxNumberedBytes = maxOutputBytes - 1024;
// four bytes for each character that can be shown, and one more to see that it was cut
const keptLineBytes = (maxLineCharacters + 1) * 4;
const chunkBytes = 256 * 1024;
const newline = 0x0a;

/** Ends early when the signal is aborted. */
export async function readLines(handle: FileHandle, range: LineRange, signal: AbortSignal): Promise<LinesRead> {
  const collector = collectLines(range);
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let position = 0; ; ) {
    if (signal.aborted) return collector.end();
    const { bytesRead } = await handle.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0 || collector.isFull(chunk.subarray(0, bytesRead))) return collector.end();
    position += bytesRead;
  }
}

function collectLines(range: LineRange) {
  const numbered: string[] = [];
  let outputBytes = 0;
  let line = 1;
  let lineBytes = 0;
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let more = false;
  let hasUndecodableBytes = false;
  return { isFull, end };

  /** Takes a chunk; true as soon as it holds more than is wanted. */
  function isFull(chunk: Buffer): boolean {
    let start = 0;
    while (start < chunk.length) {
      if (more || numbered.length >= range.maxLines) {
        more = true;
        return true;
      }
      const found = chunk.indexOf(newline, start);
      const end = found === -1 ? chunk.length : found;
      if (line >= range.firstLine) keep(chunk.subarray(start, end));
      lineBytes += end - start + (found === -1 ? 0 : 1);
      if (found !== -1) finishLine();
      start = end + 1;
    }
    return more;
  }

  function keep(piece: Buffer): void {
    const wanted = piece.subarray(0, keptLineBytes - keptBytes);
    if (wanted.length === 0) return;
    // a copy, because the chunk's memory is used again
    kept.push(Buffer.from(wanted));
    keptBytes += wanted.length;
  }

  function finishLine(): void {
    if (line >= range.firstLine) {
      const bytes = Buffer.concat(kept);
      const text = `${String(line).padStart(6)}\t${showLine(bytes, line, lineBytes)}`;
      outputBytes += Buffer.byteLength(text) + 1;
      if (outputBytes > maxNumberedBytes) {
        more = true;
        return;
      }
      numbered.push(text);
      if (keptBytes < keptLineBytes && !isUtf8(bytes)) hasUndecodableBytes = true;
    }
    line++;
    lineBytes = 0;
    kept = [];
    keptBytes = 0;
  }

  function end(): LinesRead {
    // the last line may lack its newline
    if (!more && lineBytes > 0) finishLine();
    return { numbered, nextLine: more ? line : undefined, linesSeen: line - 1, hasUndecodableBytes };
  }
}

function showLine(bytes: Buffer, line: number, lineBytes: number): string {
  const decoded = bytes.toString("utf8");
  const withoutMark = line === 1 && decoded.startsWith("\ufeff") ? decoded.slice(1) : decoded;
  // NUL breaks databases and terminals further on; its picture does not
  const text = withoutMark.replace(/\r$/, "").replaceAll("\0", "\u2400");
  if (text.length <= maxLineCharacters) return text;
  const cut = text.slice(0, maxLineCharacters).replace(/[\ud800-\udbff]$/, "");
  return `${cut}… [line cut: it has ${lineBytes} bytes]`;
}
