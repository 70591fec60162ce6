// What was lent is back: the note of it is named, to be forgotten if the person says so.
import type { Exchange, Intent, Step } from "../../intent.ts";
import { say } from "../../intent.ts";
import { fileSoFar } from "../file-lines.ts";
import { noteText, memoryPath as path, readNotes } from "../memory-notes.ts";
import { saysSame, wordsIn } from "../recall/same-word.ts";
import { readFurther } from "../writing-files.ts";
import { wordsOf } from "./read-value.ts";

export const givingBack: readonly Intent[] = [
  {
    task: "Correcting",
    tools: ["read"],
    patterns: [
      /^\S.{0,40}? (?:gave|brought|has given|has brought|sent|got|have) (?:(?:me|us) )?(?<thing>\S.{1,80}?) back(?: (?:to|from) .{1,40})?[\s.!]{0,9}$/i,
      /^\S.{0,40}? (?:returned|has returned|have returned) (?<thing>\S.{1,80}?)(?: (?:to|from) .{1,40})?[\s.!]{0,9}$/i,
      /^(?<thing>(?:the|my|our) \S.{0,60}?) (?:is|are|came) back(?: from .{1,40})?[\s.!]{0,9}$/i,
      /^\S.{0,40}? (?:hat|haben|habe) (?<thing>\S.{1,80}?) zurück(?:gegeben|gebracht|bekommen)?[\s.!]{0,9}$/i,
    ],
    next: ({ thing = "" }, done, scene) => (scene.isUnattended ? undefined : nameLent(thing, done)),
  },
];

const lent =
  /\b(?:lent|lend|loaned|borrowed|borrows|(?:aus)?geliehen|verliehen|(?:has|have|hat) (?:my|our|mein\p{L}{0,2}|unser\p{L}{0,2}))\b/iu;

function nameLent(thing: string, done: readonly Exchange[]): Step | undefined {
  const file = fileSoFar(done);
  if (file.kind === "unread" || file.kind === "partial") return readFurther(path, file);
  const wanted = wordsOf(thing);
  const notes = readNotes(file.kind === "whole" ? file.lines : []).filter((note) => {
    const words = wordsIn(noteText(note));
    return lent.test(noteText(note)) && wanted.every((word) => words.some((each) => saysSame(word, each)));
  });
  const [first] = notes;
  if (!first || wanted.length === 0) return undefined;
  const quoted = notes.map((note) => `“${noteText(note)}”`).join(" and ");
  return say(`Your notes say ${quoted}. If that is over, say “forget ${noteText(first)}”.`);
}
