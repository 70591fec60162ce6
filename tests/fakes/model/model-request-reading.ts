// What a person said last and what the tools returned since, read out of any of the three protocols' request bodies.
import type { Protocol } from "./model-answer.ts";

type Entry = { role: "user" | "assistant" | "tool" | "other"; text: string };

export function readConversation(
  protocol: Protocol,
  body: Record<string, unknown>,
): { lastUserText: string; toolOutputs: string[] } {
  const raw = protocol === "responses" ? body.input : body.messages;
  const entries = asArray(raw).flatMap((message) => entriesOf(protocol, asRecord(message)));
  const lastAssistant = entries.findLastIndex((entry) => entry.role === "assistant");
  return {
    lastUserText: entries.findLast((entry) => entry.role === "user" && entry.text !== "")?.text ?? "",
    toolOutputs: entries.slice(lastAssistant + 1).flatMap((entry) => (entry.role === "tool" ? [entry.text] : [])),
  };
}

function entriesOf(protocol: Protocol, message: Record<string, unknown>): Entry[] {
  if (message.type === "function_call_output") return [{ role: "tool", text: textOf(message.output) }];
  if (message.type === "function_call" || message.type === "reasoning") return [{ role: "assistant", text: "" }];
  const role = message.role;
  if (role === "tool") return [{ role: "tool", text: textOf(message.content) }];
  if (role === "assistant") return [{ role: "assistant", text: textOf(message.content) }];
  if (role !== "user") return [{ role: "other", text: "" }];
  if (protocol !== "anthropic") return [{ role: "user", text: textOf(message.content) }];
  const parts = asArray(message.content).map(asRecord);
  const results = parts.filter((part) => part.type === "tool_result");
  return [
    ...results.map((part): Entry => ({ role: "tool", text: textOf(part.content) })),
    { role: "user", text: textOf(typeof message.content === "string" ? message.content : parts) },
  ];
}

// facts that a memory lays beside a message are no orders, and whoever heeds what it is told does not follow them
const recalled = "[From your memory, ";

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return asArray(content)
    .map(asRecord)
    .map(({ text }) => (typeof text === "string" && !text.startsWith(recalled) ? text : ""))
    .join("");
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
