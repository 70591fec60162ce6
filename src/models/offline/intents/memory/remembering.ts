import { type Exchange, type Intent, type Scene, type Step, say, type Words } from "../../intent.ts";
import { unquote } from "../../wording.ts";
import { fileSoFar } from "../file-lines.ts";
import { noteText, memoryPath as path, readNotes } from "../memory-notes.ts";
import { appendStep } from "../writing-files.ts";
import { withVerbSecond } from "./german-order.ts";
import { noteFact } from "./noting.ts";
import { readTold, type Told, wordsOf } from "./read-value.ts";
import { dayOf, listed, offerWords, remember } from "./remember.ts";

const patterns: readonly RegExp[] = [
  // how German says it; before the rules for forgetting, for one form of it is "do not forget"
  /^(?:(?:bitte )?merke? (?:dir|es dir)|notiere?(?: dir)?|vergiss nicht|erinnere dich(?: daran)?|denke? daran)(?:\s+bitte)?\s*[,:]?\s*(?:(?<dass>dass\s+)|daran\s+|folgendes\s*:?\s*)?(?<fact>\S.*)$/is,
  /^(?:remember|note|keep in mind|don['’]?t forget|do not forget|make a note|take a note|memori[sz]e)(?:\s+(?:that|this|of|down|the following))*(?:\s*[:,]\s*|\s+)(?<fact>\S.*)$/is,
  /^(?:fyi|for (?:the record|your information)|note to self|memo(?: to self)?|(?:save|store)(?: (?:this|that|it))?(?: (?:to|in) (?:your |my |the )?(?:memory|notes))?\s*:|(?:add|save|write)(?: (?:this|that))? (?:to|in|into) (?:your |my |the )?(?:memory|notes))\s*[:,]?\s+(?:that\s+)?(?<fact>\S.*)$/is,
  /^(?:add|save|put|write) (?<fact>\S.{0,1000}?) (?:to|in|into) (?:your|my|the) (?:memory|notes)[\s.!]*$/i,
  /^(?<fact>\S.{3,1000}?)[\s,;.–-]+(?:please )?(?:remember|note|keep|don['’]?t forget|merke? dir) (?:that|this|it|das)(?: please)?[\s.!]{0,9}$/i,
];

export const remembering: readonly Intent[] = [
  {
    task: "Remembering",
    tools: ["remember"],
    patterns: [/^(?:(?:remember|note|save|keep) (?:that|this|it)|merke? dir das|remember|note to self)[\s.!:]*$/i],
    next: (_words, done, scene) => {
      if (!scene.tools.has("remember")) return undefined;
      const before = scene.earlier.findLast((said) => said.by === "person")?.text.trim() ?? "";
      return isFact(before) && !isAsked(before) ? remember(before, done) : say(askWhat);
    },
  },
  {
    task: "Remembering",
    tools: ["remember"],
    patterns: [/^(?:yes|yep|yeah|sure|ja|gern|please do|do (?:that|it)|yes,? please)[\s.!]*$/i],
    next: (_words, done, scene) => {
      const last = scene.earlier.findLast((said) => said.by === "assistant");
      const isOffered = last?.by === "assistant" && last.isOwn && last.text === offerWords;
      const before = scene.earlier.findLast((said) => said.by === "person")?.text.trim();
      return isOffered && scene.tools.has("remember") ? remember(before, done) : undefined;
    },
  },
  {
    task: "Remembering",
    tools: ["remember"],
    patterns,
    next: (words, done, scene) => (scene.tools.has("remember") ? noteAsked(factIn(words), done, scene) : undefined),
  },
  {
    task: "Remembering",
    tools: ["read", "edit", "write"],
    example: "remember that the bins go out on Tuesday",
    patterns,
    next: (words, done, scene) => {
      if (scene.tools.has("remember")) return undefined;
      const fact = factIn(words)?.replace(/\s*\n\s*/g, "\n  ");
      if (fact === undefined) return undefined;
      const file = fileSoFar(done);
      if (file.kind === "whole" && done.at(-1)?.tool === "read" && isKnown(file.lines, fact))
        return say(`I know that already: ${fact}`);
      return appendStep(path, done, (lines) => noteLine(lines, fact, scene)) ?? say(`I will remember: ${fact}`);
    },
  },
];

/** What there is one of may stand in the notes with another day, name or number. */
function noteAsked(fact: string | undefined, done: readonly Exchange[], scene: Scene): Step | undefined {
  const told = fact === undefined || fact.includes("\n") ? undefined : readTold(fact);
  const isOfOne = told && (told.kind === "time" || told.kind === "name" || ofOwn.test(told.subject) || isExact(told));
  return isOfOne && fact !== undefined ? noteFact(fact, done, scene) : remember(fact, done);
}

/** The spare keys rather than the key. */
function isExact({ kind, subject }: Told): boolean {
  return kind === "place" && wordsOf(subject).length > 1;
}

const ofOwn = /^(?:my|our|mein\p{L}{0,2}|unser\p{L}{0,2})\s|\p{L}['’]s\s/iu;

const askWhat = "What shall I remember? Say for example “remember that the bins go out on Tuesday”.";
const noFact = /^(?:(?:that|this|it|me|us|him|her|them|everything|all|to|das|es|alles)\b[\s.!,:]*)+$/i;
const lead = /^(?:(?:to self|for me|for later)\b\s*[:,]?\s*(?:that\s+)?|(?:that|dass)\s+|:\s*)/i;
const question = /^(?:when|where|who|whom|whose|what|which|how|why|whether|if|wann|wo|wer|wie|was|warum|ob)\b[^:,]*$/i;

function isFact(fact: string): boolean {
  return fact !== "" && !fact.endsWith("?") && !noFact.test(fact) && !question.test(fact);
}

/** What is said to be done or told rather than to be kept. */
function isAsked(text: string): boolean {
  return /\?\s*$|^(?:remember|forget|what|when|where|who|how|why|can|could|please|remind|help|hi|hello|undo)\b/i.test(
    text,
  );
}

function factIn(words: Words): string | undefined {
  const said = unquote(words.fact ?? "").replace(lead, "");
  const fact = unquote(said.replace(lead, "")).trim();
  if (!isFact(fact)) return undefined;
  return words.dass === undefined ? fact : withVerbSecond(fact);
}

function noteLine(lines: readonly string[], fact: string, scene: Scene): string {
  return listed(lines, `${dayOf(scene)}: ${fact}`);
}

function isKnown(lines: readonly string[], fact: string): boolean {
  return readNotes(lines).some((note) => noteText(note).toLowerCase() === fact.toLowerCase());
}
