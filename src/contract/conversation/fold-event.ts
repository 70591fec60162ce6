import type { Event, EventOf } from "../event.ts";
import { visibleLine } from "../words/visible-line.ts";
import type { PersonItem } from "./conversation.ts";
import { foldStepFinished } from "./fold-step.ts";
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
import { type Draft, putNotice } from "./item-list.ts";
import { compactionWords, refusalWords } from "./notice-words.ts";
import { addUsage } from "./spending.ts";

/** Takes in one event of the log; kinds that say nothing about what a person sees are passed over. */
export function foldEvent(draft: Draft, event: Event): void {
  draft.lastSeq = event.seq;
  if ("turn" in event && event.turn !== undefined && draft.goneTurns.includes(event.turn)) return;
  switch (event.type) {
    case "message.received":
      draft.waiting = [...draft.waiting, personItem(event)];
      break;
    case "message.refused":
      putNotice(draft, `refused:${event.seq}`, { tone: "warning", text: refusalWords(event) });
      break;
    case "turn.started":
      foldTurnStarted(draft, event);
      break;
    case "turn.resumed":
      foldTurnResumed(draft, event);
      break;
    case "turn.steered":
      changeTurn(draft, event, {});
      takeMessages(draft, event.turn, event.messages);
      break;
    case "turn.waiting":
      changeTurn(draft, event, { waitingSinceMs: event.atMs });
      break;
    case "turn.stop_requested":
      changeTurn(draft, event, { stopping: true });
      break;
    case "turn.finished":
      foldTurnFinished(draft, event);
      break;
    case "step.finished":
      goOnInTurn(draft, event);
      foldStepFinished(draft, event);
      break;
    case "tool.sent":
      goOnInTurn(draft, event);
      foldToolSent(draft, event);
      break;
    case "tool.returned":
      foldToolReturned(draft, event);
      break;
    case "approval.asked":
      changeTurn(draft, event, {});
      foldApprovalAsked(draft, event);
      break;
    case "approval.answered":
      foldApprovalAnswered(draft, event);
      if (isAllAnswered(draft, event.turn)) goOnInTurn(draft, event);
      break;
    case "reply.written":
      foldReplyWritten(draft, event);
      break;
    case "changes.undone":
      foldChangesUndone(draft, event);
      break;
    case "conversation.configured":
      foldConfigured(draft, event);
      break;
    case "conversation.compacted":
      foldCompacted(draft, event);
      break;
    case "conversation.rewound":
      rewind(draft, event.fromSeq);
      break;
    case "conversation.deleted":
      Object.assign(draft, { items: [], waiting: [], turn: undefined, deleted: true });
  }
}

function personItem(event: EventOf<"message.received">): PersonItem {
  const { seq, atMs, text, attachments, sender } = event;
  const from = sender.kind === "owner" ? undefined : visibleLine(sender.name ?? sender.id, 40);
  return { kind: "person", id: `message:${seq}`, seq, atMs, text, from, attachments, turn: undefined };
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
