// A newer fact takes the place of the one note that says the same of another day, number or name.
import { call, type Exchange, type Intent, type Scene, type Step, say } from "../../intent.ts";
import { sayFailed, unquote } from "../../wording.ts";
import { fileSoFar } from "../file-lines.ts";
import { type Note, noteText, memoryPath as path, readNotes } from "../memory-notes.ts";
import { isTelling } from "../recall/read-question.ts";
import { saysSame, wordsIn } from "../recall/same-word.ts";
import { readFurther } from "../writing-files.ts";
import { dayOf, remember } from "./remembering.ts";
import { replacedWords, replaceNote } from "./taking-back.ts";

const remembering = "(?:(?:please )?(?:remember|note|keep in mind)(?: that|:)? +)?";

export const correcting: readonly Intent[] = [
  {
    task: "Correcting",
    tools: ["read", "edit", "remember"],
    patterns: [
      /^(?:actually|correction|(?:please )?correct (?:that|this|it)|i was wrong|sorry|eigentlich|korrektur)\s*[,:;–-]?\s*(?:remember that |that )?(?<fact>\S.*)$/i,
      /^(?<weak>no|nope|nein|wrong)\s*[,:;–-]\s*(?<fact>\S.*)$/i,
      new RegExp(
        `^${remembering}(?<fact>(?:the |my |our |\\p{Lu}).{1,120}? (?:is|are|lives?|works?|goes|go) (?:\\S+ ){0,6}?now\\b.*)$`,
        "iu",
      ),
      new RegExp(`^${remembering}(?<fact>(?:the |my |our |\\p{Lu}).{1,200}? now)[\\s.!]*$`, "iu"),
    ],
    next: (words, done, scene) => {
      const fact = unquote(words.fact ?? "").replace(/[\s.!]{1,9}$/, "");
      const isStatement = scene.tools.has("remember") && !scene.isUnattended && !isQuestion.test(words.fact ?? "");
      return isStatement && fact !== "" ? correct(fact, words.weak !== undefined, done, scene) : undefined;
    },
  },
];

const isQuestion =
  /\?\s*$|^(?:what|when|where|who|how|why|is|are|do|does|did|can|could|will|would|please|thanks?|i (?:don['’]t|do not) (?:think|know|want)|forget|never ?mind)\b/i;

/** `isWeak`: it may be an answer to anything, and is only taken for a correction where there is something to correct. */
function correct(fact: string, isWeak: boolean, done: readonly Exchange[], scene: Scene): Step | undefined {
  const file = fileSoFar(done);
  if (file.kind === "unread" || file.kind === "partial") return readFurther(path, file);
  const lines = file.kind === "whole" ? file.lines : [];
  const same = readNotes(lines).filter((note) => isAboutSame(noteText(note), fact));
  const [only] = same;
  if (!only || same.length > 1) return isWeak && !only ? undefined : remember(fact, done);
  return replace(only, fact, lines, done, scene);
}

function replace(note: Note, fact: string, lines: readonly string[], done: readonly Exchange[], scene: Scene): Step {
  const old = noteText(note);
  if (old.toLowerCase() === fact.toLowerCase()) return say(`I know that already: ${fact}`);
  const edited = done.find(({ tool }) => tool === "edit");
  if (edited) return edited.failed ? sayFailed(edited) : say(replacedWords(fact, old));
  return call("edit", { path, edits: [replaceNote(lines, note, `${dayOf(scene)}: ${fact}`)] });
}

const verb =
  /\s(?:is|are|was|were|has|have|costs?|lives?|works?|goes|go|leaves?|starts?|ends?|expires?|ist|sind|hat|heißt|wohnt)\s/i;

/** "my dentist is Dr. Weiss" and "my dentist is now Dr. Schwarz": what stands before the verb is the same thing. */
function isAboutSame(old: string, fact: string): boolean {
  const [before, after] = [subjectOf(old), subjectOf(fact)];
  if (before === undefined || after === undefined || before.verb !== after.verb) return false;
  const has = (words: readonly string[], word: string) => words.some((each) => saysSame(each, word));
  const isSubject =
    after.words.every((word) => has(before.words, word)) || before.words.every((word) => has(after.words, word));
  // of somebody many things may be said; of their birthday one
  const isSomebody = after.words.length === 1 && /^\p{Lu}\p{Ll}+$/u.test(after.text);
  if (!isSubject || !isSomebody) return isSubject;
  const [all, known] = [tellingIn(fact), tellingIn(old)];
  return all.filter((word) => has(known, word)).length * 2 > all.length;
}

function subjectOf(text: string): { text: string; words: readonly string[]; verb: string } | undefined {
  const found = verb.exec(text);
  const subject = found && text.slice(0, found.index).trim();
  const words = tellingIn(subject ?? "");
  if (!found || subject === null || words.length === 0) return undefined;
  const said = found[0].trim().toLowerCase();
  return { text: subject, words, verb: said === "goes" ? "go" : said.replace(/(?<=\w{3})s$/, "") };
}

function tellingIn(text: string): readonly string[] {
  return wordsIn(text).filter(isTelling);
}
