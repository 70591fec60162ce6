// A conversation as this terminal knows it: a fold over followed events and live signals, and the messages on their way out.

import { stripVTControlCharacters } from "node:util";
import type { TurnEnding } from "../../contract/event.ts";
import type { OpenApproval, Session } from "../../contract/method.ts";
import type { ThinkingLevel } from "../../contract/model.ts";
import { visibleLine, visibleText } from "../visible-text.ts";
import type { ApprovalItem, Tone, ViewItem } from "./view-item.ts";
import { putItem } from "./view-item.ts";

export type OutgoingMessage = { key: string; text: string; seq: number | undefined };
export type Spending = { inputTokens: number; outputTokens: number; costUsd: number; unpricedCalls: number };
export type CurrentTurn = {
  id: string;
  startedAtMs: number;
  waiting: boolean;
  stopping: boolean;
  /** The last step whose text is in the log; live signals up to it come too late. */
  finishedStep: number;
  /** This client joined while a step was being written, so its beginning is missing. */
  joinedMidway: boolean;
  /** The model that had to be asked again in this step. */
  retried: string | undefined;
};
export type ApprovalElsewhere = { approvalId: string; conversation: string; tool: string; display: string };

export type ChatState = {
  conversation: string;
  /** Everything up to this sequence number has been taken in, of every conversation. */
  lastSeq: number;
  items: readonly ViewItem[];
  outgoing: readonly OutgoingMessage[];
  turn: CurrentTurn | undefined;
  lastEnding: { turn: string; ending: TurnEnding } | undefined;
  /** The model that wrote the last step, or the one this conversation was set to. */
  model: string | undefined;
  thinking: ThinkingLevel | undefined;
  agent: string | undefined;
  spending: Spending;
  elsewhere: readonly ApprovalElsewhere[];
  notices: number;
};

export function emptyChat(conversation: string): ChatState {
  return {
    conversation,
    lastSeq: 0,
    items: [],
    outgoing: [],
    turn: undefined,
    lastEnding: undefined,
    model: undefined,
    thinking: undefined,
    agent: undefined,
    spending: { inputTokens: 0, outputTokens: 0, costUsd: 0, unpricedCalls: 0 },
    elsewhere: [],
    notices: 0,
  };
}

export function openApprovals(state: ChatState): readonly ApprovalItem[] {
  return state.items.filter((item) => item.kind === "approval" && item.decision === undefined) as ApprovalItem[];
}

/** Nothing is on its way, waiting for a turn or being worked on; a turn that waits for a person counts as settled. */
export function isSettled(state: ChatState): boolean {
  if (state.outgoing.length > 0) return false;
  if (state.turn) return state.turn.waiting;
  return !isMessageWaiting(state);
}

/** Messages are taken in their order, so the last one tells for all. */
export function isMessageWaiting(state: ChatState): boolean {
  const last = state.items.findLast((item) => item.kind === "user");
  return last?.kind === "user" && last.turn === undefined;
}

export function addNotice(state: ChatState, tone: Tone, text: string): ChatState {
  const notice: ViewItem = {
    kind: "notice",
    id: `notice:${state.notices}`,
    tone,
    text: visibleText(text),
    turn: undefined,
  };
  return { ...state, notices: state.notices + 1, items: [...state.items, notice] };
}

/** One line for a break of the connection, which first says that it was lost and then that it is back. */
export function noteConnection(state: ChatState, text: string): ChatState {
  const id = `connection:${state.lastSeq}`;
  return { ...state, items: putItem(state.items, { kind: "notice", id, tone: "quiet", text, turn: undefined }) };
}

export function addOutgoing(state: ChatState, key: string, text: string): ChatState {
  return { ...state, outgoing: [...state.outgoing, { key, text, seq: undefined }] };
}

/** The gateway has the message; it leaves the list of outgoing ones when its event is here. */
export function markSent(state: ChatState, key: string, seq: number): ChatState {
  const outgoing =
    state.lastSeq >= seq
      ? state.outgoing.filter((message) => message.key !== key)
      : state.outgoing.map((message) => (message.key === key ? { ...message, seq } : message));
  return { ...state, outgoing };
}

export function dropOutgoing(state: ChatState, key: string): ChatState {
  return { ...state, outgoing: state.outgoing.filter((message) => message.key !== key) };
}

export function startedTurn(id: string, startedAtMs: number): CurrentTurn {
  return {
    id,
    startedAtMs,
    waiting: false,
    stopping: false,
    finishedStep: -1,
    joinedMidway: false,
    retried: undefined,
  };
}

/** After a lost connection the rest of a half-written step may be missing: it is shown anew from here on. */
export function joinAgain(state: ChatState): ChatState {
  if (!state.turn) return state;
  return { ...state, items: withoutHalfWritten(state.items), turn: { ...state.turn, joinedMidway: true } };
}

export function withoutHalfWritten(items: readonly ViewItem[]): readonly ViewItem[] {
  return items.filter((item) => !((item.kind === "assistant" || item.kind === "reasoning") && item.streaming));
}

/** Takes in approvals that were asked before the part of the history this client has read. */
export function addOpenApprovals(state: ChatState, approvals: readonly OpenApproval[]): ChatState {
  let { items, elsewhere } = state;
  for (const approval of approvals) {
    const { approvalId, sessionKey: conversation } = approval;
    const tool = visibleLine(approval.tool, 60);
    const display = visibleText(stripVTControlCharacters(approval.display));
    const id = `approval:${approvalId}`;
    if (conversation !== state.conversation)
      elsewhere = addElsewhere(elsewhere, { approvalId, conversation, tool, display: visibleLine(display, 120) });
    else if (!items.some((item) => item.id === id)) {
      const reason = visibleText(stripVTControlCharacters(approval.reason));
      const answer = { decision: undefined, because: undefined };
      items = putItem(items, {
        kind: "approval",
        id,
        approvalId,
        turn: approval.turn,
        tool,
        display,
        reason,
        ...answer,
      });
    }
  }
  return { ...state, items, elsewhere };
}

export function addElsewhere(
  elsewhere: readonly ApprovalElsewhere[],
  approval: ApprovalElsewhere,
): readonly ApprovalElsewhere[] {
  return [...elsewhere.filter((other) => other.approvalId !== approval.approvalId), approval];
}

export function applySession(state: ChatState, session: Session): ChatState {
  return {
    ...state,
    model: session.model ?? state.model,
    thinking: session.thinking ?? state.thinking,
    agent: session.agent ?? state.agent,
  };
}
