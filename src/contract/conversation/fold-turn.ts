import type { EventOf } from "../event.ts";
import { visibleLine } from "../words/visible-line.ts";
import type {
  AnswerItem,
  ConversationItem,
  CostItem,
  CurrentTurn,
  Help,
  SpeakingTask,
  ToolItem,
} from "./conversation.ts";
import { endingWords } from "./ending-words.ts";
import { helpFor } from "./fold-step.ts";
import { type Draft, dropHalfWritten, dropItem, findItem, putItem, putNotice } from "./item-list.ts";
import { noSpending } from "./spending.ts";

type InTurn = { turn: string; seq: number; atMs: number };

export function foldTurnStarted(draft: Draft, event: EventOf<"turn.started">): void {
  draft.turn = startedTurn(event, true);
  takeMessages(draft, event.turn, event.messages);
}

// the new process writes the interrupted step again from its beginning
export function foldTurnResumed(draft: Draft, event: EventOf<"turn.resumed">): void {
  dropHalfWritten(draft);
  goOnInTurn(draft, event);
  const text = "Interrupted by a restart. Steward goes on where it was.";
  putNotice(draft, `resumed:${event.seq}`, { tone: "quiet", text });
}

/** A message sent while a step is written is answered after it, so that is where it stands. */
export function takeMessages(draft: Draft, turn: string, messages: readonly number[]): void {
  for (const item of draft.waiting) if (messages.includes(item.seq)) putItem(draft, { ...item, turn });
  draft.waiting = draft.waiting.filter((item) => !messages.includes(item.seq));
}

export function changeTurn(draft: Draft, event: InTurn, change: Partial<CurrentTurn>): void {
  // the history that was read may begin in the middle of a turn
  const turn = draft.turn?.id === event.turn ? draft.turn : startedTurn(event, false);
  draft.turn = { ...turn, ...change };
}

/** The time a person took to answer is not working time. */
export function goOnInTurn(draft: Draft, event: InTurn): void {
  changeTurn(draft, event, {});
  const { turn } = draft;
  if (turn?.waitingSinceMs === undefined) return;
  const waitedMs = turn.waitedMs + event.atMs - turn.waitingSinceMs;
  draft.turn = { ...turn, waitingSinceMs: undefined, waitedMs };
}

function startedTurn(event: InTurn, wholeSeen: boolean): CurrentTurn {
  return {
    id: event.turn,
    startSeq: event.seq,
    startedAtMs: event.atMs,
    waitedMs: 0,
    stopping: false,
    finishedStep: -1,
    joinedMidway: false,
    wholeSeen,
    spending: noSpending,
    models: [],
  };
}

/** The answer of a turn is usually its last step, which is shown already; anything else the assistant says is added. */
export function foldReplyWritten(draft: Draft, event: EventOf<"reply.written">): void {
  const { seq, attachments, turn, asks } = event;
  // the question itself stands there already
  if (asks !== undefined && findItem(draft, "approval", `approval:${asks}`)) return;
  const text = turn === undefined ? event.text : withoutBeginning(event.text, lastTextOfTurn(draft, turn));
  const shown = turn === undefined ? refusalBefore(draft) : textOfTurn(draft, turn);
  const isSaid = !event.task && withoutSpace(shown).includes(withoutSpace(text));
  if (isSaid && turn !== undefined) noteReply(draft, turn, seq);
  if (isSaid && attachments.length === 0) return;
  putItem(draft, {
    kind: "answer",
    id: `reply:${seq}`,
    seq,
    turn,
    text: isSaid ? "" : text,
    streaming: false,
    partial: false,
    attachments,
    ...(event.task && { task: speakingTask(event.task) }),
  });
}

function noteReply(draft: Draft, turn: string, reply: number): void {
  const last = draft.items.findLast((item): item is AnswerItem => isStepOf(item, turn));
  if (last) putItem(draft, { ...last, reply });
}

