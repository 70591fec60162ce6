// How the models that come with Steward end: they count nothing and cost nothing.
import { type ModelEvent, noUsage, type ToolCall } from "../contract/model.ts";

export const stopped: ModelEvent = { type: "unavailable", kind: "aborted", message: "The answer was stopped." };

export function freeAnswer(model: string, text: string, toolCalls: readonly ToolCall[]): ModelEvent {
  const finish = toolCalls.length > 0 ? "tool_calls" : "stop";
  return { type: "final", model, text, toolCalls, finish, usage: noUsage, costUsd: 0 };
}
