// Comes in: a request like any model's. Goes out: the answer of plain rules, at once, without network and without cost.
import type { ModelEvent, ModelRequest, ToolCall } from "../../contract/model.ts";
import { realWorld } from "../../contract/world.ts";
import type { OfflineModel } from "../answer/stream-answer.ts";
import { freeAnswer, stopped } from "../free-answer.ts";
import { decideStep } from "./decide-step.ts";
import { readTurn } from "./read-turn.ts";

const offlineName = "offline/rules";

export function openOfflineModel(deps: { nowMs(): number; timeZone: string }): OfflineModel {
  return { name: offlineName, stream };

  async function* stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const step = decideStep(readTurn(request.messages, offlineName), {
      nowMs: deps.nowMs(),
      timeZone: deps.timeZone,
      tools: new Set(request.tools.map((tool) => tool.name)),
      silentModels: request.models.filter((name) => name !== offlineName),
      isUnattended: request.isUnattended === true,
    });
    if ("fails" in step) return yield { type: "unavailable", kind: "no_model", message: step.fails };
    const text = "say" in step ? step.say : "";
    const toolCalls: ToolCall[] = "call" in step ? [{ callId: realWorld.newId("call"), ...step.call }] : [];
    for (const delta of cutForStreaming(text)) {
      if (request.signal.aborted) return yield stopped;
      yield { type: "text", delta };
    }
    if (request.signal.aborted) return yield stopped;
    for (const call of toolCalls) yield { type: "tool_call", call };
    yield freeAnswer(offlineName, text, toolCalls);
  }
}

/** A few pieces, so that clients that draw a stream are used as with any other model. */
function cutForStreaming(text: string): string[] {
  const size = Math.max(40, Math.ceil(text.length / 6));
  return text.match(new RegExp(`[^]{1,${size}}(?=\\s|$)|[^]{1,${size}}`, "gu")) ?? [];
}
