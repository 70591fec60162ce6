// Where words that are too long for one message are cut: at a space, else between characters as a reader knows them.
const characters = new Intl.Segmenter("en", { granularity: "grapheme" });
const reach = 200;

/** The place at or before `most` where the text is cut; always beyond 0. */
export function placeToCut(text: string, most: number): number {
  if (text.length <= most) return text.length;
  const space = lastSpace(text, most);
  if (space >= most / 4) return space;
  const start = wholeCharacter(text, Math.max(0, most - reach));
  const around = text.slice(start, most + reach);
  const character = characters.segment(around).containing(most - start);
  // marks that are piled up without end are no character that anybody could read
  const place = character === undefined || character.index === 0 ? most : start + character.index;
  return Math.max(wholeCharacter(text, place), 1);
}

function lastSpace(text: string, most: number): number {
  for (let at = most; at >= most / 4 && at > 0; at -= 1) if (/\s/.test(text.charAt(at))) return at;
  return -1;
}

function wholeCharacter(text: string, at: number): number {
  const isLowHalf = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isLowHalf && at > 1 ? at - 1 : at;
}
