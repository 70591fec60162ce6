import type { Event, EventOf, EventType } from "../event.ts";
import type { Sender } from "../sender.ts";
import { count } from "../words/amounts.ts";
import { visibleLine } from "../words/visible-line.ts";
import type { PersonItem } from "./conversation.ts";
import { foldForgotten } from "./fold-forgotten.ts";
import { countModelCall, foldModelFailed, foldStepFinished } from "./fold-step.ts";
import {
  foldApprovalAnswered,
  foldApprovalAsked,
  foldChangesUndone,
  foldToolReturned,
  foldToolSent,
} from "./fold-tool.ts";
import {
  changeTurn,
  foldReplyWritten,
  foldTurnFinished,
  foldTurnResumed,
  foldTurnStarted,
  goOnInTurn,
  takeMessages,
} from "./fold-turn.ts";
import { type Draft, putItem, putNotice } from "./item-list.ts";
import { compactionWords, refusalWords } from "./notice-words.ts";
import { addUsage } from "./spending.ts";

type Folds = { [Type in EventType]?: (draft: Draft, event: EventOf<Type>) => void };

// kinds that say nothing about what a person sees are passed over
const folds: Folds = {
  "message.received"(draft, event) {
    draft.waiting = [...draft.waiting, personItem(event)];
  },
  "message.overheard": (draft, event) => putItem(draft, personItem(event)),
  // an order to Steward itself; what it answers follows
  "chat.commanded": (draft, { seq, atMs, command, by }) =>
    putItem(draft, {
      kind: "person",
      id: `command:${seq}`,
      seq,
      atMs,
      text: command,
      from: nameOf(by),
      attachments: [],
    }),
  "message.withdrawn": foldWithdrawn,
  "message.refused": (draft, event) =>
    putNotice(draft, `refused:${event.seq}`, { tone: "warning", text: refusalWords(event) }),
  "turn.started": foldTurnStarted,
  "turn.resumed": foldTurnResumed,
  "turn.steered"(draft, event) {
    changeTurn(draft, event, {});
    takeMessages(draft, event.turn, event.messages);
  },
  "turn.waiting": (draft, event) => changeTurn(draft, event, { waitingSinceMs: event.atMs }),
  "turn.stop_requested": (draft, event) => changeTurn(draft, event, { stopping: true }),
  "turn.finished": foldTurnFinished,
  "step.finished"(draft, event) {
    goOnInTurn(draft, event);
    foldStepFinished(draft, event);
  },
  "tool.sent"(draft, event) {
    goOnInTurn(draft, event);
    foldToolSent(draft, event);
  },
  "model.called": countModelCall,
  "model.failed": foldModelFailed,
  "tool.returned": foldToolReturned,
  "approval.asked"(draft, event) {
    changeTurn(draft, event, {});
    foldApprovalAsked(draft, event);
  },
  "approval.answered"(draft, event) {
    foldApprovalAnswered(draft, event);
    if (isAllAnswered(draft, event.turn)) goOnInTurn(draft, event);
  },
  "reply.written": foldReplyWritten,
  "changes.undone": foldChangesUndone,
  "memory.recalled": foldRecalled,
  "conversation.configured": foldConfigured,
  "conversation.compacted": foldCompacted,
  "conversation.renewed": (draft, event) =>
    putNotice(draft, `renewed:${event.seq}`, {
      tone: "quiet",
      text: "Begun anew: what stands above is not read any more.",
    }),
  "conversation.rewound": (draft, event) => rewind(draft, event.fromSeq),
  "messages.forgotten": foldForgotten,
  "conversation.deleted": (draft) =>
    void Object.assign(draft, { items: [], waiting: [], turn: undefined, deleted: true }),
};

/** Takes in one event of the log. */
export function foldEvent(draft: Draft, event: Event): void {
  draft.lastSeq = event.seq;
  if ("turn" in event && event.turn !== undefined && draft.goneTurns.includes(event.turn)) return;
  const fold = folds[event.type] as ((draft: Draft, event: Event) => void) | undefined;
  fold?.(draft, event);
}

function personItem(event: EventOf<"message.received"> | EventOf<"message.overheard">): PersonItem {
  const { seq, atMs, text, attachments, sender } = event;
  const { run, data } = event.type === "message.received" ? event : {};
  const from = nameOf(sender);
  return { kind: "person", id: `message:${seq}`, seq, atMs, text, from, attachments, run, data };
}

function nameOf({ kind, name, id }: Sender): string | undefined {
  return kind === "owner" ? undefined : visibleLine(name ?? id, 40);
}

// what was asked stays to be read, with what became of it
function foldWithdrawn(draft: Draft, event: EventOf<"message.withdrawn">): void {
  const withdrawn = draft.waiting.filter(({ seq }) => seq === event.message);
  draft.waiting = draft.waiting.filter(({ seq }) => seq !== event.message);
  for (const item of withdrawn) putItem(draft, item);
  if (withdrawn.length > 0)
    putNotice(draft, `withdrawn:${event.seq}`, { tone: "quiet", text: "Taken back before it began." });
}

function isAllAnswered(draft: Draft, turn: string): boolean {
  const isOpen = draft.items.some(
    (item) => item.kind === "approval" && item.turn === turn && item.decision === undefined,
  );
  return !isOpen && draft.turn?.id === turn;
}

function foldConfigured(draft: Draft, event: EventOf<"conversation.configured">): void {
  if (event.model !== undefined) {
    draft.modelWish = event.model ?? undefined;
    draft.lastModel = undefined;
  }
  if (event.thinking !== undefined) draft.thinking = event.thinking ?? undefined;
  if (event.agent !== undefined) draft.agent = event.agent ?? undefined;
  draft.title = event.title ?? draft.title;
}

function foldCompacted(draft: Draft, event: EventOf<"conversation.compacted">): void {
  if (event.seq > draft.spendingThrough) draft.spending = addUsage(draft.spending, event);
  putNotice(draft, `compacted:${event.seq}`, { tone: "quiet", text: compactionWords(event), detail: event.summary });
}

function foldRecalled(draft: Draft, { seq, turn, finds }: EventOf<"memory.recalled">): void {
  if (finds.length === 0) return;
  const text = `Looked up ${count(finds.length, "thing")}`;
  putNotice(draft, `recalled:${seq}`, { tone: "quiet", text, turn, recalled: seq });
}

// what came after the message that was changed is no longer part of the conversation
function rewind(draft: Draft, fromSeq: number): void {
  const kept = draft.items.filter((item) => item.seq < fromSeq);
  const keptTurns = new Set(kept.map((item) => item.turn));
  const gone = new Set(draft.goneTurns);
  for (const { turn } of draft.items) if (turn !== undefined && !keptTurns.has(turn)) gone.add(turn);
  if (draft.turn && draft.turn.startSeq >= fromSeq) {
    gone.add(draft.turn.id);
    draft.turn = undefined;
  }
  draft.items = kept;
  draft.waiting = draft.waiting.filter((item) => item.seq < fromSeq);
  draft.goneTurns = [...gone];
}
