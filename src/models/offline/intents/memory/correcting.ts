// A newer fact takes the place of the one note that says the same of another day, number or name.
import { type Exchange, type Intent, type Said, type Scene, type Step, say } from "../../intent.ts";
import { unquote } from "../../wording.ts";
import { fileSoFar } from "../file-lines.ts";
import { type Note, noteText, memoryPath as path, readNotes } from "../memory-notes.ts";
import { isTelling } from "../recall/read-question.ts";
import { saysSame, wordsIn } from "../recall/same-word.ts";
import { readFurther } from "../writing-files.ts";
import { replace } from "./noting.ts";
import { readStatement } from "./read-statement.ts";
import { isTimeAlone, readTold, rivalryOf, withTime, wordsOf } from "./read-value.ts";
import { remember } from "./remember.ts";
import { isOf, rememberedIn } from "./taking-back.ts";

const things =
  "(?:the|my|our|die|der|das|den|mein\\p{L}{0,2}|unser\\p{L}{0,2}|\\p{L}{2,30}['’]s|(?-i:\\p{Lu}\\p{Ll}{1,30})s)";
const remembering = "(?:(?:please )?(?:remember|note|keep in mind)(?: that|:)? +)?";

export const correcting: readonly Intent[] = [
  {
    task: "Correcting",
    tools: ["read", "edit"],
    patterns: [
      new RegExp(
        `^(?:no,? |nein,? )?(?<fact>(?<thing>${things} .{2,80}?) (?:was|were|is|are|has been|have been|got|wurde|ist) (?:moved|changed|postponed|rescheduled|put off|put back|brought forward|shifted|verschoben|verlegt|geändert)(?: (?:to|until|till|auf))? (?<value>\\S.{0,80}))$`,
        "iu",
      ),
      new RegExp(
        `^(?<fact>(?<thing>${things} .{2,80}?) wurde (?:auf )?(?<value>\\S.{0,80}?) (?:verschoben|verlegt))[\\s.!]*$`,
        "iu",
      ),
      new RegExp(
        `^(?:change|update|correct|set|ändere) (?<thing>${things} .{2,60}?) (?:to|into|auf|zu|in) (?<value>\\S.{0,100})$`,
        "iu",
      ),
    ],
    next: ({ thing = "", value = "", fact }, done, scene) => {
      const isMeant = scene.tools.has("remember") && !scene.isUnattended && !/\?\s*$/.test(value);
      return isMeant ? changeThing(thing, unquote(value).replace(/[\s.!]{1,9}$/, ""), fact, done, scene) : undefined;
    },
  },
  {
    task: "Correcting",
    tools: ["read", "edit", "remember"],
    patterns: [
      /^(?:actually|correction|(?:please )?correct (?:that|this|it)|i was wrong|eigentlich|korrektur)\s*[,:;–-]?\s*(?:remember that |that )?(?<fact>\S.*)$/i,
      /^(?<weak>no|nope|nein|wrong|sorry)\s*[,:;–-]\s*(?<fact>\S.*)$/i,
      new RegExp(
        `^(?<weak>)${remembering}(?<fact>(?:the |my |our |(?-i:\\p{Lu})).{1,120}? (?:is|are|lives?|works?|goes|go) (?:\\S+ ){0,6}?now\\b.*)$`,
        "iu",
      ),
      new RegExp(`^(?<weak>)${remembering}(?<fact>(?:the |my |our |(?-i:\\p{Lu})).{1,200}? now)[\\s.!]*$`, "iu"),
    ],
    next: (words, done, scene) => {
      const fact = unquote(words.fact ?? "").replace(/[\s.!]{1,9}$/, "");
      const isStatement = scene.tools.has("remember") && !scene.isUnattended && !isOrder.test(words.fact ?? "");
      return isStatement && fact !== "" ? correct(fact, words.weak !== undefined, done, scene) : undefined;
    },
  },
];

