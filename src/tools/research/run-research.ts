// The loop of the reader: a question comes in, a report goes out, or what was noted until something ended it early.
import type { ModelAnswer, ModelQuestion } from "../../contract/ask-model.ts";
import type { Finish, ModelMessage, ThinkingLevel } from "../../contract/model.ts";
import { fitMessages } from "./fit-messages.ts";
import type { Reading } from "./open-reading.ts";
import { lastStepWords, questionWords, readerInstructions } from "./reader-words.ts";
import type { ResearchEnd, ResearchLimits, ResearchQuestion } from "./research.ts";

export type ResearchDeps = {
  ask(question: ModelQuestion): Promise<ModelAnswer>;
  reading: Reading;
  nowMs(): number;
  limits: ResearchLimits;
  thinking: ThinkingLevel;
};

const mostFruitlessSteps = 2;
// the rest of the time is for writing the report
const shareForReading = 0.8;

export async function runResearch(deps: ResearchDeps, wish: ResearchQuestion): Promise<ResearchEnd> {
  const { reading, limits, thinking } = deps;
  const tools = reading.declarations;
  const startedMs = deps.nowMs();
  const ask = askFitting(deps.ask, {
    ...{ tools, thinking },
    system: [{ text: readerInstructions({ ...limits, nowMs: startedMs, tools }), stable: true }],
  });
  const messages: ModelMessage[] = [fromUser(questionWords(wish))];
  const notes: string[] = [];
  let fruitlessSteps = 0;

  for (let step = 1; ; step += 1) {
    const trouble = whyLast(step);
    const asked = await ask(trouble === undefined ? messages : [...messages, fromUser(lastStepWords)]);
    if (!asked.ok) return { report: undefined, notes, trouble: asked.reason };
    const { text, toolCalls, finish, reasoning, providerState, model } = asked.answer;
    if (toolCalls.length === 0) return endOf(text.trim(), finish, notes, trouble);
    if (text.trim() !== "") notes.push(text.trim());
    if (trouble !== undefined) return { report: undefined, notes, trouble };
    const performed = await reading.perform(toolCalls);
    messages.push({ role: "assistant", text, reasoning, toolCalls, providerState, model });
    for (const { callId, tool, failed, output } of performed)
      messages.push({ role: "tool", callId, tool, failed, output, images: [] });
    fruitlessSteps = performed.some(({ isNew }) => isNew) ? 0 : fruitlessSteps + 1;
  }

  function whyLast(step: number): string | undefined {
    if (fruitlessSteps >= mostFruitlessSteps) return "It was ended because it asked for the same things again.";
    if (step >= limits.steps) return `It ended after ${limits.steps} steps, the most for one research.`;
    if (reading.isUsedUp()) return `It ended after ${limits.pages} pages, the most for one research.`;
    const usedMs = deps.nowMs() - startedMs;
    return usedMs > limits.timeoutMs * shareForReading ? "It ended because its time was nearly over." : undefined;
  }
}

function endOf(text: string, finish: Finish, notes: readonly string[], trouble: string | undefined): ResearchEnd {
  if (finish === "refused")
    return { report: undefined, notes: [...notes, text], trouble: "The model refused to go on." };
  if (text === "") return { report: undefined, notes, trouble: trouble ?? "It ended without a report." };
  const cut = finish === "length" ? "The report was cut off: it is as long as the model may write." : undefined;
  return { report: text, notes, trouble: trouble ?? cut };
}

const shareOfWindow = 0.6;
const charactersPerToken = 4;
const smallestRoom = 4_000;

/** Asks with as many of the pages as the model has room for; how many these are may turn out only when it refuses. */
function askFitting(ask: ResearchDeps["ask"], about: Omit<ModelQuestion, "messages">) {
  let room = Number.POSITIVE_INFINITY;
  return async (messages: readonly ModelMessage[]): Promise<ModelAnswer> => {
    for (;;) {
      const fitting = fitMessages(messages, room);
      const asked = await ask({ ...about, messages: fitting });
      if (asked.ok) room = Math.min(room, asked.contextTokens * shareOfWindow * charactersPerToken);
      const half = Math.min(room, JSON.stringify(fitting).length) / 2;
      if (asked.ok || asked.kind !== "context_too_long" || half < smallestRoom) return asked;
      room = half;
    }
  };
}

function fromUser(text: string): ModelMessage {
  return { role: "user", content: [{ type: "text", text }] };
}
