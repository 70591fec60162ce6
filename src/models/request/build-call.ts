import type { ModelRequest, ThinkingLevel } from "../../contract/model.ts";
import type { CallOptions, PromptMessage, ProviderOptions } from "../answer/language-model.ts";
import { limitsOf } from "../choice/model-limits.ts";
import type { ProviderPlace, WireKind } from "../choice/provider-places.ts";
import { type PromptTarget, toPrompt } from "./to-prompt.ts";

export type CallTarget = {
  place: ProviderPlace;
  modelId: string;
  /** `provider/model` */
  name: string;
  stateOf: PromptTarget["stateOf"];
  /** `unsaid`: neither asked for nor forbidden, for a model that wants no word about it. */
  thinking: ThinkingLevel | "unsaid";
};

type Reasoning = NonNullable<CallOptions["reasoning"]>;

export function buildCall(target: CallTarget, request: ModelRequest): CallOptions {
  const { place } = target;
  const { kind } = place;
  const readsPdf = kind !== "openai-compatible" || place.name === "openrouter";
  const prompt = toPrompt({ kind, name: target.name, readsPdf, stateOf: target.stateOf }, request);
  const tools = request.tools.map((tool) => ({ type: "function" as const, ...tool }));
  const call: CallOptions = {
    prompt,
    maxOutputTokens: outputLimit(target, request.maxOutputTokens),
    reasoning: reasoningOf(place, target.thinking),
    providerOptions: callOptions(kind, target.thinking),
  };
  if (tools.length > 0) call.tools = tools;
  if (kind === "anthropic") markForCache(call, request);
  return call;
}

function reasoningOf(place: ProviderPlace, thinking: CallTarget["thinking"]): Reasoning {
  if (thinking === "unsaid") return "provider-default";
  if (place.kind !== "openai-compatible") return thinking === "off" ? "none" : thinking;
  // many chat servers know three levels only, and most refuse a word they do not know
  if (thinking === "off") return place.name === "ollama" ? "none" : "provider-default";
  return thinking === "max" ? "high" : thinking;
}

function callOptions(kind: WireKind, thinking: CallTarget["thinking"]): ProviderOptions {
  const thinks = thinking !== "off" && thinking !== "unsaid";
  switch (kind) {
    case "anthropic":
      // pings show that it is still at work; unstreamed tool input is checked by the server to be JSON
      return { anthropic: { includePings: true, toolStreaming: false } };
    case "openai":
      // nothing is left with the provider; its reasoning comes back to us encrypted
      return { openai: { store: false, reasoningSummary: thinks ? "auto" : null } };
    case "openai-compatible":
      return {};
    default:
      return kind satisfies never;
  }
}

// thoughts count as output, so a model that is asked to think gets room for both
const thinkingRoom = { unsaid: 0, off: 0, low: 4_096, medium: 8_192, high: 16_384, max: 32_768 };

function outputLimit(target: CallTarget, wanted: number): number {
  const room = target.place.kind === "openai-compatible" ? 0 : thinkingRoom[target.thinking];
  return Math.min(wanted + room, limitsOf(target.place, target.modelId).maxOutputTokens);
}

const cacheMark = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** Four marks at most: tools, stable system text, the end of the previous request and the end of this one. */
function markForCache(call: CallOptions, request: ModelRequest): void {
  const lastTool = call.tools?.at(-1);
  if (lastTool?.type === "function") lastTool.providerOptions = cacheMark;
  const { prompt } = call;
  const stable = request.system.filter((piece) => piece.text !== "").findLastIndex((piece) => piece.stable);
  if (stable >= 0) mark(prompt[stable]);
  const lastAssistant = prompt.findLastIndex((message) => message.role === "assistant");
  if (lastAssistant > 0) mark(prompt[lastAssistant - 1]);
  mark(prompt.at(-1));
}

function mark(message: PromptMessage | undefined): void {
  if (message) message.providerOptions = cacheMark;
}
