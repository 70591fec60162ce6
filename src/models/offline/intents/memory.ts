import { call, type Exchange, type Intent, type Scene, type Step, say } from "../intent.ts";
import { bullets, fenced, tell, unquote } from "../wording.ts";
import { type FileSoFar, fileSoFar, removeLines } from "./file-lines.ts";
import { bestMatches, noteText, readNotes } from "./memory-notes.ts";
import { appendStep, readFurther } from "./writing-files.ts";

const path = "MEMORY.md";

export const memory: readonly Intent[] = [
  {
    task: "Remembering",
    tools: ["read", "edit", "write"],
    example: "remember that the bins go out on Tuesday",
    patterns: [
      /^(?:remember|note|keep in mind|don['’]?t forget|do not forget|make a note|take a note|memori[sz]e)(?:\s+(?:that|this|of|down|the following))*(?:\s*[:,]\s*|\s+)(?<fact>\S.*)$/is,
    ],
    next: (words, done, scene) => {
      const fact = unquote(words.fact ?? "").replace(/\s*\n\s*/g, "\n  ");
      if (fact === "" || fact.endsWith("?")) return undefined;
      const file = fileSoFar(done);
      if (file.kind === "whole" && done.at(-1)?.tool === "read" && isKnown(file.lines, fact))
        return say(`I know that already: ${fact}`);
      return appendStep(path, done, (lines) => noteLine(lines, fact, scene)) ?? say(`I will remember: ${fact}`);
    },
  },
  {
    task: "Forgetting",
    tools: ["read", "edit"],
    example: "forget the bins",
    patterns: [
      /^(?:forget|unlearn)(?:\s+(?:that|about|what i (?:said|told you) about))*\s*:?\s+(?<fact>\S.*?)[\s.?!]*$/i,
    ],
    next: (words, done) => forget(unquote(words.fact ?? ""), done),
  },
  {
    task: "Recalling",
    tools: ["read"],
    example: "what do you know about the bins?",
    patterns: [
      /^(?:tell me )?what (?:do|did) (?:you|we|i) (?:know|remember|recall|tell you|note|say)(?: (?:about|of|on))?(?<query>(?: .+?)?)[\s.?!]*$/i,
      /^(?:recall|(?:search|look in|look through)(?: in)?(?: your| my| the)? (?:memory|memories|notes)(?: for| about)?)\s*:?\s+(?<query>\S.*?)[\s.?!]*$/i,
      /^do you (?:remember|recall|know)(?: (?:about|that|what|who|when|where|anything))*\s+(?<query>\S.*?)[\s.?!]*$/i,
      /^(?:what|who|when|where)(?:'s|’s| is| are| was)\s+(?<query>my .+?)[\s.?!]*$/i,
      /^(?:show|read|open|list)(?: me)? (?:my|your|the) (?:memory|memories|notes)(?<query>)[\s.?!]*$/i,
    ],
    next: (words, done, scene) => recall(unquote(words.query ?? ""), done, scene),
  },
];

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

function forget(fact: string, done: readonly Exchange[]): Step {
  const edited = done.find((exchange) => exchange.tool === "edit");
  if (edited) return tell(edited, () => `I have forgotten: ${fact}`);
  const file = fileSoFar(done);
  if (file.kind !== "whole") return readOn(file, fact);
  const notes = bestMatches(readNotes(file.lines), fact);
  const [only] = notes;
  if (!only) return sayUnknown(fact);
  if (notes.length > 1)
    return say(`Several notes fit; say more of the one you mean:\n${bullets(notes.map((note) => noteText(note)))}`);
  return call("edit", { path, edits: [removeLines(file.lines, only.from, only.to)] });
}

function recall(query: string, done: readonly Exchange[], scene: Scene): Step {
  const isAll = /^(?:|me|us|about me|everything|all)$/i.test(query);
  const found = done.find((exchange) => exchange.tool === "memory_search");
  if (found) return tell(found, (output) => `This is what I found about “${query}”:\n${fenced(output)}`);
  if (!isAll && scene.tools.has("memory_search")) return call("memory_search", { query });
  const file = fileSoFar(done);
  if (file.kind !== "whole") return readOn(file, query);
  const notes = readNotes(file.lines);
  const matches = isAll ? notes : bestMatches(notes, query);
  if (matches.length === 0) return isAll ? sayNothing() : sayUnknown(query);
  return say(`${isAll ? "I remember" : `About “${query}” I remember`}:\n${bullets(matches.map((note) => note.text))}`);
}

function readOn(file: Exclude<FileSoFar, { kind: "whole" }>, query: string): Step {
  if (file.kind !== "missing") return readFurther(path, file);
  return query === "" ? sayNothing() : sayUnknown(query);
}

function sayNothing(): Step {
  return say(`There are no notes in ${path} yet. Say “remember that …” to make one.`);
}

function sayUnknown(query: string): Step {
  return say(`I find nothing about “${query}” in ${path}. Say “remember that …” to tell me.`);
}
