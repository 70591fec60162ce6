// A text file taken apart so that an edit sees plain newlines, and put together again with its own line endings and mark.

export type TextFile = {
  /** With "\n" for every line ending and without a byte order mark. */
  text: string;
  /** One for each "\n" of the text. */
  endings: readonly LineEnding[];
  hasByteOrderMark: boolean;
};
export type LineEnding = "\n" | "\r\n";

const byteOrderMark = "\ufeff";

/** Undefined when the bytes are not UTF-8, so that writing them back would damage them. */
export function decodeTextFile(bytes: Uint8Array): TextFile | undefined {
  let decoded: string;
  try {
    decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // the decoder's only way of saying that it is not UTF-8
    return undefined;
  }
  const hasByteOrderMark = decoded.startsWith(byteOrderMark);
  const raw = hasByteOrderMark ? decoded.slice(1) : decoded;
  const endings = (raw.match(/\r?\n/g) ?? []) as LineEnding[];
  return { text: raw.replaceAll("\r\n", "\n"), endings, hasByteOrderMark };
}

export function encodeTextFile(file: TextFile): Buffer {
  const text = file.endings.includes("\r\n") ? withEndings(file) : file.text;
  return Buffer.from(file.hasByteOrderMark ? byteOrderMark + text : text, "utf8");
}

/** The ending most lines have; "\n" for a text without any. */
export function usualEnding(endings: readonly LineEnding[]): LineEnding {
  const carriageReturns = endings.filter((ending) => ending === "\r\n").length;
  return carriageReturns > endings.length / 2 ? "\r\n" : "\n";
}

function withEndings({ text, endings }: TextFile): string {
  let next = 0;
  return text.replaceAll("\n", () => endings[next++] ?? "\n");
}

export function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
