import { readFinds } from "../../../../contract/memory/found-words.ts";
import { count } from "../../../../contract/words/amounts.ts";
import { call, type Exchange, type Intent, type Said, type Scene, type Step, say } from "../../intent.ts";
import { bullets, sayFailed, tell, unquote } from "../../wording.ts";
import { fileSoFar, removeLines } from "../file-lines.ts";
import { type Note, noteText, memoryPath as path, readNotes, wholeMatches } from "../memory-notes.ts";
import { isTelling } from "../recall/read-question.ts";
import { isSameWord, wordsIn } from "../recall/same-word.ts";
import { readFurther } from "../writing-files.ts";
import { isOf, rememberedIn, removedWords } from "./taking-back.ts";
import { aboutOf, thingOf } from "./thing-of.ts";

export const forgetting: readonly Intent[] = [
  {
    task: "Forgetting",
    tools: ["forget"],
    patterns: [
      /^(?:forget|unlearn|delete|erase|remove)\s+(?:everything|all|anything|whatever|every\s?thing)(?:\s+(?:that\s+)?(?:you\s+(?:know|remember|have(?:\s+noted)?|noted)|i\s+(?:said|told\s+you|wrote)|there\s+is|was\s+said))?\s+about\s+(?<about>\S.*?)[\s.?!]*$/i,
      /^vergiss\s+alles\s+(?:über|von|zu)\s+(?<about>\S.*?)[\s.?!]*$/i,
    ],
    next: (words, done, scene) =>
      scene.tools.has("forget") ? forgetAll(aboutOf(unquote(words.about ?? "")), done) : undefined,
  },
  {
    task: "Forgetting",
    tools: ["read", "edit"],
    patterns: [
      /^(?:(?:forget|unlearn|delete|remove) (?:that|this|what i (?:just )?said|the last (?:one|note|line|thing))|vergiss das)[\s.!]*$/i,
    ],
    next: (_words, done, scene) => {
      const last = lastRemembered(scene.earlier);
      if (last === undefined) return say("What shall I forget? Say for example “forget the bins”.");
      return forget(last, done, scene, (note) => isOf(note, last));
    },
  },
  {
    task: "Forgetting",
    tools: ["read", "edit"],
    example: "forget the bins",
    patterns: [
      /^(?:forget|unlearn)(?:\s+(?:that|about|what i (?:said|told you) about))*\s*:?\s+(?<fact>\S.*?)[\s.?!]*$/i,
      /^vergiss(?:\s*,?\s*(?:dass|über))?\s+(?!nicht\b)(?<fact>\S.*?)[\s.?!]*$/i,
    ],
    next: (words, done, scene) => forget(unquote(words.fact ?? ""), done, scene),
  },
];

function lastRemembered(earlier: readonly Said[]): string | undefined {
  const said = earlier.findLast((each) => each.by === "assistant" && rememberedIn(each.text) !== undefined);
  return said?.by === "assistant" ? rememberedIn(said.text) : undefined;
}

function forget(fact: string, done: readonly Exchange[], scene: Scene, isMeant?: (note: Note) => boolean): Step {
  if (isEverything.test(fact))
    return say(
      "I forget one matter at a time. Say “forget everything about …” and name it; your notes are in MEMORY.md.",
    );
  if (isPlace.test(fact))
    return say(`What does it say? Name a word or two of it, as in “forget the bins”. “read ${path}” shows the lines.`);
  const file = fileSoFar(done);
  if (file.kind !== "whole" && file.kind !== "missing") return readFurther(path, file);
  const lines = file.kind === "whole" ? file.lines : [];
  const all = readNotes(lines);
  const notes = isMeant ? all.filter(isMeant).slice(-1) : wholeMatches(all, fact);
  const [only] = notes;
  if (only && notes.length === 1) return forgetNote(only, fact, lines, done, scene);
  const canForget = scene.tools.has("forget");
  if (!only) return canForget ? sayNotNoted(fact) : sayUnknown(fact);
  const further = canForget ? `\n\nOr say “forget everything about ${thingOf(fact)}”.` : "";
  return say(
    `Several notes fit; say more of the one you mean:\n${bullets(notes.map((note) => noteText(note)))}${further}`,
  );
}

/** Takes it out, and then looks where else it was said. */
function forgetNote(note: Note, fact: string, lines: readonly string[], done: readonly Exchange[], scene: Scene): Step {
  const edited = done.find((exchange) => exchange.tool === "edit");
  if (!edited) return call("edit", { path, edits: [removeLines(lines, note.from, note.to)] });
  if (edited.failed) return sayFailed(edited);
  const searched = done.find(({ tool }) => tool === "memory_search");
  if (!searched && scene.tools.has("memory_search")) return call("memory_search", { query: fact, maxResults: 12 });
  const others = searched && !searched.failed ? conversationsWith(searched.output, fact) : 0;
  const words = removedWords(noteText(note));
  if (others === 0) return say(words);
  const how = scene.tools.has("forget")
    ? `; say “forget everything about ${thingOf(noteText(note))}” to remove it there too`
    : "";
  return say(`${words} It was also said in ${count(others, "conversation")}${how}.`);
}

function conversationsWith(found: string, fact: string): number {
  const wanted = wordsIn(fact).filter(isTelling);
  const holding = readFinds(found).finds.filter(
    ({ sessionKey, text }) => sessionKey !== undefined && text.split("\n").some((line) => isSaidIn(line, wanted)),
  );
  return new Set(holding.map(({ sessionKey }) => sessionKey)).size;
}

/** That it is to be forgotten, and questions, are no telling of it. */
function isSaidIn(line: string, wanted: readonly string[]): boolean {
  if (/^(?:\S{1,40}: )?(?:forget|unlearn|vergiss|Removed from your notes)\b|\?\s*$/i.test(line)) return false;
  const present = wordsIn(line);
  return wanted.length > 0 && wanted.every((word) => present.some((other) => isSameWord(word, other)));
}

const isEverything = /^(?:everything|all|all of it|anything|me|us|about me|alles)$/i;
const isPlace = /^(?:the )?(?:lines?|notes?|items?|entry|number|no\.?|#)\s*(?:number\s*)?#?\d{1,6}$|^#?\d{1,6}$/i;
const mostAbout = 200;

/** From all notes and conversations: the tool shows what would go, and asks. */
function forgetAll(about: string, done: readonly Exchange[]): Step {
  const forgotten = done.find((exchange) => exchange.tool === "forget");
  return forgotten ? tell(forgotten, (output) => output) : call("forget", { about: about.slice(0, mostAbout) });
}

function sayNotNoted(fact: string): Step {
  const thing = thingOf(fact);
  return say(
    `Nothing about “${thing}” is in your notes. To remove what was said of it, too, say “forget everything about ${thing}”.`,
  );
}

function sayUnknown(fact: string): Step {
  return say(`I find nothing about “${fact}” in ${path}. Say “remember that …” to tell me.`);
}