const isOrder =
  /\?\s*$|^(?:what|which|whose|when|where|who|how|why|run|read|list|fetch|show|delete|remove|stop|start|tell|open|write|search|find|look|give|make|create|call|send|play|turn|wait|help|remind|schedule|cancel|undo|put|move|copy|rename|check|try|let|use|add|get|lies|zeig|lösche|starte|stopp|suche|finde|gib|mach|schick|öffne|wer|wie|wo|wann|was|is|are|do|does|did|can|could|will|would|please|thanks?|i (?:don['’]t|do not) (?:think|know|want)|forget|never ?mind)\b/i;

/** `isWeak`: it may be an answer to anything, and is only taken for a correction where there is something to correct. */
function correct(fact: string, isWeak: boolean, done: readonly Exchange[], scene: Scene): Step | undefined {
  const last = lastNoted(scene.earlier);
  const bare = fact.replace(/^(?:it['’]?s|it is|they['’]re|they are|es ist|that['’]?s) /i, "");
  const mended = last === undefined || subjectOf(bare) !== undefined ? undefined : withValue(last, bare);
  const isPart = mended !== undefined && (isTimeAlone(bare) || isNameAlone.test(bare));
  if (isWeak && !isPart && isTimeAlone(bare)) return undefined;
  const file = fileSoFar(done);
  if (file.kind === "unread" || file.kind === "partial") return readFurther(path, file);
  const lines = file.kind === "whole" ? file.lines : [];
  const notes = readNotes(lines);
  const noted = isPart ? notes.findLast((note) => isOf(note, last ?? "")) : undefined;
  if (noted) return replace(noted, mended ?? fact, lines, done, scene);
  const same = notes.filter((note) => isAboutSame(noteText(note), fact) || rivalryOf(noteText(note), fact));
  const [only] = same;
  if (!only) return isWeak && !readStatement(fact)?.isOwn ? undefined : remember(fact, done);
  return same.length > 1 ? sayWhich(same) : replace(only, fact, lines, done, scene);
}

const isNameAlone = /^(?:(?:Dr|Mrs?|Ms|Herr|Frau)\.? )?\p{Lu}[\p{L}.-]{1,30}(?: \p{Lu}[\p{L}.-]{1,30}){0,3}$/u;

/** What was noted with the last answer. */
function lastNoted(earlier: readonly Said[]): string | undefined {
  const last = earlier.findLast((said) => said.by === "assistant");
  return last?.by === "assistant" && last.isOwn ? rememberedIn(last.text) : undefined;
}

/** The note with another value: a day for a day, a name for a name. */
function withValue(note: string, value: string): string | undefined {
  if (isTimeAlone(value)) return withTime(note, value);
  const told = readTold(note);
  if (!told || told.kind === "time") return undefined;
  return `${note.slice(0, note.length - told.rest.length)}${value}`;
}

/** `fact`: the whole as it was stated; without it, something was ordered that may mean no note at all. */
function changeThing(thing: string, value: string, fact: string | undefined, done: readonly Exchange[], scene: Scene) {
  const file = fileSoFar(done);
  if (file.kind === "unread" || file.kind === "partial") return readFurther(path, file);
  const lines = file.kind === "whole" ? file.lines : [];
  const wanted = wordsOf(thing);
  const notes = readNotes(lines).filter((note) => {
    const words = wordsIn(noteText(note));
    return wanted.length > 0 && wanted.every((word) => words.some((each) => saysSame(word, each)));
  });
  const fitting = notes.filter((note) => withValue(noteText(note), value) !== undefined);
  const [only] = fitting;
  if (!only) return fact === undefined ? undefined : remember(fact, done);
  if (fitting.length > 1) return sayWhich(fitting);
  return replace(only, withValue(noteText(only), value) ?? value, lines, done, scene);
}

function sayWhich(notes: readonly Note[]): Step {
  const shown = notes.slice(0, 3).map((note) => `“${noteText(note)}”`);
  return say(
    `Several notes fit: ${shown.join(", ")}. Say “forget …” with the words of the one that is wrong, then tell me anew.`,
  );
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
