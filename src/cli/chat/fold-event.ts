import type { Event, EventOf } from "../../contract/event.ts";
import { visibleLine, visibleText } from "../visible-text.ts";
import { elsewhereWords } from "./approval-words.ts";
import type { ChatState } from "./chat-state.ts";
import { addElsewhere, startedTurn, withoutHalfWritten } from "./chat-state.ts";
import { foldApprovalAnswered, foldApprovalAsked, foldToolReturned, foldToolSent } from "./fold-tool-event.ts";
import { foldReplyWritten, foldStepFinished, foldTurnFinished } from "./fold-turn-event.ts";
import { attachmentWords, compactionWords } from "./notice-words.ts";
import type { UserItem, ViewItem } from "./view-item.ts";
import { dropItem, putItem } from "./view-item.ts";

/** Takes in one event of the log; one that was seen before changes nothing. */
export function foldEvent(state: ChatState, event: Event): ChatState {
  if (event.seq <= state.lastSeq) return state;
  const seen = { ...state, lastSeq: event.seq };
  if (event.conversation !== state.conversation) return foldEventElsewhere(seen, event);
  switch (event.type) {
    case "message.received":
      return foldMessageReceived(seen, event);
    case "message.refused":
      return foldMessageRefused(seen, event);
    case "turn.started":
      return foldTurnStarted(seen, event);
    case "turn.resumed":
      return foldTurnResumed(seen, event);
    case "turn.steered":
      return takeMessages(seen, event.turn, event.messages);
    case "turn.waiting":
      return withTurn(seen, event, { waiting: true });
    case "turn.stop_requested":
      return withTurn(seen, event, { stopping: true });
    case "turn.finished":
      return foldTurnFinished(seen, event);
    case "step.finished":
      return foldStepFinished(withTurn(seen, event, { waiting: false }), event);
    case "tool.sent":
      return foldToolSent(withTurn(seen, event, { waiting: false }), event);
    case "tool.returned":
      return foldToolReturned(seen, event);
    case "approval.asked":
      return foldApprovalAsked(seen, event);
    case "approval.answered":
      return resumeWhenAnswered(foldApprovalAnswered(seen, event), event);
    case "reply.written":
      return foldReplyWritten(seen, event);
    case "reply.delivered":
      return seen;
    case "changes.undone":
      return { ...seen, items: putItem(seen.items, quietNotice(`undone:${event.seq}`, visibleText(event.output))) };
    case "conversation.configured":
      return foldConfigured(seen, event);
    case "conversation.compacted":
      return { ...seen, items: putItem(seen.items, quietNotice(`compacted:${event.seq}`, compactionWords(event))) };
    case "conversation.rewound":
      return { ...seen, items: itemsBefore(seen.items, event.fromSeq) };
    case "conversation.deleted":
      return { ...seen, items: [quietNotice(`deleted:${event.seq}`, "This conversation was deleted.")] };
    case "access.granted":
    case "access.revoked":
    case "settings.changed":
      return seen;
    default:
      // a newer gateway may tell of things this terminal does not know
      event satisfies never;
      return seen;
  }
}

// what came after the message that was changed is no longer part of the conversation
function itemsBefore(items: ChatState["items"], seq: number): ChatState["items"] {
  const index = items.findIndex((item) => item.kind === "user" && item.seq >= seq);
  return index < 0 ? items : items.slice(0, index);
}

function foldEventElsewhere(before: ChatState, event: Event): ChatState {
  // sent just before this chat turned to another conversation
  const outgoing = before.outgoing.filter((message) => message.seq === undefined || message.seq > event.seq);
  const state = { ...before, outgoing };
  if (event.type === "approval.asked") {
    const { approvalId } = event;
    const conversation = visibleLine(event.conversation, 80);
    const waiting = {
      approvalId,
      conversation,
      tool: visibleLine(event.tool, 60),
      display: visibleLine(event.display, 120),
    };
    return {
      ...state,
      elsewhere: addElsewhere(state.elsewhere, waiting),
      items: putItem(state.items, quietNotice(`elsewhere:${approvalId}`, elsewhereWords(waiting))),
    };
  }
  if (event.type !== "approval.answered") return state;
  return {
    ...state,
    elsewhere: state.elsewhere.filter((approval) => approval.approvalId !== event.approvalId),
    items: dropItem(state.items, `elsewhere:${event.approvalId}`),
  };
}

