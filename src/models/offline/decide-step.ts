import { completeSentence } from "./complete-sentence.ts";
import { type Exchange, type Intent, type Scene, type Step, say } from "./intent.ts";
import { arithmetic } from "./intents/arithmetic.ts";
import { clock } from "./intents/clock.ts";
import { commands } from "./intents/commands.ts";
import { memory } from "./intents/memory.ts";
import { readingFiles } from "./intents/reading-files.ts";
import { asking, naming, recalling } from "./intents/recalling.ts";
import { sayNotUnderstood, smallTalk } from "./intents/small-talk.ts";
import { tasks } from "./intents/tasks.ts";
import { web } from "./intents/web.ts";
import { writingFiles } from "./intents/writing-files.ts";
import { mendBeginning } from "./mend-beginning.ts";
import type { Asked, Turn } from "./read-turn.ts";
import { bullets } from "./wording.ts";

/** Everything that is understood; the first intent that takes a sentence has it. */
const intents: readonly Intent[] = [
  smallTalk,
  tasks,
  clock,
  arithmetic,
  memory,
  recalling,
  web,
  commands,
  writingFiles,
  readingFiles,
  // any question that is nothing else
  asking,
].flat();

// such texts are no simple sentences, and patterns are slow on them
const maxSentenceCharacters = 8000;
const longBlank = /\s{100}/;

const needsModel =
  "No language model is connected, and this needs one. Connect one on the page under Setup, or put its key into auth.json.";

type TurnScene = Omit<Scene, "examples" | "earlier">;

/** What to do next in a turn: a tool call or an answer. */
export function decideStep({ asked, own, foreign }: Turn, scene: TurnScene): Step {
  // going on with another model's half-done work could do it twice
  if (foreign.length > 0) return sayInterrupted(foreign, scene.silentModels);
  const [only, ...others] = asked;
  if (only && others.length === 0) return answerTo(only, own, scene);
  return answerInTurn(asked, own, scene);
}

/** Each message gets its answer, one after the other; what came back belongs to the first one that still waits for something. */
function answerInTurn(asked: readonly Asked[], own: readonly Exchange[], scene: TurnScene): Step {
  const said = new Set<string>();
  let taken = 0;
  let hasFailed = false;
  for (const one of asked) {
    const begun = taken;
    let step = answerTo(one, [], scene);
    while ("call" in step && taken < own.length) {
      taken += 1;
      step = answerTo(one, own.slice(begun, taken), scene);
    }
    if ("call" in step) return step;
    // what is said of one that is not understood is said once
    said.add("say" in step ? step.say : step.fails);
    hasFailed ||= "fails" in step;
  }
  const words = [...said].join("\n\n");
  return hasFailed ? { fails: words } : say(words);
}

function answerTo(asked: Asked, own: readonly Exchange[], scene: TurnScene): Step {
  const full: Scene = { ...scene, examples: examplesFor(scene.tools), earlier: asked.earlier };
  const step = firstStep(intents, sentencesIn(asked.text), own, full);
  if (step) return step;
  // what is no sentence of its own may be the answer to our question
  const completed = completeSentence(asked);
  const further = completed === undefined ? undefined : firstStep(tasks, sentencesIn(completed), own, full);
  if (further) return further;
  const named = scene.isUnattended ? undefined : firstStep(naming, sentencesIn(asked.text), own, full);
  if (named) return named;
  if (scene.isUnattended) return { fails: needsModel };
  const attachments = asked.hasAttachments ? "I cannot look at attachments without a language model. " : "";
  return say(attachments + sayNotUnderstood(full));
}

function firstStep(
  from: readonly Intent[],
  sentences: readonly string[],
  done: readonly Exchange[],
  scene: Scene,
): Step | undefined {
  for (const sentence of sentences) {
    for (const intent of from) {
      const step = tryIntent(intent, sentence, done, scene);
      if (step) return step;
    }
  }
  return undefined;
}

function tryIntent(intent: Intent, sentence: string, done: readonly Exchange[], scene: Scene): Step | undefined {
  for (const pattern of intent.patterns) {
    const match = pattern.exec(sentence);
    const step = match && intent.next(match.groups ?? {}, done, scene);
    if (!step) continue;
    const missing = intent.tools.filter((tool) => !scene.tools.has(tool));
    return missing.length === 0 ? step : sayMissing(intent, missing);
  }
  return undefined;
}

function sayMissing(intent: Intent, missing: readonly string[]): Step {
  const tools = missing.length === 1 ? `the tool ${missing[0]}` : `the tools ${missing.join(" and ")}`;
  return say(`${intent.task} needs ${tools}, which I do not have here. Say “help” to see what I can do.`);
}

function examplesFor(tools: ReadonlySet<string>): string[] {
  return intents.flatMap(({ example, tools: needed }) =>
    example && needed.every((tool) => tools.has(tool)) ? [example] : [],
  );
}

// "can you remember that …?" asks for it to be done
const orderAsQuestion = /^((?:remember|note|keep in mind|memori[sz]e)\s+(?:that|this)\b[^?]{1,4000})\?+$/i;

/** The sentence as it was said, and without the polite words around it. */
function sentencesIn(text: string): string[] {
  const said = mendBeginning(text.trim());
  if (said === "" || said.length > maxSentenceCharacters || longBlank.test(said)) return [];
  const bare = said
    .replace(/^(?:hey|hi|hello|ok|okay|so|well)\b[\s,!.]+/i, "")
    .replace(/^(?:please|kindly|bitte)[\s,]+/i, "")
    .replace(/^(?:can|could|would|will) you (?:please )?|^i (?:want|need|would like) you to |^i['’]d like you to /i, "")
    .replace(/^(?:please|kindly)[\s,]+/i, "")
    .replace(/^kannst du (?:dir )?(?:bitte )?merken,? ?/i, "merke dir ")
    .replace(/[\s,]+(?:please|bitte)([\s.?!]*)$/i, "$1")
    .replace(orderAsQuestion, "$1");
  return bare === said || bare === "" ? [said] : [said, bare];
}

function sayInterrupted(done: readonly Exchange[], silentModels: readonly string[]): Step {
  const who = silentModels.length === 0 ? "The language model" : silentModels.join(" and ");
  const steps = done.map(({ tool, failed, output }) => {
    const firstLine = output.trim().split("\n", 1)[0] ?? "";
    const shown = firstLine.length > 120 ? `${firstLine.slice(0, 119)}…` : firstLine;
    return `${tool}: ${failed ? "failed" : "done"}${shown === "" ? "" : ` (${shown})`}`;
  });
  return say(
    `${who} stopped answering in the middle of this. So far it has done:\n${bullets(steps)}\n\nI have done nothing more, so that nothing happens twice. Ask again when the model is back.`,
  );
}
