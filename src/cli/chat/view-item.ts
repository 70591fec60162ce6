// What a person sees of a conversation, in order; both views show the same list.
import type { ApprovalDecision, ToolOutcome } from "../../contract/event.ts";

export type ToolStatus = "called" | "running" | "waiting" | ToolOutcome;
export type Tone = "quiet" | "text" | "warning" | "error";

export type UserItem = {
  kind: "user";
  id: string;
  seq: number;
  text: string;
  /** The name of a sender who is not the owner. */
  from: string | undefined;
  /** Written in this very chat, so that a plain terminal already shows it. */
  mine: boolean;
  attachments: readonly string[];
  /** The turn that took the message; until then it waits. */
  turn: string | undefined;
};
export type AssistantItem = {
  kind: "assistant";
  id: string;
  turn: string | undefined;
  step: number | undefined;
  text: string;
  streaming: boolean;
  /** The beginning was not seen; the finished text will replace this one. */
  partial: boolean;
  attachments: readonly string[];
};
export type ReasoningItem = {
  kind: "reasoning";
  id: string;
  turn: string;
  step: number;
  text: string;
  streaming: boolean;
};
export type ToolItem = {
  kind: "tool";
  id: string;
  turn: string;
  callId: string;
  tool: string;
  /** The arguments in a few words. */
  summary: string;
  status: ToolStatus;
  startedAtMs: number | undefined;
  durationMs: number | undefined;
  /** The latest progress while it runs, the first words of what went wrong afterwards. */
  detail: string | undefined;
};
export type ApprovalItem = {
  kind: "approval";
  id: string;
  approvalId: string;
  turn: string;
  tool: string;
  display: string;
  reason: string;
  decision: ApprovalDecision | undefined;
  because: string | undefined;
};
export type NoticeItem = { kind: "notice"; id: string; tone: Tone; text: string; turn: string | undefined };

export type ViewItem = UserItem | AssistantItem | ReasoningItem | ToolItem | ApprovalItem | NoticeItem;

/** Replaces the item with the same id where it stands, or adds it at the end. */
export function putItem(items: readonly ViewItem[], item: ViewItem): readonly ViewItem[] {
  const index = items.findLastIndex((other) => other.id === item.id);
  return index < 0 ? [...items, item] : items.with(index, item);
}

export function dropItem(items: readonly ViewItem[], id: string): readonly ViewItem[] {
  return items.some((item) => item.id === id) ? items.filter((item) => item.id !== id) : items;
}

export function findItem<Kind extends ViewItem["kind"]>(
  items: readonly ViewItem[],
  kind: Kind,
  id: string,
): Extract<ViewItem, { kind: Kind }> | undefined {
  const found = items.findLast((item) => item.id === id && item.kind === kind);
  return found as Extract<ViewItem, { kind: Kind }> | undefined;
}

export function itemId(kind: "assistant" | "reasoning" | "tool", turn: string, part: number | string): string {
  return `${kind}:${turn}:${part}`;
}
