import { closeSync, fstatSync, ftruncateSync, openSync, writeFileSync } from "node:fs";
import { open, stat } from "node:fs/promises";
import { orIfMissing } from "../../contract/failure.ts";

const tailBytes = 1 << 16;

/** The last whole line of a file of lines, and where it ends; a line that a crash cut off is not whole. */
export type Tail = { lastLine: string | undefined; wholeBytes: number; fileBytes: number };

export async function readTail(path: string): Promise<Tail> {
  const { size } = await stat(path).catch(orIfMissing({ size: 0 }));
  if (size === 0) return { lastLine: undefined, wholeBytes: 0, fileBytes: 0 };
  await using file = await open(path, "r");
  // lines may be longer than the first look, so look further back until one is whole
  for (let length = Math.min(tailBytes, size); ; length = Math.min(length * 4, size)) {
    const start = size - length;
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, start);
    const lastBreak = buffer.lastIndexOf(10);
    const breakBefore = lastBreak > 0 ? buffer.lastIndexOf(10, lastBreak - 1) : -1;
    if (breakBefore >= 0 || start === 0) {
      if (lastBreak < 0) return { lastLine: undefined, wholeBytes: 0, fileBytes: size };
      return {
        lastLine: buffer.toString("utf8", breakBefore + 1, lastBreak),
        wholeBytes: start + lastBreak + 1,
        fileBytes: size,
      };
    }
  }
}

/**
 * Appends whole lines; what a crash left of an unfinished one is cut off first. A few lines for the system's own buffer are written
 * at once: four trips to another thread cost more.
 */
export function appendLines(path: string, lines: readonly string[], wholeBytes: number | undefined): void {
  const file = openSync(path, "a", 0o600);
  try {
    if (wholeBytes !== undefined && fstatSync(file).size > wholeBytes) ftruncateSync(file, wholeBytes);
    writeFileSync(file, `${lines.join("\n")}\n`);
  } finally {
    closeSync(file);
  }
}
