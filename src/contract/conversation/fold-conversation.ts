// What is told of a conversation comes in, what a person sees of it goes out; nothing here remembers or asks anything.
import type { Followed } from "../client.ts";
import type { Event, EventOf } from "../event.ts";
import type { LiveSignal } from "../live-signal.ts";
import type { Conversation, CurrentTurn, NoticeItem, PersonItem } from "./conversation.ts";
import { noSpending, putItem, withoutHalfWritten } from "./conversation.ts";
import { foldLive } from "./fold-live.ts";
import {
  foldApprovalAnswered,
  foldApprovalAsked,
  foldChangesUndone,
  foldToolReturned,
  foldToolSent,
} from "./fold-tool.ts";
import { addSpending, foldReplyWritten, foldStepFinished, foldTurnFinished } from "./fold-turn.ts";
import { compactionWords, visibleLine } from "./notice-words.ts";

export function foldFollowed(conversation: Conversation, followed: Followed): Conversation {
  return isLive(followed) ? foldLive(conversation, followed) : foldEvent(conversation, followed);
}

export function isLive(followed: Followed): followed is LiveSignal {
  return followed.type.startsWith("live.");
}

/** Takes in one event of the log; one of another conversation, or one that was seen before, changes nothing. */
function foldEvent(before: Conversation, event: Event): Conversation {
  if (event.conversation !== before.key || event.seq <= before.lastSeq) return before;
  const conversation = { ...before, lastSeq: event.seq };
  if ("turn" in event && event.turn !== undefined && before.goneTurns.includes(event.turn)) return conversation;
  switch (event.type) {
    case "turn.started":
      return takeMessages({ ...conversation, turn: startedTurn(event, true) }, event.turn, event.messages);
    case "turn.resumed":
      return foldTurnResumed(conversation, event);
    case "turn.steered":
      return takeMessages(inTurn(conversation, event), event.turn, event.messages);
    case "turn.waiting":
      return changeTurn(inTurn(conversation, event), (turn) => ({ ...turn, waitingSinceMs: event.atMs }));
    case "turn.stop_requested":
      return changeTurn(inTurn(conversation, event), (turn) => ({ ...turn, stopping: true }));
    case "turn.finished":
      return foldTurnFinished(conversation, event);
    case "step.finished":
      return foldStepFinished(working(conversation, event), event);
    case "tool.sent":
      return foldToolSent(working(conversation, event), event);
    case "tool.returned":
      return foldToolReturned(conversation, event);
    case "approval.asked":
      return foldApprovalAsked(inTurn(conversation, event), event);
    case "approval.answered":
      return resumeWhenAnswered(foldApprovalAnswered(conversation, event), event);
    default:
      return foldPlacedEvent(conversation, event);
  }
}

type InTurnOnly = Extract<Event["type"], `turn.${string}` | `step.${string}` | `tool.${string}` | `approval.${string}`>;

function foldPlacedEvent(conversation: Conversation, event: Exclude<Event, { type: InTurnOnly }>): Conversation {
  switch (event.type) {
    case "message.received":
      return { ...conversation, waiting: [...conversation.waiting, personItem(event)] };
    case "message.refused":
      return note(conversation, `refused:${event.seq}`, {
        tone: "warning",
        text: `“${visibleLine(event.text, 60)}” was not taken: ${event.reason}`,
      });
    case "reply.written":
      return foldReplyWritten(conversation, event);
    case "changes.undone":
      return foldChangesUndone(conversation, event);
    case "conversation.configured":
      return foldConfigured(conversation, event);
    case "conversation.compacted":
      return note(addSpending(conversation, event), `compacted:${event.seq}`, {
        tone: "quiet",
        text: compactionWords(event),
        detail: event.summary,
      });
    case "conversation.rewound":
      return rewind(conversation, event.fromSeq);
    case "conversation.deleted":
      return { ...conversation, items: [], waiting: [], turn: undefined, deleted: true };
    case "reply.delivered":
    case "access.granted":
    case "access.revoked":
    case "settings.changed":
      return conversation;
    default:
      // a newer gateway may tell of things this page does not know
      event satisfies never;
      return conversation;
  }
}

function personItem(event: EventOf<"message.received">): PersonItem {
  const { seq, atMs, text, attachments, sender } = event;
  const from = sender.kind === "owner" ? undefined : visibleLine(sender.name ?? sender.id, 40);
  return { kind: "person", id: `message:${seq}`, seq, atMs, text, from, attachments, turn: undefined };
}

