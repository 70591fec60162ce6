import { call, type Exchange, type Intent, type Scene, type Step, say, type Words } from "../intent.ts";
import { bullets, tell, unquote } from "../wording.ts";
import { fileSoFar, removeLines } from "./file-lines.ts";
import { noteText, memoryPath as path, readNotes, wholeMatches } from "./memory-notes.ts";
import { appendStep, readFurther } from "./writing-files.ts";

const remembering =
  /^(?:remember|note|keep in mind|don['’]?t forget|do not forget|make a note|take a note|memori[sz]e)(?:\s+(?:that|this|of|down|the following))*(?:\s*[:,]\s*|\s+)(?<fact>\S.*)$/is;

export const memory: readonly Intent[] = [
  {
    task: "Remembering",
    tools: ["remember"],
    patterns: [remembering],
    next: (words, done, scene) => (scene.tools.has("remember") ? remember(factIn(words), done) : undefined),
  },
  {
    task: "Remembering",
    tools: ["read", "edit", "write"],
    example: "remember that the bins go out on Tuesday",
    patterns: [remembering],
    next: (words, done, scene) => {
      const fact = factIn(words)?.replace(/\s*\n\s*/g, "\n  ");
      if (fact === undefined) return undefined;
      const file = fileSoFar(done);
      if (file.kind === "whole" && done.at(-1)?.tool === "read" && isKnown(file.lines, fact))
        return say(`I know that already: ${fact}`);
      return appendStep(path, done, (lines) => noteLine(lines, fact, scene)) ?? say(`I will remember: ${fact}`);
    },
  },
  {
    task: "Forgetting",
    tools: ["forget"],
    patterns: [
      /^(?:forget|unlearn|delete|erase|remove)\s+(?:everything|all|anything|whatever|every\s?thing)(?:\s+(?:that\s+)?(?:you\s+(?:know|remember|have(?:\s+noted)?|noted)|i\s+(?:said|told\s+you|wrote)|there\s+is|was\s+said))?\s+(?:about|on|of)\s+(?<about>\S.*?)[\s.?!]*$/i,
    ],
    next: (words, done, scene) => (scene.tools.has("forget") ? forgetAll(unquote(words.about ?? ""), done) : undefined),
  },
  {
    task: "Forgetting",
    tools: ["read", "edit"],
    example: "forget the bins",
    patterns: [
      /^(?:forget|unlearn)(?:\s+(?:that|about|what i (?:said|told you) about))*\s*:?\s+(?<fact>\S.*?)[\s.?!]*$/i,
    ],
    next: (words, done, scene) => forget(unquote(words.fact ?? ""), done, scene),
  },
];

function factIn(words: Words): string | undefined {
  const fact = unquote(words.fact ?? "");
  return fact === "" || fact.endsWith("?") ? undefined : fact;
}

function remember(fact: string | undefined, done: readonly Exchange[]): Step | undefined {
  if (fact === undefined) return undefined;
  const kept = done.find((exchange) => exchange.tool === "remember");
  if (!kept) return call("remember", { text: fact });
  // otherwise the tool says why it has written nothing
  return tell(kept, (output) => (output.startsWith("Written down") ? `I will remember: ${fact}` : output));
}

function noteLine(lines: readonly string[], fact: string, scene: Scene): string {
  // the Swedish way of writing a date is the one that sorts
  const day = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: scene.timeZone }).format(scene.nowMs);
  const last = lines.findLast((line) => line.trim() !== "") ?? "";
  // a list that follows plain text needs a blank line before it
  const gap = last === "" || /^(?:[-*] | {2})/.test(last) ? "" : "\n";
  const heading = lines.length === 0 ? "# Memory\n\n" : "";
  return `${heading}${gap}- ${day}: ${fact}`;
}

function isKnown(lines: readonly string[], fact: string): boolean {
  return readNotes(lines).some((note) => noteText(note).toLowerCase() === fact.toLowerCase());
}

function forget(fact: string, done: readonly Exchange[], scene: Scene): Step {
  if (isEverything.test(fact))
    return say(
      "I forget one matter at a time. Say “forget everything about …” and name it; your notes are in MEMORY.md.",
    );
  const edited = done.find((exchange) => exchange.tool === "edit");
  if (edited) return tell(edited, () => `I have forgotten: ${fact}`);
  const file = fileSoFar(done);
  if (file.kind !== "whole" && file.kind !== "missing") return readFurther(path, file);
  const lines = file.kind === "whole" ? file.lines : [];
  const notes = wholeMatches(readNotes(lines), fact);
  const [only] = notes;
  if (only && notes.length === 1) return call("edit", { path, edits: [removeLines(lines, only.from, only.to)] });
  const canForget = scene.tools.has("forget");
  if (!only) return canForget ? forgetAll(fact, done) : sayUnknown(fact);
  const further = canForget ? `\n\nOr say “forget everything about ${fact}”.` : "";
  return say(
    `Several notes fit; say more of the one you mean:\n${bullets(notes.map((note) => noteText(note)))}${further}`,
  );
}

const isEverything = /^(?:everything|all|all of it|anything|me|us|about me)$/i;
const mostAbout = 200;

/** From all notes and conversations: the tool shows what would go, and asks. */
function forgetAll(about: string, done: readonly Exchange[]): Step {
  const forgotten = done.find((exchange) => exchange.tool === "forget");
  return forgotten ? tell(forgotten, (output) => output) : call("forget", { about: about.slice(0, mostAbout) });
}

function sayUnknown(fact: string): Step {
  return say(`I find nothing about “${fact}” in ${path}. Say “remember that …” to tell me.`);
}
