import type { Unit } from "./unit.ts";

const mostCharacters = 1_600;

/** What is too long to be one thing is cut where a line, a sentence or at least a word ends. */
export function splitLong(unit: Unit): readonly Unit[] {
  if (unit.text.length <= mostCharacters) return [unit];
  const pieces: Unit[] = [];
  // a message is one place, however many lines it has
  const isFile = unit.to > unit.from;
  let rest = unit.text;
  let line = unit.from;
  while (rest !== "") {
    const piece = rest.length <= mostCharacters ? rest : rest.slice(0, placeToCut(rest));
    rest = rest.slice(piece.length);
    const text = piece.trim();
    const first = line + (isFile ? breaksIn(piece.slice(0, piece.length - piece.trimStart().length)) : 0);
    if (text !== "") pieces.push({ ...unit, text, from: first, to: first + (isFile ? breaksIn(text) : 0) });
    if (isFile) line += breaksIn(piece);
  }
  return pieces;
}

function breaksIn(text: string): number {
  return text.split("\n").length - 1;
}

function placeToCut(text: string): number {
  const head = text.slice(0, mostCharacters);
  for (const end of [/\n(?=[^\n]*$)/, /[.!?。！？]\s?(?=[^.!?。！？]*$)/, /\s(?=\S*$)/]) {
    const found = end.exec(head);
    if (found && found.index > mostCharacters / 2) return found.index + found[0].length;
  }
  // a pair of surrogates cut in two would be no character any more
  return /[\uD800-\uDBFF]$/.test(head) ? mostCharacters - 1 : mostCharacters;
}
