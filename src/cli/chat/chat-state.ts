// A conversation as this terminal knows it: what all clients fold, and what only this one knows.
import {
  type Conversation,
  type ConversationItem,
  emptyConversation,
  type NoticeTone,
} from "../../contract/conversation/conversation.ts";
import { addNotice } from "../../contract/conversation/fold-conversation.ts";
import { unanswered } from "../../contract/conversation/open-approval.ts";
import type { OpenApproval } from "../../contract/wire/method.ts";
import { shortenQuestion } from "../../contract/words/spell-out.ts";
import { visibleLine } from "../visible-text.ts";
import { visibleApproval } from "./visible-item.ts";

export type OutgoingMessage = { key: string; text: string; seq: number | undefined };

export type ChatState = Conversation & {
  /** Everything up to this sequence number has been taken in, of every conversation. */
  followedThrough: number;
  outgoing: readonly OutgoingMessage[];
  /** The numbers of messages written in this very chat, which a plain terminal already shows. */
  own: ReadonlySet<number>;
  /** What waits for a person, in any conversation. */
  approvals: readonly OpenApproval[];
  notices: number;
};

export function emptyChat(key: string): ChatState {
  return { ...emptyConversation(key), followedThrough: 0, outgoing: [], own: new Set(), approvals: [], notices: 0 };
}

/** What there is to see, with the messages that no turn has taken yet at the end. */
export function allItems(state: ChatState): readonly ConversationItem[] {
  return [...state.items, ...state.waiting];
}

export function openApprovals(state: ChatState): readonly OpenApproval[] {
  return unanswered(state).map(visibleApproval);
}

export function approvalsElsewhere(state: ChatState): readonly OpenApproval[] {
  return state.approvals.filter(({ sessionKey }) => sessionKey !== state.key);
}

export function elsewhereWords(approval: OpenApproval): string {
  const where = visibleLine(approval.sessionKey, 80);
  const { text, isWhole } = shortElsewhere(approval);
  const how = isWhole ? `/approve ${approval.approvalId}` : `all of it: /sessions ${where}`;
  return `Something waits for your approval in ${where}: ${text}  (${how})`;
}

/** A question as it is told outside its conversation. */
export function shortElsewhere({ display }: OpenApproval): ReturnType<typeof shortenQuestion> {
  return shortenQuestion(display, 120);
}

/** The model that wrote the last step, or the one this conversation was set to. */
export function modelOf(state: ChatState): string | undefined {
  return state.lastModel ?? state.modelWish;
}

/** A turn is under way and does not wait for a person. */
export function isWorking({ turn }: ChatState): boolean {
  return turn !== undefined && turn.waitingSinceMs === undefined;
}

/** Nothing is on its way, waiting for a turn or being worked on; a turn that waits for a person counts as settled. */
export function isSettled(state: ChatState): boolean {
  if (state.outgoing.length > 0) return false;
  return state.turn ? !isWorking(state) : !isMessageWaiting(state);
}

/** Messages are taken in their order, so the last one tells for all. */
export function isMessageWaiting(state: ChatState): boolean {
  const last = state.waiting.at(-1);
  return last !== undefined && !state.items.some((item) => item.kind === "person" && item.seq > last.seq);
}

export function addRemark(state: ChatState, tone: NoticeTone, text: string): ChatState {
  return addNotice({ ...state, notices: state.notices + 1 }, `notice:${state.notices}`, { tone, text });
}

/** One line for a break of the connection, which first says that it was lost and then that it is back. */
export function noteConnection(state: ChatState, text: string): ChatState {
  return addNotice(state, `connection:${state.followedThrough}`, { tone: "quiet", text });
}

export function addOutgoing(state: ChatState, key: string, text: string): ChatState {
  return { ...state, outgoing: [...state.outgoing, { key, text, seq: undefined }] };
}

/** The gateway has the message; it leaves the list of outgoing ones when its event is here. */
export function markSent(state: ChatState, key: string, seq: number): ChatState {
  if (state.followedThrough >= seq) return dropOutgoing(state, key);
  const outgoing = state.outgoing.map((message) => (message.key === key ? { ...message, seq } : message));
  return { ...state, outgoing };
}

export function dropOutgoing(state: ChatState, key: string): ChatState {
  return { ...state, outgoing: state.outgoing.filter((message) => message.key !== key) };
}