function speakingTask({ id, title, run, ask }: NonNullable<EventOf<"reply.written">["task"]>): SpeakingTask {
  const says = ask !== undefined ? "question" : run ? "reminder" : "answer";
  return { id, title: visibleLine(title, 120), says, ...(ask !== undefined && { ask }) };
}

// a stopped answer is written as what there was of it with a remark behind; only the remark is new
function withoutBeginning(text: string, beginning: string): string {
  const start = beginning.trim();
  return start !== "" && text.startsWith(start) ? text.slice(start.length).trim() : text;
}

// a refusal is also written as a reply, for channels that show nothing else
function refusalBefore(draft: Draft): string {
  const last = draft.items.at(-1);
  return last?.kind === "notice" && last.id.startsWith("refused:") ? last.text : "";
}

export function foldTurnFinished(draft: Draft, event: EventOf<"turn.finished">): void {
  const { turn } = event;
  dropItem(draft, `retry:${turn}`);
  // a step cut off before it was written down has no finished text; what was seen of it stays
  draft.items = draft.items.map((item) => closeItem(item, turn));
  tellEnding(draft, event);
  const isCurrent = draft.turn?.id === turn;
  putItem(draft, costItem(isCurrent ? draft.turn : undefined, event));
  if (isCurrent) draft.turn = undefined;
}

function tellEnding(draft: Draft, event: EventOf<"turn.finished">): void {
  const words = endingWords(event.ending, event.detail);
  if (!words) return;
  const help = event.ending === "unavailable" ? helpAfter(draft, event.turn) : undefined;
  const reply = draft.items.findLast((item): item is AnswerItem => isReplyOf(item, event.turn));
  if (reply && bareWords(reply.text) === bareWords(words.text)) putItem(draft, { ...reply, ending: words.tone, help });
  else if (!withoutSpace(textOfTurn(draft, event.turn)).includes(withoutSpace(words.text)))
    putNotice(draft, `ending:${event.turn}`, { ...words, help, turn: event.turn });
}

function helpAfter({ turn }: Draft, id: string): Help | undefined {
  return turn?.id === id && turn.failed ? helpFor(turn.failed.kind) : "again";
}

function costItem(known: CurrentTurn | undefined, event: EventOf<"turn.finished">): CostItem {
  const { turn, seq, ending, atMs } = event;
  const waitedMs = (known?.waitedMs ?? 0) + (known?.waitingSinceMs === undefined ? 0 : atMs - known.waitingSinceMs);
  return {
    kind: "cost",
    id: `cost:${turn}`,
    seq,
    turn,
    spending: known?.spending ?? noSpending,
    models: known?.models ?? [],
    durationMs: known ? Math.max(0, atMs - known.startedAtMs - waitedMs) : 0,
    ending,
    whole: known?.wholeSeen ?? false,
  };
}

function closeItem(item: ConversationItem, turn: string): ConversationItem {
  if (item.turn !== turn) return item;
  if (item.kind === "answer" || item.kind === "reasoning") return item.streaming ? { ...item, streaming: false } : item;
  return item.kind === "tool" ? closeTool(item) : item;
}

function closeTool(item: ToolItem): ToolItem {
  if (item.status === "running") return { ...item, status: "unknown" };
  return item.status === "called" || item.status === "waiting" ? { ...item, status: "stopped" } : item;
}

function isReplyOf(item: ConversationItem, turn: string): boolean {
  return item.kind === "answer" && item.turn === turn && item.step === undefined;
}

function isStepOf(item: ConversationItem, turn: string): boolean {
  return item.kind === "answer" && item.turn === turn && item.step !== undefined;
}

function bareWords(text: string): string {
  return withoutSpace(text).replace(/^\((.*)\)$/, "$1");
}

function lastTextOfTurn(draft: Draft, turn: string): string {
  const last = draft.items.findLast((item) => item.kind === "answer" && item.turn === turn);
  return last?.kind === "answer" ? last.text : "";
}

function textOfTurn(draft: Draft, turn: string): string {
  return draft.items.map((item) => (item.kind === "answer" && item.turn === turn ? item.text : "")).join("\n");
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}
