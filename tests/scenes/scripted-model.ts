import type { ModelChoice, ModelEvent, ModelProvider, ModelRequest, ToolCall } from "../../src/contract/model.ts";

export type ScriptedAnswer =
  | { text: string; calls?: readonly { tool: string; arguments: unknown }[] }
  | { unavailable: Extract<ModelEvent, { type: "unavailable" }>["kind"]; message: string }
  /** Streams this much and then waits until it is aborted. */
  | { hangsAfter: string };

export type ScriptedModel = ModelProvider & { requests: ModelRequest[] };

const choice: ModelChoice = {
  name: "scripted/one",
  contextTokens: 100_000,
  maxOutputTokens: 4_000,
  price: { input: 1, output: 0 },
  source: "test",
};

/** A model that says what the test tells it to, in order; the last answer repeats. */
export function scriptedModel(
  script: readonly ScriptedAnswer[] | ((request: ModelRequest) => ScriptedAnswer),
  contextTokens = 100_000,
): ScriptedModel {
  const requests: ModelRequest[] = [];
  let turn = 0;
  return {
    requests,
    choose: async () => [{ ...choice, contextTokens }],
    list: async () => [{ ...choice, contextTokens }],
    prepare: async () => {},
    async *stream(request) {
      requests.push(request);
      const answer =
        typeof script === "function" ? script(request) : (script[Math.min(turn, script.length - 1)] ?? { text: "" });
      turn += 1;
      yield* play(request, answer, requests.length);
    },
  };
}

async function* play(request: ModelRequest, answer: ScriptedAnswer, number: number): AsyncIterable<ModelEvent> {
  if ("unavailable" in answer) {
    yield { type: "unavailable", kind: answer.unavailable, message: answer.message };
    return;
  }
  if ("hangsAfter" in answer) {
    if (answer.hangsAfter) yield { type: "text", delta: answer.hangsAfter };
    await new Promise<void>((resolve) => {
      if (request.signal.aborted) resolve();
      request.signal.addEventListener("abort", () => resolve());
    });
    yield { type: "unavailable", kind: "aborted", message: "Stopped." };
    return;
  }
  const toolCalls: ToolCall[] = (answer.calls ?? []).map((call, index) => ({
    callId: `call-${number}-${index}`,
    ...call,
  }));
  if (answer.text) yield { type: "text", delta: answer.text };
  for (const call of toolCalls) yield { type: "tool_call", call };
  yield {
    type: "final",
    model: "scripted/one",
    text: answer.text,
    toolCalls,
    finish: toolCalls.length > 0 ? "tool_calls" : "stop",
    usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
    costUsd: 0.001,
  };
}
