// A fact goes into the notes; a note that said otherwise of the same thing gives way to it, or is named beside it.
import { call, type Exchange, type Scene, type Step, say } from "../../intent.ts";
import { sayFailed } from "../../wording.ts";
import { fileSoFar } from "../file-lines.ts";
import { type Note, noteText, memoryPath as path, readNotes } from "../memory-notes.ts";
import { readFurther } from "../writing-files.ts";
import { readTold, rivalryOf } from "./read-value.ts";
import { dayOf, remember } from "./remember.ts";
import { replacedWords, replaceNote } from "./taking-back.ts";

// the tool for it looks for secrets, an edit of the file does not
const isSecret = /\b(?:passwords?|passwort|passphrase|pin|token|secret|api key)\b/i;

export function noteFact(fact: string, done: readonly Exchange[], scene: Scene): Step | undefined {
  const canCompare = scene.tools.has("read") && scene.tools.has("edit") && !isSecret.test(fact);
  if (!canCompare || !readTold(fact)) return remember(fact, done);
  const file = fileSoFar(done);
  if (file.kind === "unread" || file.kind === "partial") return readFurther(path, file);
  const lines = file.kind === "whole" ? file.lines : [];
  const rivals = readNotes(lines).flatMap((note) => {
    const rivalry = rivalryOf(noteText(note), fact);
    return rivalry === undefined ? [] : [{ note, rivalry }];
  });
  const [only] = rivals;
  if (only?.rivalry === "replaces" && rivals.length === 1) return replace(only.note, fact, lines, done, scene);
  return remember(fact, done, alsoWords(rivals.map(({ note }) => noteText(note))));
}

/** In one line, which other notes speak of the same thing. */
function alsoWords(notes: readonly string[]): string {
  if (notes.length === 0) return "";
  const shown = notes.slice(0, 3).map((text) => `“${text}”`);
  return `\nYour notes also say ${shown.join(" and ")}; say “forget …” with its words if that is no longer true.`;
}

export function replace(
  note: Note,
  fact: string,
  lines: readonly string[],
  done: readonly Exchange[],
  scene: Scene,
): Step {
  const old = noteText(note);
  if (old.toLowerCase() === fact.toLowerCase()) return say(`I know that already: ${fact}`);
  const edited = done.find(({ tool }) => tool === "edit");
  if (edited) return edited.failed ? sayFailed(edited) : say(replacedWords(fact, old));
  return call("edit", { path, edits: [replaceNote(lines, note, `${dayOf(scene)}: ${fact}`)] });
}
