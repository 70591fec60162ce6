// colours and other commands to a terminal, which mean nothing anywhere else
const sequences = new RegExp(
  `${String.fromCharCode(27)}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][-\\w/#&.:;=?%@~+]*(?:${String.fromCharCode(7)}|${String.fromCharCode(27)}\\\\))`,
  "g",
);
// control characters, and the marks that turn reading order around and could make a name look like another
const unseen = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]+/gu;

/** One line of what a model, a tool or a stranger wrote, for places where a line must not pass for our own words. */
export function visibleLine(text: string, mostCharacters = 300): string {
  // cut before cleaning, so that a huge text costs no more than what is shown of it
  const line = text
    .slice(0, mostCharacters * 4)
    .replace(sequences, "")
    .replace(unseen, " ")
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  return characters.length > mostCharacters ? `${characters.slice(0, mostCharacters - 1).join("")}…` : line;
}
