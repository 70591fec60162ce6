// Text from models, tools and files on its way to a terminal: nothing in it may move the cursor or pass for our own words.
import { stripVTControlCharacters } from "node:util";

// control characters but newline and tab; then the marks that turn reading order around
const controls = /[^\P{Cc}\n\t]/gu;
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const foreignLineBreaks = /[\u2028\u2029]/gu;

/** Works on pieces of a stream as well as on the whole: what comes out for a piece does not depend on its neighbours. */
export function visibleText(text: string): string {
  return text.replace(controls, "").replace(directionMarks, "").replace(foreignLineBreaks, "\n");
}

/** One line without colour codes, for names, arguments and the first words of an output. */
export function visibleLine(text: string, maxLength = 500): string {
  // cut before cleaning, so that a huge output costs no more than what is shown of it
  const line = visibleText(stripVTControlCharacters(text.slice(0, maxLength * 4)))
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : line;
}
