// What the assistant is told when it looks through the notes, and which of them it is shown.
import { fenced } from "../../../contract/channel/fenced-data.ts";
import type { NoteFile } from "./note-files.ts";

/** The same in every look, so that a provider's cache holds. */
export const tidyRules = `# This is the nightly look through the notes
Nobody sits before the screen, and nobody reads what you answer. You change nothing: what should change you propose with propose_notes, once for each file, and your owner decides.`;

export const tidyPrompt = `Look through the notes below for three things only: facts that stand there twice, facts that contradict each other, and facts that are out of date.
For each file in which you find some, call propose_notes once with all its edits: merge what stands there twice, keep the newer of two that contradict each other, take out what is over. Change no other word, add nothing that does not stand there, and keep dates and “(from …)” at the end of lines as they are.
If there is nothing of that kind, propose nothing. Then answer exactly DONE.`;

// at about four characters a token it stays far below what any model takes
const mostCharacters = 60_000;

export type Shown = { data: string; shown: readonly NoteFile[] };

export function notesData(
  files: readonly NoteFile[],
  refused: readonly string[],
  redact: (text: string) => string,
): Shown {
  const shown: NoteFile[] = [];
  let characters = 0;
  for (const file of files) {
    characters += file.text.length;
    if (characters <= mostCharacters) shown.push(file);
  }
  const left = files.length - shown.length;
  const parts = [
    ...shown.map(({ path, text }) => fenced(`The note ${path}.`, redact(text))),
    ...(left === 0 ? [] : [`${left} more are too long for one look and are left out.`]),
    ...(refused.length === 0
      ? []
      : [fenced("To these proposals your owner has said no. Do not make them again.", redact(refused.join("\n\n")))]),
  ];
  return { data: parts.join("\n\n"), shown };
}
