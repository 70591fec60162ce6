// A conversation told event by event, for the tests of the fold.

import type { Conversation, ConversationItem } from "../../src/contract/conversation/conversation.ts";
import { emptyConversation } from "../../src/contract/conversation/conversation.ts";
import { foldConversation } from "../../src/contract/conversation/fold-conversation.ts";
import type { Event, NewEvent } from "../../src/contract/event.ts";
import type { ModelTrouble } from "../../src/contract/model.ts";
import type { Followed } from "../../src/contract/wire/client.ts";
import type { LiveSignal } from "../../src/contract/wire/live-signal.ts";

export const here = { conversation: "web--one" };
export const turn = { ...here, turn: "t1" };
export const owner = { kind: "owner", id: "me" } as const;
export const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 };
type Happening = NewEvent | LiveSignal;

export function placed(happenings: readonly Happening[]): Followed[] {
  return happenings.map((happening, index) =>
    happening.type.startsWith("live.")
      ? (happening as LiveSignal)
      : ({ attachments: [], changes: [], labels: [], ...happening, seq: index + 1, atMs: (index + 1) * 1000 } as Event),
  );
}
export function told(...happenings: Happening[]): Conversation {
  return foldConversation(emptyConversation("web--one"), placed(happenings));
}
export function message(text: string, more: Partial<Extract<NewEvent, { type: "message.received" }>> = {}): NewEvent {
  return { ...here, type: "message.received", messageId: "m", channel: "web", sender: owner, text, ...more };
}
export function started(messages: number[] = [1], id = "t1"): NewEvent {
  return { ...here, turn: id, type: "turn.started", messages };
}
export function writing(delta: string, step = 0): LiveSignal {
  return { ...turn, type: "live.text", step, delta };
}
export function step(text: string, more: Partial<Extract<NewEvent, { type: "step.finished" }>> = {}): NewEvent {
  const finish = "stop" as const;
  return {
    ...turn,
    type: "step.finished",
    step: 0,
    model: "a/one",
    text,
    toolCalls: [],
    finish,
    usage,
    costUsd: 0.01,
    ...more,
  };
}
export function failed(kind: ModelTrouble): NewEvent {
  const words = { reason: "a is at fault", message: "a is at fault. Do this." };
  return { ...turn, type: "model.failed", step: 0, model: "a/one", attempt: 1, kind, ...words };
}
export function ended(
  ending: Extract<NewEvent, { type: "turn.finished" }>["ending"] = "answered",
  detail?: string,
): NewEvent {
  return { ...turn, type: "turn.finished", ending, ...(detail === undefined ? {} : { detail }) };
}
const call = { callId: "c1", tool: "bash", arguments: { command: "ls" } };
export const calling = step("", { toolCalls: [call], finish: "tool_calls" });
export const sent: NewEvent = { ...turn, type: "tool.sent", callId: "c1", tool: "bash" };
export function returned(outcome: "done" | "failed" | "denied" | "stopped" | "unknown", output = "out"): NewEvent {
  return { ...turn, type: "tool.returned", callId: "c1", tool: "bash", outcome, output };
}
export const asked: NewEvent = {
  ...turn,
  ...call,
  type: "approval.asked",
  approvalId: "ap1",
  binding: "b",
  display: "ls",
  rule: "shell",
  reason: "runs a command",
  expiresAtMs: 9e12,
};
export function answered(decision: "approved" | "denied" | "expired", reason?: string): NewEvent {
  const rest = reason === undefined ? {} : { reason };
  return { ...turn, type: "approval.answered", approvalId: "ap1", callId: "c1", decision, by: owner, ...rest };
}
export function words(conversation: Conversation): string[] {
  return [...conversation.items, ...conversation.waiting].map(itemWords);
}
function itemWords(item: ConversationItem): string {
  if (item.kind === "tool") return `${item.tool}: ${item.status}`;
  if (item.kind === "approval") return `${item.approval.display}? ${item.decision ?? "open"}`;
  if (item.kind === "cost") return `cost: ${item.spending.inputTokens + item.spending.outputTokens}`;
  if (item.kind === "answer" && item.ending) return `notice: ${item.text.replace(/^\((.*)\)$/, "$1")}`;
  return `${item.kind}: ${item.text}`;
}
