// A tool's own question to a model: within the budget of its turn, and written down when it is answered, so that a crash forgets no cost.
import type { AskedFor, AskModel, ModelAnswer, ModelQuestion } from "../contract/ask-model.ts";
import type { ModelProvider } from "../contract/model.ts";
import type { EventLog } from "../store/log/event-log.ts";
import { type Budget, estimateCost } from "./budget.ts";

export type AskDeps = {
  models: ModelProvider;
  budget: Budget;
  log: Pick<EventLog, "append">;
  maxOutputTokens: number;
  nowMs(): number;
};

const missing: ModelAnswer = {
  ok: false,
  kind: "missing",
  reason:
    "This needs a language model, and none is connected. On the web page choose Settings and then “Set up a model”, or set ANTHROPIC_API_KEY or OPENAI_API_KEY.",
};

export function openAskModel(deps: AskDeps): AskModel {
  return async (asked, question) => {
    const choices = (await deps.models.choose(undefined)).filter(({ name }) => !isOffline(name));
    const [first] = choices;
    if (!first) return missing;
    const input = JSON.stringify([question.system, question.messages, question.tools]).length / 4;
    const cost = estimateCost(choices, { input, output: deps.maxOutputTokens });
    const { conversation, turn } = asked;
    const reservation = await deps.budget.reserve({ conversation, turn, ...cost });
    if (!reservation.ok) return { ok: false, kind: "budget", reason: reservation.message };
    try {
      const models = choices.map(({ name }) => name);
      return await ask(asked, { ...question, models, contextTokens: first.contextTokens });
    } finally {
      reservation.release();
    }
  };

  async function ask(
    asked: AskedFor,
    { contextTokens, ...question }: ModelQuestion & { models: readonly string[]; contextTokens: number },
  ): Promise<ModelAnswer> {
    const { signal, conversation, turn, callId, tool } = asked;
    const startedMs = deps.nowMs();
    for await (const event of deps.models.stream({ ...question, maxOutputTokens: deps.maxOutputTokens, signal })) {
      if (event.type === "unavailable") return { ok: false, kind: event.kind, reason: event.message };
      if (event.type !== "final") continue;
      // the rules that answer when no model can be reached know nothing of the question
      if (isOffline(event.model)) return { ok: false, kind: "network", reason: "No language model could be reached." };
      const { model, usage, costUsd } = event;
      const durationMs = deps.nowMs() - startedMs;
      await deps.log.append([
        { type: "model.called", conversation, turn, callId, tool, model, usage, costUsd, durationMs },
      ]);
      return { ok: true, answer: event, contextTokens };
    }
    return { ok: false, kind: "network", reason: "The model ended without an answer." };
  }
}

function isOffline(model: string): boolean {
  return model.startsWith("offline/");
}
