// "undo" after these rules have changed the notes: what was done is read from the last answer.
import { call, type Exchange, type Intent, type Said, type Scene, type Step, say } from "../../intent.ts";
import { sayFailed } from "../../wording.ts";
import { fileSoFar, removeLines, stripNumbers } from "../file-lines.ts";
import { type Note, noteText, memoryPath as path, readNotes } from "../memory-notes.ts";
import { appendStep, readFurther } from "../writing-files.ts";
import { dayOf, listed } from "./remember.ts";

const takeBack = "Say “undo” to take that back.";

export function removedWords(note: string): string {
  return `Removed from your notes: “${note}”. ${takeBack}`;
}

export function replacedWords(fact: string, old: string): string {
  return `I will remember: ${fact}\nIt replaces “${old}”. ${takeBack}`;
}

/** What an answer says was noted. */
export function rememberedIn(answer: string): string | undefined {
  return /^I will remember: ([^\n]+)/.exec(answer)?.[1];
}

/** What an answer says is no longer noted. */
export function replacedIn(answer: string): string | undefined {
  return /^I will remember: .*\nIt replaces “(.*)”\. Say “undo”|^Removed from your notes: “(.*?)”\. Say “undo”/s
    .exec(answer)
    ?.slice(1)
    .find((text) => text !== undefined);
}

export const takingBack: readonly Intent[] = [
  {
    task: "Taking back",
    tools: ["read", "edit"],
    patterns: [
      /^(?:undo(?: (?:that|this|it))?|(?:take|bring|put) (?:that|it) back|(?:no,? )?i did(?:n['’]t| not) mean that|mach das rückgängig|rückgängig)[\s.!]*$/i,
    ],
    next: (_words, done, scene) => takeBackLast(done, scene),
  },
];

// a few questions may stand between a change and its undoing
const mostBetween = 4;

function takeBackLast(done: readonly Exchange[], scene: Scene): Step {
  const answer = lastChange(scene.earlier);
  const [, removed] = /^Removed from your notes: “(.*)”\. Say “undo”/s.exec(answer) ?? [];
  const [, fact, old] = /^I will remember: (.*)\nIt replaces “(.*)”\. Say “undo”/s.exec(answer) ?? [];
  if (removed !== undefined) return putBack(removed, done, scene);
  const noted = fact ?? rememberedIn(answer);
  if (noted === undefined)
    return say("I know of nothing to take back here. /undo takes back the last change to files.");
  return takeOut(noted, old, done, scene);
}

/** The last answer that told of a change of the notes; none where that was taken back, or something else was changed since. */
function lastChange(earlier: readonly Said[]): string {
  const spoken = earlier.filter((said) => said.by === "assistant").slice(-mostBetween);
  for (const said of spoken.toReversed()) {
    if (!said.isOwn) return "";
    if (/^(?:Removed from your notes: |I will remember: )/.test(said.text)) return said.text;
    if (/^(?:Taken back|It is back in your notes|I have |Done)/.test(said.text)) return "";
  }
  return "";
}

/** With the day it bore, where the lines that were read then still tell it. */
function putBack(text: string, done: readonly Exchange[], scene: Scene): Step {
  const note = noteBefore(text, scene.earlier) ?? `${dayOf(scene)}: ${text}`;
  return appendStep(path, done, (lines) => listed(lines, note)) ?? say(`It is back in your notes: “${text}”.`);
}

function takeOut(fact: string, old: string | undefined, done: readonly Exchange[], scene: Scene): Step {
  const edited = done.find(({ tool }) => tool === "edit");
  if (edited?.failed) return sayFailed(edited);
  if (edited) return say(old === undefined ? `Taken back: “${fact}”.` : `Taken back; your notes say again: “${old}”.`);
  const file = fileSoFar(done);
  if (file.kind === "unread" || file.kind === "partial" || file.kind === "failed") return readFurther(path, file);
  const lines = file.kind === "whole" ? file.lines : [];
  const note = readNotes(lines).findLast((each) => isOf(each, fact));
  if (!note) return say(`“${fact}” is no longer in ${path}, so there is nothing to take back.`);
  const before = old === undefined ? undefined : (noteBefore(old, scene.earlier) ?? `${dayOf(scene)}: ${old}`);
  return call("edit", {
    path,
    edits: [before === undefined ? removeLines(lines, note.from, note.to) : replaceNote(lines, note, before)],
  });
}

export function isOf(note: Note, text: string): boolean {
  // the note may say after its words where they come from
  return noteText(note) === text || noteText(note).startsWith(`${text} (from `);
}

/** The note as the last reading of the file has shown it. */
function noteBefore(text: string, earlier: readonly Said[]): string | undefined {
  const read = earlier.filter((said) => said.by === "tool" && said.tool === "read" && !said.failed);
  const notes = read.flatMap((said) => (said.by === "tool" ? readNotes(stripNumbers(said.output)) : []));
  return notes.findLast((note) => noteText(note) === text)?.text;
}

/** An edit that puts another note in the place of one. */
export function replaceNote(lines: readonly string[], note: Note, text: string) {
  const without = removeLines(lines, note.from, note.to);
  const stood = lines.slice(note.from, note.to + 1).join("\n");
  return { oldText: without.oldText, newText: without.oldText.replace(stood, () => `- ${text}`) };
}
