// Words to remember come in, one line of a note goes out: with its day, and with where the words come from if nobody vouches for them.
import { visibleLine } from "../../contract/words/visible-line.ts";

export const mostCharacters = 1_000;
const mostSources = 4;
const longestSource = 60;

const before = /^(?:[-*+]\s+)?(?:\d{4}-\d{2}-\d{2}:?\s+)?/;
const source = /\s*\(from [^()]{1,300}\)\s*$/;

/** `- 2026-11-15: text (from web:example.org)` */
export function noteLine({ text, day, labels }: { text: string; day: string; labels: readonly string[] }): string {
  const from = labels.length === 0 ? "" : ` (from ${sourcesOf(labels)})`;
  return `- ${day}: ${plainText(text)}${from}`;
}

/** The line of the note that says the same already. */
export function findKnown(note: string, text: string): string | undefined {
  const wanted = sameWords(text);
  return note.split("\n").find((line) => wanted !== "" && sameWords(line.replace(source, "")) === wanted);
}

export function withLine(note: string, line: string): string {
  return `${note === "" || note.endsWith("\n") ? note : `${note}\n`}${line}\n`;
}

/** One line, however it was written: nothing in it can pass for a line of its own. */
function plainText(text: string): string {
  return visibleLine(text, mostCharacters).replace(before, "");
}

function sameWords(line: string): string {
  return plainText(line.trim())
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[.!\s]+$/u, "");
}

/** Names of files may hold anything, and in these signs a note's reader sees where a source ends. */
function sourcesOf(labels: readonly string[]): string {
  const plain = labels.map((label) =>
    visibleLine(label.replace(/[(),]/g, " "), longestSource).replaceAll(" and ", " "),
  );
  const more = plain.length > mostSources ? [`${plain.length - mostSources} more`] : [];
  return [...plain.slice(0, mostSources), ...more].join(", ");
}
