import type { Piece } from "./mark-words.ts";

// a few lines before the first marked word; what lies further up is left to the page of the file
const leadCharacters = 160;

/** The pieces from shortly before the first marked word, so that it is in sight. */
export function fromFirstMark(pieces: readonly Piece[]): readonly Piece[] {
  const first = pieces.findIndex(({ isMarked }) => isMarked);
  const lead = pieces
    .slice(0, Math.max(0, first))
    .map(({ text }) => text)
    .join("");
  if (lead.length <= 2 * leadCharacters) return pieces;
  const near = lead.slice(-leadCharacters);
  return [{ text: `… ${near.slice(near.search(/\s/) + 1)}`, isMarked: false }, ...pieces.slice(first)];
}
