import type { ModelMessage, ToolCall } from "../../contract/model.ts";

type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;

/**
 * A history that every provider accepts: it begins and ends with a person or a tool, each call is followed by exactly one
 * result, no result stands without its call, and no call id occurs twice.
 */
export function tidyHistory(messages: readonly ModelMessage[]): ModelMessage[] {
  const tidy: ModelMessage[] = [];
  const usedIds = new Set<string>();
  messages.forEach((message, at) => {
    if (message.role === "user") addUser(tidy, message.content);
    // a tool result is taken along with its call, so one whose call is gone is left out
    if (message.role === "assistant") addStep(tidy, message, () => resultsAfter(messages, at), usedIds);
  });
  if (tidy[0]?.role !== "user") tidy.unshift(userText("[Earlier messages are left out.]"));
  if (tidy.at(-1)?.role === "assistant") tidy.push(userText("Go on."));
  return tidy;
}

/** Anthropic allows only these characters in an id, OpenAI at most 64 of them. */
export function uniqueCallId(wanted: string, used: Set<string>): string {
  const clean = wanted.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 56) || "call";
  let id = clean;
  for (let count = 2; used.has(id); count += 1) id = `${clean}-${count}`;
  used.add(id);
  return id;
}

// strict chat templates want people and assistant to take turns, so neighbours become one message
function addUser(tidy: ModelMessage[], content: Extract<ModelMessage, { role: "user" }>["content"]): void {
  const filled = content.filter((part) => part.type !== "text" || part.text !== "");
  if (filled.length === 0) return;
  const last = tidy.at(-1);
  if (last?.role === "user") tidy[tidy.length - 1] = { role: "user", content: [...last.content, ...filled] };
  else tidy.push({ role: "user", content: filled });
}

function addStep(
  tidy: ModelMessage[],
  message: AssistantMessage,
  findResults: () => ReadonlyMap<string, ToolMessage>,
  usedIds: Set<string>,
): void {
  if (message.toolCalls.length === 0) {
    if (message.text.trim() !== "") tidy.push(message);
    return;
  }
  const results = findResults();
  const toolCalls = message.toolCalls.map((call) => ({ ...call, callId: uniqueCallId(call.callId, usedIds) }));
  tidy.push({ ...message, toolCalls });
  message.toolCalls.forEach((call, at) => {
    const callId = toolCalls[at]?.callId ?? call.callId;
    tidy.push({ ...(results.get(call.callId) ?? missingResult(call)), callId });
  });
}

// what a person says between call and result is kept for after the results; ids are only unique up to the next calls
function resultsAfter(messages: readonly ModelMessage[], at: number): ReadonlyMap<string, ToolMessage> {
  const results = new Map<string, ToolMessage>();
  for (const message of messages.slice(at + 1)) {
    if (message.role === "assistant" && message.toolCalls.length > 0) break;
    if (message.role === "tool") results.set(message.callId, message);
  }
  return results;
}

function missingResult(call: ToolCall): ToolMessage {
  const output = "There is no result: the call was cut off.";
  return { role: "tool", callId: call.callId, tool: call.tool, failed: true, output, images: [] };
}

function userText(text: string): ModelMessage {
  return { role: "user", content: [{ type: "text", text }] };
}
