export type PageWindow = { text: string; from: number; to: number; total: number };

/** So many characters from an offset on, ended at a line or word if one ends near there. */
export function cutWindow(text: string, offset: number, maxCharacters: number): PageWindow {
  const total = text.length;
  const from = Math.min(offset, total);
  const to = endOf(text, from, maxCharacters);
  return { text: text.slice(from, to), from, to, total };
}

function endOf(text: string, from: number, maxCharacters: number): number {
  const last = from + maxCharacters;
  if (last >= text.length) return text.length;
  const tail = text.slice(last - Math.floor(maxCharacters / 20), last);
  for (const boundary of ["\n", " "]) {
    const at = tail.lastIndexOf(boundary);
    if (at !== -1) return last - tail.length + at + 1;
  }
  // never through the middle of a character
  return /[\ud800-\udbff]/.test(text[last - 1] ?? "") ? last - 1 : last;
}
