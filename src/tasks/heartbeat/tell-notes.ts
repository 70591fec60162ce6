// Notes in, the words of one beat out: some word for word, the rest by their number and first words. None is left out.

import { fenced } from "../../contract/channel/fenced-data.ts";
import { count } from "../../contract/words/amounts.ts";
import type { NoteKind } from "../../store/tasks/heartbeat-notes.ts";

/** `labels`: whose words are in it; none: the owner's own. */
export type Note = { kind: NoteKind; text: string; labels: readonly string[] };

export const mostWhole = 20;
/** Of further ones the first words are told, of all beyond these only how many there are. */
export const mostShortened = 30;
const longestNote = 1_500;
const longestStart = 80;

/** `counts`: of all that wait, also those whose words were not looked at. */
export function tellNotes(notes: readonly Note[], counts: Readonly<Record<NoteKind, number>>): string {
  const told = notes.slice(0, mostWhole);
  const own = told.filter(isOwn).map(({ text }) => `- ${shorten(text, longestNote)}`);
  const others = told.filter((note) => !isOwn(note)).map(({ text }) => shorten(text, longestNote));
  return [
    ...(own.length === 0 ? [] : [`Your owner has noted:\n${own.join("\n")}`]),
    ...(others.length === 0 ? [] : [fenced("This has happened.", others.join("\n\n"))]),
    ...restWords(notes, counts),
  ].join("\n\n");
}

function restWords(notes: readonly Note[], counts: Readonly<Record<NoteKind, number>>): readonly string[] {
  const [told, rest] = [notes.slice(0, mostWhole), notes.slice(mostWhole, mostWhole + mostShortened)];
  const numbers = kinds
    .map((kind) => ({ kind, left: counts[kind] - told.filter((note) => note.kind === kind).length }))
    .filter(({ left }) => left > 0)
    .map(({ kind, left }) => count(left, namesOf[kind]));
  if (numbers.length === 0) return [];
  const starts = rest.map(({ kind, text }) => `${namesOf[kind]}: ${shorten(text.replace(/\s+/g, " "), longestStart)}`);
  return [fenced(`And ${numbers.join(", ")} more; of these only the first words:`, starts.join("\n"))];
}

const kinds: readonly NoteKind[] = ["command", "task", "note"];
const namesOf = { command: "command", task: "task", note: "note" } satisfies Record<NoteKind, string>;

function isOwn({ kind, labels }: Note): boolean {
  return kind === "note" && labels.length === 0;
}

function shorten(text: string, longest: number): string {
  const words = text.trim();
  return words.length > longest ? `${words.slice(0, longest - 1)}…`.toWellFormed() : words;
}
