import type { LiveSignal } from "../wire/live-signal.ts";
import type { AnswerItem, ConversationItem } from "./conversation.ts";
import { calledTool } from "./fold-tool.ts";
import { type Draft, dropItem, findInTurn, itemId, putBefore, putItem, putNotice } from "./item-list.ts";
import { retryWords } from "./notice-words.ts";

type Signal<Type extends LiveSignal["type"]> = Extract<LiveSignal, { type: Type }>;

const folds: { [Type in LiveSignal["type"]]: (draft: Draft, signal: Signal<Type>) => void } = {
  "live.text": appendText,
  "live.reasoning": appendReasoning,
  "live.text_reset": resetStep,
  "live.tool_call"(draft, signal) {
    settleReasoning(draft, signal);
    const item = calledTool(signal.turn, signal.call, draft.lastSeq);
    if (!findInTurn(draft, "tool", item.id)) putItem(draft, item);
  },
  "live.retry": noteRetry,
  "live.tool_progress": showProgress,
};

/** Takes in what happens right now in the turn under way; kinds of another version are passed over. */
export function foldLive(draft: Draft, signal: LiveSignal): void {
  const fold = folds[signal.type] as ((draft: Draft, signal: LiveSignal) => void) | undefined;
  fold?.(draft, signal);
}

function appendText(draft: Draft, signal: Signal<"live.text">): void {
  const { turn, step, delta } = signal;
  const id = itemId("answer", turn, step);
  const known = findInTurn(draft, "answer", id);
  // models like to begin with empty lines
  if (!known && delta.trim() === "") return;
  settleReasoning(draft, signal);
  const begun: AnswerItem = {
    kind: "answer",
    id,
    seq: draft.lastSeq,
    turn,
    step,
    text: "",
    streaming: true,
    partial: draft.turn?.joinedMidway ?? false,
    attachments: [],
  };
  if (known) putItem(draft, { ...known, text: known.text + delta });
  else putBefore(draft, { ...begun, text: delta }, callsOfStep(draft, turn));
}

// calls that nothing has come of yet are those of the step being written; earlier ones have returned
function callsOfStep(draft: Draft, turn: string): string[] {
  const isCalled = (item: ConversationItem) => item.kind === "tool" && item.turn === turn && item.status === "called";
  return draft.items.filter(isCalled).map(({ id }) => id);
}

// once the answer or a call begins, the thinking before it is over
function settleReasoning(draft: Draft, { turn, step }: { turn: string; step: number }): void {
  const reasoning = findInTurn(draft, "reasoning", itemId("reasoning", turn, step));
  if (reasoning?.streaming) putItem(draft, { ...reasoning, streaming: false });
}

function appendReasoning(draft: Draft, signal: Signal<"live.reasoning">): void {
  const { turn, step } = signal;
  const id = itemId("reasoning", turn, step);
  const known = findInTurn(draft, "reasoning", id);
  const text = (known?.text ?? "") + signal.delta;
  putItem(draft, { kind: "reasoning", id, seq: known?.seq ?? draft.lastSeq, turn, step, text, streaming: true });
}

function resetStep(draft: Draft, signal: Signal<"live.text_reset">): void {
  const gone = new Set([itemId("answer", signal.turn, signal.step), itemId("reasoning", signal.turn, signal.step)]);
  draft.items = draft.items.filter(
    (item) => !gone.has(item.id) && !(item.kind === "tool" && item.turn === signal.turn && item.status === "called"),
  );
  if (draft.turn) draft.turn = { ...draft.turn, joinedMidway: false };
}

function noteRetry(draft: Draft, signal: Signal<"live.retry">): void {
  const id = `retry:${signal.turn}`;
  // dropped first, so that a new try is told below what was shown since the last one
  dropItem(draft, id);
  const text = retryWords(signal, draft.turn?.failed);
  putNotice(draft, id, { tone: "quiet", text, turn: signal.turn });
}

function showProgress(draft: Draft, signal: Signal<"live.tool_progress">): void {
  const item = findInTurn(draft, "tool", itemId("tool", signal.turn, signal.callId));
  if (item?.status !== "running") return;
  putItem(draft, { ...item, progress: signal.text.trimEnd().split("\n").at(-1) || undefined });
}
