import type { LiveSignal } from "../live-signal.ts";
import type { AnswerItem, Conversation, ConversationItem, CurrentTurn } from "./conversation.ts";
import { dropItem, findItem, itemId, putItem } from "./conversation.ts";
import { calledTool } from "./fold-tool.ts";
import { retryWords, visibleLine } from "./notice-words.ts";

type Signal<Type extends LiveSignal["type"]> = Extract<LiveSignal, { type: Type }>;

/** Takes in what happens right now; what belongs to another conversation or to a step already written down is too late. */
export function foldLive(conversation: Conversation, signal: LiveSignal): Conversation {
  const { turn } = conversation;
  if (signal.conversation !== conversation.key || turn?.id !== signal.turn) return conversation;
  if ("step" in signal && signal.step <= turn.finishedStep) return conversation;
  switch (signal.type) {
    case "live.text":
      return appendText(conversation, turn, signal);
    case "live.reasoning":
      return appendReasoning(conversation, signal);
    case "live.text_reset":
      return resetStep(conversation, turn, signal);
    case "live.tool_call": {
      const item = calledTool(signal.turn, signal.call, conversation.lastSeq);
      if (findItem(conversation.items, "tool", item.id)) return conversation;
      return { ...conversation, items: putItem(conversation.items, item) };
    }
    case "live.retry":
      return noteRetry(conversation, turn, signal);
    case "live.tool_progress":
      return showProgress(conversation, signal);
    default:
      // a newer gateway may tell of things this page does not know
      signal satisfies never;
      return conversation;
  }
}

function appendText(conversation: Conversation, turn: CurrentTurn, signal: Signal<"live.text">): Conversation {
  const id = itemId("answer", signal.turn, signal.step);
  const known = findItem(conversation.items, "answer", id);
  const item: AnswerItem = known ?? {
    kind: "answer",
    id,
    seq: conversation.lastSeq,
    turn: signal.turn,
    step: signal.step,
    text: "",
    streaming: true,
    partial: turn.joinedMidway,
    attachments: [],
  };
  const text = item.text + signal.delta;
  // models like to begin with empty lines
  if (!known && text.trim() === "") return conversation;
  return { ...conversation, items: putItem(settleReasoning(conversation, signal), { ...item, text }) };
}

// once the answer begins, the thinking before it is over
function settleReasoning(
  conversation: Conversation,
  signal: { turn: string; step: number },
): readonly ConversationItem[] {
  const { items } = conversation;
  const reasoning = findItem(items, "reasoning", itemId("reasoning", signal.turn, signal.step));
  return reasoning?.streaming ? putItem(items, { ...reasoning, streaming: false }) : items;
}

function appendReasoning(conversation: Conversation, signal: Signal<"live.reasoning">): Conversation {
  const { turn, step } = signal;
  const id = itemId("reasoning", turn, step);
  const known = findItem(conversation.items, "reasoning", id);
  const text = (known?.text ?? "") + signal.delta;
  const seq = known?.seq ?? conversation.lastSeq;
  const item: ConversationItem = { kind: "reasoning", id, seq, turn, step, text, streaming: true };
  return { ...conversation, items: putItem(conversation.items, item) };
}

function resetStep(conversation: Conversation, turn: CurrentTurn, signal: Signal<"live.text_reset">): Conversation {
  const gone = new Set([itemId("answer", signal.turn, signal.step), itemId("reasoning", signal.turn, signal.step)]);
  const items = conversation.items.filter(
    (item) => !gone.has(item.id) && !(item.kind === "tool" && item.turn === signal.turn && item.status === "called"),
  );
  return { ...conversation, items, turn: { ...turn, joinedMidway: false } };
}

function noteRetry(conversation: Conversation, turn: CurrentTurn, signal: Signal<"live.retry">): Conversation {
  const id = `retry:${signal.turn}`;
  // dropped first, so that a new try is told below what was shown since the last one
  const items = putItem(dropItem(conversation.items, id), {
    kind: "notice",
    id,
    seq: conversation.lastSeq,
    tone: "quiet",
    text: retryWords(signal),
    turn: signal.turn,
  });
  return { ...conversation, items, turn: { ...turn, retried: signal.model } };
}

function showProgress(conversation: Conversation, signal: Signal<"live.tool_progress">): Conversation {
  const item = findItem(conversation.items, "tool", itemId("tool", signal.turn, signal.callId));
  if (item?.status !== "running") return conversation;
  const lastLine = signal.text.trimEnd().split("\n").at(-1) ?? "";
  const progress = visibleLine(lastLine, 200) || undefined;
  return { ...conversation, items: putItem(conversation.items, { ...item, progress }) };
}
