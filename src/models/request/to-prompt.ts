// Our own history in, the packages' prompt for one request out.
import type { FilePart, ImagePart, ModelMessage, ModelRequest, TextPart } from "../../contract/model.ts";
import type { PromptMessage } from "../answer/language-model.ts";
import type { WireKind } from "../choice/provider-places.ts";
import type { ProviderState, StatePart } from "./provider-state.ts";
import { tidyHistory } from "./tidy-history.ts";

type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;
type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
type Content<Role extends PromptMessage["role"]> = Extract<PromptMessage, { role: Role }>["content"];
type UserPart = Content<"user">[number];
type AssistantPart = Content<"assistant">[number];
type ToolPart = Content<"tool">[number];

export type PromptTarget = {
  kind: WireKind;
  /** `provider/model` */
  name: string;
  readsPdf: boolean;
  /** What this very model attached to the message and may have back. */
  stateOf(message: AssistantMessage): ProviderState | undefined;
};

export function toPrompt(target: PromptTarget, request: Pick<ModelRequest, "system" | "messages">): PromptMessage[] {
  const history = tidyHistory(request.messages);
  const lastUser = history.findLastIndex((message) => message.role === "user");
  const prompt: PromptMessage[] = systemMessages(target, request.system);
  let results: ToolMessage[] = [];
  history.forEach((message, at) => {
    if (message.role === "tool") {
      results.push(message);
      if (history[at + 1]?.role !== "tool") {
        prompt.push(...toolMessages(target, results));
        results = [];
      }
    } else if (message.role === "assistant") {
      prompt.push({ role: "assistant", content: assistantContent(target, message, at > lastUser) });
    } else {
      addUser(
        prompt,
        message.content.map((part) => userPart(target, part)),
      );
    }
  });
  return prompt;
}

// images of a tool may stand as a person's message just before, and two of those in a row break strict chat templates
function addUser(prompt: PromptMessage[], content: UserPart[]): void {
  const last = prompt.at(-1);
  if (last?.role === "user") last.content.push(...content);
  else prompt.push({ role: "user", content });
}

// Anthropic takes the pieces apart, which its cache needs; a chat template often knows a single system message only
function systemMessages(target: PromptTarget, system: ModelRequest["system"]): PromptMessage[] {
  const texts = system.map((piece) => piece.text.toWellFormed()).filter((text) => text !== "");
  if (target.kind === "anthropic") return texts.map((content) => ({ role: "system", content }));
  return texts.length > 0 ? [{ role: "system", content: texts.join("\n\n") }] : [];
}

const imageTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const textTypes = /^(text\/|application\/(json|xml|yaml|x-yaml|toml|javascript|typescript|sql|x-sh)\b|.*\+(json|xml)$)/;

function userPart(target: PromptTarget, part: TextPart | ImagePart | FilePart): UserPart {
  if (part.type === "text") return { type: "text", text: part.text.toWellFormed() };
  const name = part.type === "file" ? part.name : "image";
  if (imageTypes.has(part.mediaType)) return filePart(part);
  if (part.mediaType === "application/pdf" && target.readsPdf) return { ...filePart(part), filename: name };
  if (textTypes.test(part.mediaType)) {
    return { type: "text", text: `<file name="${name}">\n${new TextDecoder().decode(part.data)}\n</file>` };
  }
  const size = `${part.mediaType}, ${part.data.byteLength} bytes`;
  return { type: "text", text: `[The file ${name} (${size}) is attached, but this model cannot read it directly.]` };
}

function filePart(part: ImagePart | FilePart): Extract<UserPart, { type: "file" }> {
  return { type: "file", mediaType: part.mediaType, data: { type: "data", data: part.data } };
}

function assistantContent(target: PromptTarget, message: AssistantMessage, isCurrentLoop: boolean): AssistantPart[] {
  const state = target.stateOf(message);
  const stated = state && partsInOrder(state.parts, message);
  if (stated) return stated;
  const wantsReasoning =
    target.kind === "openai-compatible" &&
    isCurrentLoop &&
    message.model === target.name &&
    message.toolCalls.length > 0;
  return [
    // thinking chat models lose the thread when their thoughts vanish between a call and its result
    ...(wantsReasoning && message.reasoning ? [{ type: "reasoning" as const, text: message.reasoning }] : []),
    ...(message.text === "" ? [] : [{ type: "text" as const, text: message.text.toWellFormed() }]),
    ...message.toolCalls.map((call) => callPart(call)),
  ];
}

/** Undefined when the message was changed since, by redaction for example, and no longer fits its state. */
function partsInOrder(parts: readonly StatePart[], message: AssistantMessage): AssistantPart[] | undefined {
  const textLength = parts.reduce((sum, part) => sum + (part.type === "text" ? part.length : 0), 0);
  const calls = parts.filter((part) => part.type === "call").length;
  if (textLength !== message.text.length || calls !== message.toolCalls.length) return undefined;
  let textAt = 0;
  let callAt = 0;
  return parts.flatMap((part): AssistantPart[] => {
    const options = part.metadata ? { providerOptions: part.metadata } : {};
    if (part.type === "reasoning") return [{ type: "reasoning", text: part.text, ...options }];
    if (part.type === "text") {
      const text = message.text.slice(textAt, textAt + part.length);
      textAt += part.length;
      return text === "" ? [] : [{ type: "text", text, ...options }];
    }
    const call = message.toolCalls[callAt];
    callAt += 1;
    return call ? [{ ...callPart(call), ...options }] : [];
  });
}

function callPart(call: AssistantMessage["toolCalls"][number]): Extract<AssistantPart, { type: "tool-call" }> {
  const isObject = typeof call.arguments === "object" && call.arguments !== null && !Array.isArray(call.arguments);
  return {
    type: "tool-call",
    toolCallId: call.callId,
    toolName: call.tool,
    // no protocol takes anything but an object here
    input: isObject ? call.arguments : {},
  };
}

function toolMessages(target: PromptTarget, results: readonly ToolMessage[]): PromptMessage[] {
  const content = results.map((result) => toolPart(target, result));
  const pictured = target.kind === "openai-compatible" ? results.filter(({ images }) => images.length > 0) : [];
  if (pictured.length === 0) return [{ role: "tool", content }];
  // chat completions have no images in tool results; a person's message is the only place for them
  const shown = pictured.flatMap((result): UserPart[] => [
    { type: "text", text: `[Images returned by ${result.tool}, call ${result.callId}:]` },
    ...result.images.map((image) => userPart(target, image)),
  ]);
  return [
    { role: "tool", content },
    { role: "user", content: shown },
  ];
}

function toolPart(target: PromptTarget, result: ToolMessage): ToolPart {
  const text = result.output.toWellFormed() || "(no output)";
  const common = { type: "tool-result" as const, toolCallId: result.callId, toolName: result.tool };
  const images =
    target.kind === "openai-compatible" ? [] : result.images.filter(({ mediaType }) => imageTypes.has(mediaType));
  if (images.length > 0) {
    const value = [{ type: "text" as const, text }, ...images.map((image) => filePart(image))];
    return { ...common, output: { type: "content", value } };
  }
  const isMarked = result.failed && target.kind === "anthropic";
  return { ...common, output: { type: isMarked ? "error-text" : "text", value: text } };
}