function foldMessageReceived(state: ChatState, event: EventOf<"message.received">): ChatState {
  // the answer to chat.send may come after the event; until then the text tells which outgoing message this is
  const own = state.outgoing.find((message) => message.seq === event.seq || message.text === event.text);
  const item: UserItem = {
    kind: "user",
    id: `message:${event.seq}`,
    seq: event.seq,
    text: visibleText(event.text),
    from: event.sender.kind === "owner" ? undefined : visibleLine(event.sender.name ?? event.sender.id, 40),
    mine: own !== undefined,
    attachments: event.attachments.map(attachmentWords),
    turn: undefined,
  };
  return { ...state, outgoing: state.outgoing.filter((message) => message !== own), items: putItem(state.items, item) };
}

function foldMessageRefused(state: ChatState, event: EventOf<"message.refused">): ChatState {
  const own = state.outgoing.find((message) => message.seq === event.seq || message.text === event.text);
  const text = `“${visibleLine(event.text, 60)}” was not taken: ${visibleText(event.reason)}`;
  const notice: ViewItem = { kind: "notice", id: `refused:${event.seq}`, tone: "warning", text, turn: undefined };
  return {
    ...state,
    outgoing: state.outgoing.filter((message) => message !== own),
    items: putItem(state.items, notice),
  };
}

function foldTurnStarted(state: ChatState, event: EventOf<"turn.started">): ChatState {
  return takeMessages({ ...state, turn: startedTurn(event.turn, event.atMs) }, event.turn, event.messages);
}

// the new process writes the interrupted step again from its beginning
function foldTurnResumed(state: ChatState, event: EventOf<"turn.resumed">): ChatState {
  const notice = quietNotice(`resumed:${event.seq}`, "Steward goes on where it was.");
  return withTurn({ ...state, items: putItem(withoutHalfWritten(state.items), notice) }, event, { waiting: false });
}

function takeMessages(state: ChatState, turn: string, messages: readonly number[]): ChatState {
  const items = state.items.map((item) =>
    item.kind === "user" && item.turn === undefined && messages.includes(item.seq) ? { ...item, turn } : item,
  );
  return { ...state, items };
}

function withTurn(
  state: ChatState,
  event: { turn: string; atMs: number },
  change: { waiting?: boolean; stopping?: boolean },
): ChatState {
  // the history that was read may begin in the middle of a turn
  const known = state.turn?.id === event.turn ? state.turn : startedTurn(event.turn, event.atMs);
  // the time a person took to answer is not working time
  const turn = known.waiting && change.waiting === false ? { ...known, startedAtMs: event.atMs } : known;
  return { ...state, turn: { ...turn, ...change } };
}

function resumeWhenAnswered(state: ChatState, event: EventOf<"approval.answered">): ChatState {
  const stillOpen = state.items.some(
    (item) => item.kind === "approval" && item.turn === event.turn && item.decision === undefined,
  );
  return stillOpen || state.turn?.id !== event.turn ? state : withTurn(state, event, { waiting: false });
}

function foldConfigured(state: ChatState, event: EventOf<"conversation.configured">): ChatState {
  return {
    ...state,
    model: event.model === undefined ? state.model : (event.model ?? undefined),
    thinking: event.thinking === undefined ? state.thinking : (event.thinking ?? undefined),
    agent: event.agent === undefined ? state.agent : (event.agent ?? undefined),
  };
}

function quietNotice(id: string, text: string): ViewItem {
  return { kind: "notice", id, tone: "quiet", text, turn: undefined };
}