function note(
  conversation: Conversation,
  id: string,
  notice: Pick<NoticeItem, "tone" | "text" | "detail">,
): Conversation {
  const item: NoticeItem = { kind: "notice", id, seq: conversation.lastSeq, turn: undefined, ...notice };
  return { ...conversation, items: putItem(conversation.items, item) };
}

// the new process writes the interrupted step again from its beginning
function foldTurnResumed(conversation: Conversation, event: EventOf<"turn.resumed">): Conversation {
  const items = withoutHalfWritten(conversation.items);
  const text = "Interrupted by a restart. Steward goes on where it was.";
  return note(working({ ...conversation, items }, event), `resumed:${event.seq}`, { tone: "quiet", text });
}

// a message sent while a step is written is answered after it, so that is where it stands
function takeMessages(conversation: Conversation, turn: string, messages: readonly number[]): Conversation {
  const taken = conversation.waiting.filter((item) => messages.includes(item.seq)).map((item) => ({ ...item, turn }));
  if (taken.length === 0) return conversation;
  const waiting = conversation.waiting.filter((item) => !messages.includes(item.seq));
  return { ...conversation, waiting, items: [...conversation.items, ...taken] };
}

function startedTurn(event: { turn: string; seq: number; atMs: number }, wholeSeen: boolean): CurrentTurn {
  return {
    id: event.turn,
    startSeq: event.seq,
    startedAtMs: event.atMs,
    waitingSinceMs: undefined,
    waitedMs: 0,
    stopping: false,
    finishedStep: -1,
    joinedMidway: false,
    retried: undefined,
    wholeSeen,
    spending: noSpending,
    models: [],
  };
}

// the history that was read may begin in the middle of a turn
function inTurn(conversation: Conversation, event: { turn: string; seq: number; atMs: number }): Conversation {
  return conversation.turn?.id === event.turn ? conversation : { ...conversation, turn: startedTurn(event, false) };
}

function changeTurn(conversation: Conversation, change: (turn: CurrentTurn) => CurrentTurn): Conversation {
  return conversation.turn ? { ...conversation, turn: change(conversation.turn) } : conversation;
}

// the time a person took to answer is not working time
function working(conversation: Conversation, event: { turn: string; seq: number; atMs: number }): Conversation {
  return changeTurn(inTurn(conversation, event), (turn) =>
    turn.waitingSinceMs === undefined
      ? turn
      : { ...turn, waitingSinceMs: undefined, waitedMs: turn.waitedMs + event.atMs - turn.waitingSinceMs },
  );
}

function resumeWhenAnswered(conversation: Conversation, event: EventOf<"approval.answered">): Conversation {
  const stillOpen = conversation.items.some(
    (item) => item.kind === "approval" && item.turn === event.turn && item.decision === undefined,
  );
  return stillOpen || conversation.turn?.id !== event.turn ? conversation : working(conversation, event);
}

function foldConfigured(conversation: Conversation, event: EventOf<"conversation.configured">): Conversation {
  return {
    ...conversation,
    modelWish: event.model === undefined ? conversation.modelWish : (event.model ?? undefined),
    thinking: event.thinking === undefined ? conversation.thinking : (event.thinking ?? undefined),
    title: event.title ?? conversation.title,
  };
}

function rewind(conversation: Conversation, fromSeq: number): Conversation {
  const items = conversation.items.filter((item) => item.seq < fromSeq);
  const kept = new Set(items.map((item) => item.turn));
  const gone = conversation.items.flatMap((item) =>
    item.turn === undefined || kept.has(item.turn) ? [] : [item.turn],
  );
  const { turn } = conversation;
  const isTurnGone = turn !== undefined && turn.startSeq >= fromSeq;
  return {
    ...conversation,
    items,
    waiting: conversation.waiting.filter((item) => item.seq < fromSeq),
    turn: isTurnGone ? undefined : turn,
    goneTurns: [...new Set([...conversation.goneTurns, ...gone, ...(isTurnGone ? [turn.id] : [])])],
  };
}

/** The same conversation with events before those it began with; what is only live stays as it is. */
export function foldEarlier(current: Conversation, beginning: Conversation, events: readonly Event[]): Conversation {
  const folded = events.reduce(foldEvent, beginning);
  const known = new Set(folded.items.map((item) => item.id));
  const live = current.items.filter((item) => !known.has(item.id));
  const turn =
    folded.turn && folded.turn.id === current.turn?.id
      ? { ...folded.turn, joinedMidway: current.turn.joinedMidway, retried: current.turn.retried }
      : folded.turn;
  return { ...folded, items: [...folded.items, ...live], turn };
}
