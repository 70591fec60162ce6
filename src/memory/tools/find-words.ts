// How a find is told to a model: where it stands, when and by whom it was said, and what.
import type { MemoryFind, MemoryPlace } from "../../contract/memory/memory-place.ts";

/** `MEMORY.md:3-5`, or `terminal--default #120-124`. */
function placeWords({ path, startLine, endLine, sessionKey, fromSeq, toSeq }: MemoryPlace): string {
  if (path !== undefined) return `${path}${rangeWords(":", startLine, endLine)}`;
  return `${sessionKey ?? "?"}${rangeWords(" #", fromSeq, toSeq)}`;
}

export function findWords(find: MemoryFind): string {
  const { date, speakers, labels, text } = find;
  const from = labels.length === 0 ? [] : [`from ${labels.join(", ")}`];
  const about = [placeWords(find), ...(date === undefined ? [] : [date]), ...speakers, ...from];
  return `${about.join(" · ")}\n${text}`;
}

/** Whose words are in them. */
export function labelsOfFinds(finds: readonly MemoryFind[]): readonly string[] {
  return [...new Set(finds.flatMap(({ labels }) => labels))];
}

/** What clings to a note as a whole clings to each piece of it. */
export function filesOfFinds(finds: readonly MemoryFind[]): readonly string[] {
  return [...new Set(finds.flatMap(({ path }) => (path === undefined ? [] : [path])))];
}

function rangeWords(sign: string, from: number | undefined, to: number | undefined): string {
  if (from === undefined) return "";
  return to === undefined || to === from ? `${sign}${from}` : `${sign}${from}-${to}`;
}
