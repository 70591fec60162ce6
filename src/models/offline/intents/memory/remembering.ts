import { call, type Exchange, type Intent, type Scene, type Step, say, type Words } from "../../intent.ts";
import { tell, unquote } from "../../wording.ts";
import { fileSoFar } from "../file-lines.ts";
import { noteText, memoryPath as path, readNotes } from "../memory-notes.ts";
import { appendStep } from "../writing-files.ts";

const patterns: readonly RegExp[] = [
  // how German says it; before the rules for forgetting, for one form of it is "do not forget"
  /^(?:merke? (?:dir|es dir)|notiere?(?: dir)?|vergiss nicht|erinnere dich(?: daran)?|denke? daran)\s*[,:]?\s*(?:dass\s+|daran\s+|folgendes\s*:?\s*)?(?<fact>\S.*)$/is,
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
    patterns,
    next: (words, done, scene) => (scene.tools.has("remember") ? remember(factIn(words), done) : undefined),
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

const aspect =
  "(?:is|are|was|were|has|have|lives?|works?|starts?|ends?|expires?|leaves?|likes?|loves?|hates?|costs?|plays?|ist|sind|hat|heißt|wohnt|arbeitet)";

/** What people say of themselves without asking for anything: my wife's name is Claudia. */
export const stating: readonly Intent[] = [
  {
    task: "Remembering",
    tools: ["remember"],
    patterns: [
      new RegExp(
        `^(?<fact>(?:my|our|meine?|unsere?) (?!question|point|guess|problem|idea)[\\p{L}\\p{N}'’ -]{2,60}? ${aspect} \\S.{0,200})$`,
        "iu",
      ),
      /^(?<fact>i(?:['’]m| am) (?:allergic|vegan|vegetarian|intolerant|married|diabetic|left-handed|born|called)\b.{0,200})$/i,
      /^(?<fact>i (?:really |also |do not |don['’]t )?(?:like|love|hate|dislike|prefer|live in|live at|work (?:at|as|for|in)|weigh|parked|lent|was born)\s(?!(?:you|it|that|this|to)\b).{1,200})$/i,
      /^(?<fact>ich (?:mag|hasse|liebe|wohne|arbeite|heiße|bin allergisch|habe .{1,40} geparkt)\b.{0,200})$/i,
    ],
    next: (words, done, scene) => {
      const fact = factIn(words);
      const isTold = scene.tools.has("remember") && !scene.isUnattended && fact !== undefined && !isAsked(fact);
      return isTold ? remember(fact, done) : undefined;
    },
  },
];

const askWhat = "What shall I remember? Say for example “remember that the bins go out on Tuesday”.";
const noFact = /^(?:(?:that|this|it|me|us|him|her|them|everything|all|to|das|es|alles)[\s.!,:]*)+$/i;
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
  return isFact(fact) ? fact : undefined;
}

export function remember(fact: string | undefined, done: readonly Exchange[], also = ""): Step | undefined {
  if (fact === undefined) return undefined;
  const kept = done.find((exchange) => exchange.tool === "remember");
  if (!kept) return call("remember", { text: fact });
  // otherwise the tool says why it has written nothing
  return tell(kept, (output) => (output.startsWith("Written down") ? `I will remember: ${fact}${also}` : output));
}

export function dayOf(scene: Scene): string {
  // the Swedish way of writing a date is the one that sorts
  return new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: scene.timeZone }).format(scene.nowMs);
}

function noteLine(lines: readonly string[], fact: string, scene: Scene): string {
  return listed(lines, `${dayOf(scene)}: ${fact}`);
}

/** As the next item of the list. */
export function listed(lines: readonly string[], note: string): string {
  const last = lines.findLast((line) => line.trim() !== "") ?? "";
  // a list that follows plain text needs a blank line before it
  const gap = last === "" || /^(?:[-*] | {2})/.test(last) ? "" : "\n";
  const heading = lines.length === 0 ? "# Memory\n\n" : "";
  return `${heading}${gap}- ${note}`;
}

function isKnown(lines: readonly string[], fact: string): boolean {
  return readNotes(lines).some((note) => noteText(note).toLowerCase() === fact.toLowerCase());
}
