// Words to remember come in, one line of a note goes out: with its day, and with where the words come from if nobody vouches for them.
import { sourceWords } from "../../contract/memory/source-words.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";

export const mostCharacters = 1_000;

const before = /^(?:[-*+]\s+)?(?:\d{4}-\d{2}-\d{2}:?\s+)?/;
const source = /\(from [^()]{1,300}\)$/;
// what may stand at the end of a line is looked for there, however long the line is
const longestEnd = 400;

/** `- 2026-11-15: text (from web:example.org)` */
export function noteLine({ text, day, labels }: { text: string; day: string; labels: readonly string[] }): string {
  const from = labels.length === 0 ? "" : ` ${sourceWords(labels)}`;
  return `- ${day}: ${plainText(text)}${from}`;
}

/** The line of the note that says the same already. */
export function findKnown(note: string, text: string): string | undefined {
  const wanted = sameWords(text);
  return note.split("\n").find((line) => wanted !== "" && sameWords(withoutSource(line)) === wanted);
}

export function withLine(note: string, line: string): string {
  return `${note === "" || note.endsWith("\n") ? note : `${note}\n`}${line}\n`;
}

/** One line, however it was written: nothing in it can pass for a line of its own. */
function plainText(text: string): string {
  return visibleLine(text, mostCharacters).replace(before, "");
}

function withoutSource(line: string): string {
  const whole = line.trimEnd();
  const end = whole.slice(-longestEnd);
  return `${whole.slice(0, -end.length)}${end.replace(source, "")}`;
}

function sameWords(line: string): string {
  const words = plainText(line.trim()).normalize("NFKC").toLowerCase();
  const end = words.slice(-longestEnd);
  return `${words.slice(0, -end.length)}${end.replace(/[.!\s]+$/u, "")}`;
}
