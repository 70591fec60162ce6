/** Keeps the beginning and the end of an output of any length, and knows how much is missing between them. */
export function openOutputWindow(maxLength: number) {
  const half = Math.floor(maxLength / 2);
  let head = "";
  let tail = "";
  let dropped = 0;
  return {
    add(text: string): void {
      const room = half - head.length;
      head += text.slice(0, Math.max(0, room));
      tail += text.slice(Math.max(0, room));
      if (tail.length <= 2 * half) return;
      dropped += tail.length - half;
      tail = tail.slice(-half);
    },
    text(): string {
      const extra = Math.max(0, tail.length - half);
      const missing = dropped + extra;
      return missing === 0 ? head + tail : `${head}\n… [${missing} characters left out] …\n${tail.slice(extra)}`;
    },
    lastLine: () => lastWholeLine(tail || head),
  };
}

/** The last line that is whole. */
export function lastWholeLine(text: string): string {
  const lines = text.split("\n").slice(0, -1);
  return lines.findLast((line) => line.trim() !== "") ?? "";
}
