// A conversation as the page knows it: what a person sees, in order, and what goes on right now.
import type { AttachmentRef } from "../attachment.ts";
import type { ApprovalDecision, ToolOutcome, TurnEnding } from "../event.ts";
import type { FileChange } from "../file-change.ts";
import type { OpenApproval } from "../method.ts";
import type { ThinkingLevel } from "../model.ts";

export type ToolStatus = "called" | "running" | "waiting" | ToolOutcome;
export type NoticeTone = "quiet" | "warning" | "error";
export type Spending = { inputTokens: number; outputTokens: number; costUsd: number; unpricedCalls: number };

type Placed = {
  /** Stays the same while the item changes, and over a reload. */
  id: string;
  /** The number of the event that brought it, or the last one before it while it is only live. */
  seq: number;
};
export type PersonItem = Placed & {
  kind: "person";
  atMs: number;
  text: string;
  /** The name of a sender who is not the owner. */
  from: string | undefined;
  attachments: readonly AttachmentRef[];
  /** The turn that took the message. */
  turn: string | undefined;
};
export type AnswerItem = Placed & {
  kind: "answer";
  turn: string | undefined;
  step: number | undefined;
  text: string;
  streaming: boolean;
  /** The beginning was not seen; the finished text will replace this one. */
  partial: boolean;
  attachments: readonly AttachmentRef[];
};
export type ReasoningItem = Placed & {
  kind: "reasoning";
  turn: string;
  step: number;
  text: string;
  streaming: boolean;
};
export type ToolItem = Placed & {
  kind: "tool";
  turn: string;
  callId: string;
  tool: string;
  arguments: unknown;
  status: ToolStatus;
  startedAtMs: number | undefined;
  durationMs: number | undefined;
  /** The latest line it told while running. */
  progress: string | undefined;
  output: string | undefined;
  attachments: readonly AttachmentRef[];
  changes: readonly FileChange[];
  /** The number of its tool.returned event: what is named to take the changes back. */
  returned: number | undefined;
  undone: boolean;
};
export type ApprovalItem = Placed & {
  kind: "approval";
  turn: string;
  callId: string | undefined;
  approval: OpenApproval;
  decision: ApprovalDecision | undefined;
  because: string | undefined;
};
export type NoticeItem = Placed & {
  kind: "notice";
  tone: NoticeTone;
  text: string;
  /** More to read for whoever wants it. */
  detail?: string;
  turn: string | undefined;
};
export type CostItem = Placed & {
  kind: "cost";
  turn: string;
  spending: Spending;
  models: readonly string[];
  /** How long it worked, without the time it waited for a person. */
  durationMs: number;
  ending: TurnEnding;
  /** False when only the end of the turn was read, so that the figures tell nothing. */
  whole: boolean;
};
export type ConversationItem =
  | PersonItem
  | AnswerItem
  | ReasoningItem
  | ToolItem
  | ApprovalItem
  | NoticeItem
  | CostItem;

export type CurrentTurn = {
  id: string;
  startSeq: number;
  startedAtMs: number;
  /** Set while it waits for a person. */
  waitingSinceMs: number | undefined;
  waitedMs: number;
  stopping: boolean;
  /** The last step whose text is in the log; live signals up to it come too late. */
  finishedStep: number;
  /** This page joined while a step was being written, so its beginning is missing. */
  joinedMidway: boolean;
  /** The model that had to be asked again in this step. */
  retried: string | undefined;
  /** False when the history that was read begins in the middle of it. */
  wholeSeen: boolean;
  spending: Spending;
  models: readonly string[];
};

export type Conversation = {
  key: string;
  /** Everything of this conversation up to this number has been taken in. */
  lastSeq: number;
  items: readonly ConversationItem[];
  /** Messages that no turn has taken yet; each joins the others where it is taken. */
  waiting: readonly PersonItem[];
  turn: CurrentTurn | undefined;
  /** Turns that were set aside; whatever still comes from them is no part of the conversation. */
  goneTurns: readonly string[];
  /** What this conversation was set to; undefined leaves the choice to the house. */
  modelWish: string | undefined;
  thinking: ThinkingLevel | undefined;
  title: string | undefined;
  /** The model that wrote the last step. */
  lastModel: string | undefined;
  /** How much the model had before it in the last step. */
  contextTokens: number | undefined;
  spending: Spending;
  /** Events up to this number are part of the spending already. */
  spendingThrough: number;
  deleted: boolean;
};

export const noSpending: Spending = { inputTokens: 0, outputTokens: 0, costUsd: 0, unpricedCalls: 0 };

export function emptyConversation(key: string): Conversation {
  return {
    key,
    lastSeq: 0,
    items: [],
    waiting: [],
    turn: undefined,
    goneTurns: [],
    modelWish: undefined,
    thinking: undefined,
    title: undefined,
    lastModel: undefined,
    contextTokens: undefined,
    spending: noSpending,
    spendingThrough: 0,
    deleted: false,
  };
}

/** Replaces the item with the same id where it stands, or adds it at the end. */
export function putItem(items: readonly ConversationItem[], item: ConversationItem): readonly ConversationItem[] {
  const index = items.findLastIndex((other) => other.id === item.id);
  return index < 0 ? [...items, item] : items.with(index, item);
}

export function dropItem(items: readonly ConversationItem[], id: string): readonly ConversationItem[] {
  return items.some((item) => item.id === id) ? items.filter((item) => item.id !== id) : items;
}

export function findItem<Kind extends ConversationItem["kind"]>(
  items: readonly ConversationItem[],
  kind: Kind,
  id: string,
): Extract<ConversationItem, { kind: Kind }> | undefined {
  const found = items.findLast((item) => item.id === id && item.kind === kind);
  return found as Extract<ConversationItem, { kind: Kind }> | undefined;
}

export function itemId(kind: "answer" | "reasoning" | "tool", turn: string, part: number | string): string {
  return `${kind}:${turn}:${part}`;
}

export function withoutHalfWritten(items: readonly ConversationItem[]): readonly ConversationItem[] {
  return items.filter((item) => !((item.kind === "answer" || item.kind === "reasoning") && item.streaming));
}

/** The page was not there when the step under way began: what it sees of it is not the whole. */
export function joinedMidway(conversation: Conversation): Conversation {
  return conversation.turn ? { ...conversation, turn: { ...conversation.turn, joinedMidway: true } } : conversation;
}

/** Takes in questions that were asked before the part of the history that was read. */
export function addOpenApprovals(conversation: Conversation, approvals: readonly OpenApproval[]): Conversation {
  const unknown = approvals.filter(
    ({ sessionKey, approvalId }) =>
      sessionKey === conversation.key && !conversation.items.some((item) => item.id === `approval:${approvalId}`),
  );
  const items = unknown.map((approval): ApprovalItem => {
    const { approvalId, turn } = approval;
    const id = `approval:${approvalId}`;
    return { kind: "approval", id, seq: 0, turn, callId: undefined, approval, decision: undefined, because: undefined };
  });
  return items.length === 0 ? conversation : { ...conversation, items: [...conversation.items, ...items] };
}
