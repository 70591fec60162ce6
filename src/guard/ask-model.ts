// A tool's own question to a model: within the budget of its turn, and written down when it is answered, so that a crash forgets no cost.
import type { AskModel } from "../contract/ask-model.ts";
import type { NewEvent } from "../contract/event.ts";
import type { ModelEvent, ModelProvider } from "../contract/model.ts";
import type { EventLog } from "../store/log/event-log.ts";
import { type Budget, estimateCost } from "./budget.ts";

export type AskDeps = {
  models: ModelProvider;
  budget: Budget;
  log: Pick<EventLog, "append">;
  maxOutputTokens: number;
  nowMs(): number;
  redact(text: string): string;
};

const noModel =
  "This needs a language model, and none is connected. On the web page choose Settings and then “Set up a model”, or set ANTHROPIC_API_KEY or OPENAI_API_KEY.";

export function openAskModel({ models, budget, log, maxOutputTokens, nowMs, redact }: AskDeps): AskModel {
  return async ({ signal, conversation, turn, callId, tool }, question) => {
    const choices = (await models.choose(undefined)).filter(({ name }) => !isOffline(name));
    const [first] = choices;
    if (!first) return { ok: false, kind: "credentials", reason: noModel };
    const input = JSON.stringify([question.system, question.messages, question.tools]).length / 4;
    const cost = estimateCost(choices, { input, output: maxOutputTokens });
    const reservation = await budget.reserve({ conversation, turn, ...cost });
    if (!reservation.ok) return { ok: false, kind: "budget", reason: reservation.message };
    const startedMs = nowMs();
    try {
      const names = choices.map(({ name }) => name);
      for await (const event of models.stream({ ...question, models: names, maxOutputTokens, signal })) {
        await log.append(toldOf(event));
        if (event.type === "unavailable") return { ok: false, kind: event.kind, reason: event.message };
        // the rules that answer when no model can be reached know nothing of the question
        if (event.type !== "final" || isOffline(event.model)) continue;
        const { model, usage, costUsd } = event;
        const took = { model, usage, costUsd, durationMs: nowMs() - startedMs };
        await log.append([{ type: "model.called", conversation, turn, callId, tool, ...took }]);
        return { ok: true, answer: event, contextTokens: first.contextTokens };
      }
      return { ok: false, kind: "network", reason: "No language model could be reached." };
    } finally {
      reservation.release();
    }

    /** What is written down although there is no answer: why, and what it took. */
    function toldOf(event: ModelEvent): readonly NewEvent[] {
      if (event.type === "unavailable" && event.spent)
        return [{ type: "model.called", conversation, turn, callId, tool, ...event.spent }];
      if (event.type !== "failed") return [];
      const { model, attempt, kind } = event;
      const words = { reason: redact(event.reason), message: redact(event.message) };
      return [{ type: "model.failed", conversation, turn, model, attempt, kind, ...words }];
    }
  };
}

function isOffline(model: string): boolean {
  return model.startsWith("offline/");
}
