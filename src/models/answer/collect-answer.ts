import type { Finish, ModelEvent, ToolCall } from "../../contract/model.ts";
import { makeState, type ProviderState, type StatePart } from "../request/provider-state.ts";
import { uniqueCallId } from "../request/tidy-history.ts";
import type { StreamPart } from "./language-model.ts";

type FinishPart = Extract<StreamPart, { type: "finish" }>;
type Metadata = NonNullable<StatePart["metadata"]>;

export type SaidSoFar = { text: string; reasoning: string; toolCalls: ToolCall[] };

export type CollectedAnswer = SaidSoFar & {
  providerState: ProviderState | undefined;
  finish: Finish;
  usage: FinishPart["usage"];
};

export type ShownEvent = Extract<ModelEvent, { type: "text" | "reasoning" }>;
export type AnswerCollector = ReturnType<typeof openAnswerCollector>;

type SpokenPart = Exclude<StatePart, { type: "call" }>;

/**
 * Takes the parts of one stream in; what is to be shown at once comes back, the rest is in the answer at the end.
 * `usedCallIds`: ids that the calls of this answer must not have.
 */
export function openAnswerCollector(model: string, usedCallIds: Set<string>) {
  const parts: StatePart[] = [];
  const spoken = new Map<string, SpokenPart>();
  const toolCalls: ToolCall[] = [];
  const said = { text: "", reasoning: "" };
  let finish: FinishPart | undefined;
  let failed: { thrown: unknown } | undefined;
  return {
    add,
    /** Whether anything came back from `add`. */
    showed: () => said.text !== "" || said.reasoning !== "",
    /** What has come so far of an answer that may never be complete. */
    soFar: (): SaidSoFar => ({ ...said, toolCalls }),
    /** What an error part carried, if there was one. */
    error: () => failed,
    /** Undefined when the stream ended without saying that the answer is complete. */
    answer(): CollectedAnswer | undefined {
      const unified = finish?.finishReason.unified;
      if (!finish || unified === "error" || unified === "interrupted") return undefined;
      const providerState = makeState(model, parts);
      return { ...said, toolCalls, providerState, finish: readFinish(unified, toolCalls), usage: finish.usage };
    },
  };

  function add(part: StreamPart): ShownEvent | undefined {
    switch (part.type) {
      case "text-start":
      case "text-end":
        attach("text", part.id, part.providerMetadata);
        return undefined;
      case "reasoning-start":
      case "reasoning-end":
        attach("reasoning", part.id, part.providerMetadata);
        return undefined;
      case "text-delta":
        return say(attach("text", part.id, undefined), part.delta);
      case "reasoning-delta":
        return say(attach("reasoning", part.id, part.providerMetadata), part.delta);
      case "tool-call":
        toolCalls.push({
          callId: uniqueCallId(part.toolCallId, usedCallIds),
          tool: part.toolName,
          ...readArguments(part.input),
        });
        parts.push({ type: "call", ...(part.providerMetadata && { metadata: merged({}, part.providerMetadata) }) });
        return undefined;
      case "finish":
        finish = part;
        return undefined;
      case "error":
        failed ??= { thrown: part.error };
        return undefined;
      default:
        return undefined;
    }
  }

  function attach(type: SpokenPart["type"], id: string, metadata: unknown): SpokenPart {
    const key = `${type} ${id}`;
    let part = spoken.get(key);
    if (!part) {
      part = type === "text" ? { type, length: 0 } : { type, text: "" };
      spoken.set(key, part);
      parts.push(part);
    }
    if (metadata) part.metadata = merged(part.metadata, metadata);
    return part;
  }

  function say(part: SpokenPart, delta: string): ShownEvent | undefined {
    said[part.type] += delta;
    if (part.type === "text") part.length += delta.length;
    else part.text += delta;
    return delta === "" ? undefined : { type: part.type, delta };
  }
}

function readFinish(unified: string | undefined, toolCalls: readonly ToolCall[]): Finish {
  if (unified === "length") return "length";
  if (unified === "content-filter") return "refused";
  // local servers end a step that calls tools with "stop"
  return toolCalls.length > 0 ? "tool_calls" : "stop";
}

function readArguments(text: string): Pick<ToolCall, "arguments" | "malformed"> {
  if (text.trim() === "") return { arguments: {} };
  try {
    const value: unknown = JSON.parse(text);
    // encoded twice by some servers
    const inner: unknown = typeof value === "string" && value.trimStart().startsWith("{") ? JSON.parse(value) : value;
    return isTooDeep(inner) ? { arguments: {}, malformed: text } : { arguments: inner ?? {} };
  } catch {
    // the model's own mistake: it is told so by whoever runs the call
    return { arguments: {}, malformed: text };
  }
}

// no tool takes anything like it, and whoever walks through it later would run out of stack
const mostLevels = 100;

function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostLevels) return true;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return false;
}

// the packages type metadata as JSON and send it as such; here it only passes through
function merged(first: Metadata | undefined, second: unknown): Metadata {
  const both: Metadata = { ...first };
  for (const [name, values] of Object.entries(second as Metadata)) both[name] = { ...both[name], ...values };
  return both;
}
