import type { Finish, ModelEvent, ToolCall } from "../../contract/model.ts";
import { makeState, type ProviderState, type StatePart } from "../request/provider-state.ts";
import { uniqueCallId } from "../request/tidy-history.ts";
import type { StreamPart } from "./language-model.ts";

type FinishPart = Extract<StreamPart, { type: "finish" }>;
type Metadata = NonNullable<StatePart["metadata"]>;

export type CollectedAnswer = {
  text: string;
  reasoning: string;
  toolCalls: ToolCall[];
  providerState: ProviderState | undefined;
  finish: Finish;
  usage: FinishPart["usage"];
};

/** Takes the parts of one stream in; what is to be shown at once comes back, the rest is in the answer at the end. */
export type AnswerCollector = {
  add(part: StreamPart): Extract<ModelEvent, { type: "text" | "reasoning" }> | undefined;
  /** Whether anything came back from `add`. */
  showed(): boolean;
  /** What an error part carried, if there was one. */
  error(): { thrown: unknown } | undefined;
  /** Undefined when the stream ended without saying that the answer is complete. */
  answer(): CollectedAnswer | undefined;
};

type CallPart = Extract<StatePart, { type: "call" }>;
type OpenPart = Exclude<StatePart, CallPart> & { id: string };

type Collected = {
  parts: (OpenPart | CallPart)[];
  toolCalls: ToolCall[];
  text: string;
  reasoning: string;
  finish: FinishPart | undefined;
  failed: { thrown: unknown } | undefined;
};

/** `usedCallIds`: ids that the calls of this answer must not have. */
export function openAnswerCollector(model: string, usedCallIds: Set<string>): AnswerCollector {
  const collected: Collected = {
    ...{ parts: [], toolCalls: [], text: "", reasoning: "" },
    ...{ finish: undefined, failed: undefined },
  };
  return {
    add: (part) => addPart(collected, part, usedCallIds),
    showed: () => collected.text !== "" || collected.reasoning !== "",
    error: () => collected.failed,
    answer() {
      const { parts, toolCalls, text, reasoning, finish } = collected;
      const unified = finish?.finishReason.unified;
      if (!finish || unified === "error" || unified === "interrupted") return undefined;
      const providerState = makeState(model, parts.map(withoutId));
      return { text, reasoning, toolCalls, providerState, finish: readFinish(unified, toolCalls), usage: finish.usage };
    },
  };
}

function addPart(collected: Collected, part: StreamPart, usedCallIds: Set<string>): ReturnType<AnswerCollector["add"]> {
  switch (part.type) {
    case "text-start":
    case "text-end":
      attach(collected, "text", part.id, part.providerMetadata);
      return undefined;
    case "reasoning-start":
    case "reasoning-end":
      attach(collected, "reasoning", part.id, part.providerMetadata);
      return undefined;
    case "text-delta":
      collected.text += part.delta;
      grow(attach(collected, "text", part.id, undefined), part.delta);
      return part.delta === "" ? undefined : { type: "text", delta: part.delta };
    case "reasoning-delta":
      collected.reasoning += part.delta;
      grow(attach(collected, "reasoning", part.id, part.providerMetadata), part.delta);
      return part.delta === "" ? undefined : { type: "reasoning", delta: part.delta };
    case "tool-call":
      collected.toolCalls.push(readToolCall(part, usedCallIds));
      collected.parts.push(
        part.providerMetadata ? { type: "call", metadata: asMetadata(part.providerMetadata) } : { type: "call" },
      );
      return undefined;
    case "finish":
      collected.finish = part;
      return undefined;
    case "error":
      collected.failed ??= { thrown: part.error };
      return undefined;
    default:
      return undefined;
  }
}

function attach(collected: Collected, type: OpenPart["type"], id: string, metadata: unknown): OpenPart {
  let part = collected.parts.find((open): open is OpenPart => open.type === type && "id" in open && open.id === id);
  if (!part) {
    part = type === "text" ? { type, id, length: 0 } : { type, id, text: "" };
    collected.parts.push(part);
  }
  if (metadata) part.metadata = mergeMetadata(part.metadata, asMetadata(metadata));
  return part;
}

function grow(part: OpenPart, delta: string): void {
  if (part.type === "text") part.length += delta.length;
  else part.text += delta;
}

function readFinish(unified: string | undefined, toolCalls: readonly ToolCall[]): Finish {
  if (unified === "length") return "length";
  if (unified === "content-filter") return "refused";
  // local servers end a step that calls tools with "stop"
  return toolCalls.length > 0 ? "tool_calls" : "stop";
}

function readToolCall(part: Extract<StreamPart, { type: "tool-call" }>, usedCallIds: Set<string>): ToolCall {
  const callId = uniqueCallId(part.toolCallId, usedCallIds);
  return { callId, tool: part.toolName, ...readArguments(part.input) };
}

function readArguments(text: string): Pick<ToolCall, "arguments" | "malformed"> {
  if (text.trim() === "") return { arguments: {} };
  try {
    const value: unknown = JSON.parse(text);
    // encoded twice by some servers
    const inner = typeof value === "string" && value.trimStart().startsWith("{") ? JSON.parse(value) : value;
    return { arguments: inner ?? {} };
  } catch {
    // the model's own mistake: it is told so by whoever runs the call
    return { arguments: {}, malformed: text };
  }
}

// the packages type metadata as JSON and send it as such; here it only passes through
function asMetadata(metadata: unknown): Metadata {
  return metadata as Metadata;
}

function mergeMetadata(first: Metadata | undefined, second: Metadata): Metadata {
  const merged: Metadata = { ...first };
  for (const [name, values] of Object.entries(second)) merged[name] = { ...merged[name], ...values };
  return merged;
}

function withoutId(part: OpenPart | CallPart): StatePart {
  if (part.type === "call") return part;
  const { id: _, ...rest } = part;
  return rest;
}
