import { visibleLine } from "../contract/words/visible-line.ts";

const longestName = 40;
const longestLine = 1_000;

/** A name that somebody has chosen for themselves, as it may stand inside the words of another: no address, no order, no mark. */
export function plainName(name: string): string {
  const plain = visibleLine(name, longestName).replace(/[^\p{L}\p{N} _-]/gu, "");
  return plain.replace(/\s+/g, " ").trim() || "somebody";
}

/** Somebody else's words within our own: one line, without marks that a platform would obey. */
export function plainLine(text: string): string {
  return visibleLine(text, longestLine).replace(/[\\`*_{}[\]()<>#+|~!&:.@-]/g, "\\$&");
}
