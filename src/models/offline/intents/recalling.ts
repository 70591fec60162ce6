import { readFinds } from "../../../contract/memory/found-words.ts";
import { openCalendar } from "../../../contract/words/calendar.ts";
import { call, type Exchange, type Intent, type Scene, type Step, say } from "../intent.ts";
import { bullets, sayFailed, unquote } from "../wording.ts";
import { fileSoFar } from "./file-lines.ts";
import { rivalryOf } from "./memory/read-value.ts";
import { replacedIn } from "./memory/taking-back.ts";
import { bestMatches, memoryPath as path, readNotes } from "./memory-notes.ts";
import { choosePieces } from "./recall/choose-pieces.ts";
import { closestPiece } from "./recall/closest-piece.ts";
import { type Piece, piecesOf } from "./recall/pieces.ts";
import { type Question, readFewWords, readQuestion, readTopic } from "./recall/read-question.ts";
import { isHidden, tellClosest, tellHidden, tellPieces } from "./recall/tell-pieces.ts";
import { isOwnWording } from "./small-talk.ts";
import { readFurther } from "./writing-files.ts";

// earlier questions are among what is found, and none of them is an answer
const mostFinds = 12;

export const recalling: readonly Intent[] = [
  {
    task: "Recalling",
    tools: ["read"],
    example: "what do you know about the bins?",
    patterns: [
      /^(?=(?<asked>.*))(?:tell me |summari[sz]e |list )?(?:what (?:(?:do|did|have) )?|(?:everything|all)(?: that| what)? )(?:you|we|i) (?:know|knew|remember|recall|tell you|told you|note|noted|say|said)(?: (?:about|of|on))?(?<topic>(?: .+?)?)[\s.?!]*$/i,
      /^what (?:did|have) i (?:ask(?:ed)?|told?|tell) you to (?:remember|note|keep in mind)(?<topic>)[\s.?!]*$/i,
      /^was (?:weißt|weisst) du (?:alles )?(?:über|von)\s+(?<topic>\S.*?)[\s.?!]*$/i,
      /^(?:look up|find|search(?: for)?)\s+(?<topic>\S.*?)\s+in (?:my|your|the) (?:notes|memory)[\s.?!]*$/i,
      /^(?:recall|(?:search|look in|look through)(?: in)?(?: your| my| the)? (?:memory|memories|notes)(?: for| about)?)\s*:?\s+(?<topic>\S.*?)[\s.?!]*$/i,
      /^(?:what do (?:my|your|the) notes say|what(?:'s|’s| is) (?:there )?in (?:my|your|the) notes|is there anything in (?:my|your|the) notes) (?:about|on)\s+(?<topic>\S.*?)[\s.?!]*$/i,
      /^(?=(?<question>.*))do you (?:remember|recall|know)(?: (?:about|that|what|who|when|where|anything))*\s+(?<topic>\S.*?)[\s.?!]*$/i,
      /^(?=(?<question>.*))(?:what|who|when|where)(?:'s|’s| is| are| was)\s+(?<topic>my .+?)[\s.?!]*$/i,
      /^(?:show|read|open|list)(?: me)? (?:my|your|the) (?:memory|memories|notes)(?<topic>)[\s.?!]*$/i,
    ],
    next: (words, done, scene) => {
      const topic = unquote(words.topic ?? "");
      const isAll = /^(?:|me|us|about me|everything|all)$/i.test(topic);
      if (isAll || !scene.tools.has("memory_search")) return recallFromFile(topic, isAll, done);
      const today = todayOf(scene);
      const question = words.question === undefined ? undefined : readQuestion(words.question, today);
      const about = readTopic(topic, today);
      const isOfOwnWords = /^what did i (?:say|tell)/i.test(words.asked ?? "");
      return recall(question ?? (about && { ...about, isPersonal: true, isOfOwnWords }), done, scene);
    },
  },
];

/** What the asker's notes and conversations may tell, and nobody else here. */
export const asking: readonly Intent[] = [
  {
    task: "Recalling",
    tools: ["memory_search"],
    patterns: [
      /^(?:tell me (?:(?:all|everything|something|more)(?: you know)? )?about|what about|find|look up|search for)\s+(?<topic>\S.{0,200})$/i,
      /^(?<sentence>\S.{1,299})$/,
    ],
    next: ({ sentence, topic = "" }, done, scene) => {
      if (!scene.tools.has("memory_search")) return undefined;
      const today = todayOf(scene);
      return recall(sentence === undefined ? readTopic(topic, today) : readQuestion(sentence, today), done, scene);
    },
  },
];

/** What is nothing else at all may be the name of something that stands in the notes. */
export const naming: readonly Intent[] = [
  {
    task: "Recalling",
    tools: ["memory_search"],
    patterns: [/^(?<words>\S.{1,119})$/],
    next: ({ words = "" }, done, scene) =>
      scene.tools.has("memory_search") ? recall(readFewWords(words, todayOf(scene)), done, scene) : undefined,
  },
];

function recall(question: Question | undefined, done: readonly Exchange[], scene: Scene): Step | undefined {
  if (!question) return undefined;
  const searched = done.find(({ tool }) => tool === "memory_search");
  if (!searched) return call("memory_search", { query: question.asked, maxResults: mostFinds });
  if (searched.failed) return question.isPersonal ? sayFailed(searched) : undefined;
  const { finds, note } = readFinds(searched.output);
  const at = { ...scene, today: todayOf(scene) };
  const pieces = withoutReplaced(
    finds.flatMap(piecesOf).filter(({ text }) => !isOwnWording(text, scene)),
    scene,
  );
  const chosen = choosePieces(
    pieces.filter((piece) => !isHidden(piece)),
    question,
  );
  const also = note === undefined ? "" : `\n\n${note}`;
  if (chosen.length > 0) return say(tellPieces(chosen, question, at) + also);
  const [hidden] = choosePieces(pieces.filter(isHidden), question);
  if (hidden) return say(tellHidden(hidden, at) + also);
  // of the world, the memory knows nothing that needs to be told
  if (!question.isPersonal) return undefined;
  if (note !== undefined && isOff.test(note)) return say(note);
  const closest = closestPiece(
    pieces.filter((piece) => !isHidden(piece)),
    question,
  );
  if (closest) return say(tellClosest(closest, at) + also);
  return say(
    `I find nothing about “${question.about}” in your notes or conversations. Say “remember that …” to tell me.${also}`,
  );
}

/** What was said, and then corrected in the notes, is told no more. */
function withoutReplaced(pieces: readonly Piece[], { earlier }: Scene): readonly Piece[] {
  const answers = earlier.flatMap((said) => (said.by === "assistant" && said.isOwn ? [said.text] : []));
  const taken = new Set(answers.flatMap((answer) => replacedIn(answer) ?? []));
  const notes = pieces.filter(({ place }) => place.kind === "file");
  const isReplaced = ({ text, day = "" }: Piece) =>
    taken.has(text) || notes.some((note) => day <= (note.day ?? "") && rivalryOf(text, note.text) === "replaces");
  return pieces.filter((piece) => piece.place.kind === "file" || !isReplaced(piece));
}

const isOff = /\bswitched off\b/i;

function todayOf({ nowMs, timeZone }: Scene): string {
  return openCalendar(timeZone)(nowMs);
}

function recallFromFile(topic: string, isAll: boolean, done: readonly Exchange[]): Step {
  const file = fileSoFar(done);
  if (file.kind === "missing") return isAll ? sayNothing() : sayUnknown(topic);
  if (file.kind !== "whole") return readFurther(path, file);
  const notes = readNotes(file.lines);
  const matches = isAll ? notes : bestMatches(notes, topic);
  if (matches.length === 0) return isAll ? sayNothing() : sayUnknown(topic);
  return say(`${isAll ? "I remember" : `About “${topic}” I remember`}:\n${bullets(matches.map((note) => note.text))}`);
}

function sayNothing(): Step {
  return say(`There are no notes in ${path} yet. Say “remember that …” to make one.`);
}

function sayUnknown(topic: string): Step {
  return say(`I find nothing about “${topic}” in ${path}. Say “remember that …” to tell me.`);
}
