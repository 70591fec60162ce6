import { endingWords } from "../../contract/conversation/ending-words.ts";
import type { EventOf } from "../../contract/event.ts";
import { visibleLine, visibleText } from "../visible-text.ts";
import type { ChatState } from "./chat-state.ts";
import { calledTool } from "./fold-tool-event.ts";
import { attachmentWords } from "./notice-words.ts";
import type { AssistantItem, ToolItem, ViewItem } from "./view-item.ts";
import { dropItem, findItem, itemId, putItem } from "./view-item.ts";

/** The finished step replaces whatever was shown of it while it was written. */
export function foldStepFinished(state: ChatState, event: EventOf<"step.finished">): ChatState {
  const { turn, step } = event;
  let items = dropItem(state.items, `retry:${turn}`);
  items = putFallbackNotice(items, state, event);
  items = putText(items, itemId("reasoning", turn, step), event.reasoning, (id, text) => ({
    kind: "reasoning",
    id,
    turn,
    step,
    text,
    streaming: false,
  }));
  items = putText(items, itemId("assistant", turn, step), event.text, (id, text) => ({
    kind: "assistant",
    id,
    turn,
    step,
    text,
    streaming: false,
    partial: false,
    attachments: [],
  }));
  items = event.toolCalls.reduce((known, call) => {
    const shown = findItem(known, "tool", itemId("tool", turn, call.callId));
    return shown ? known : putItem(known, calledTool(turn, call));
  }, items);
  return {
    ...state,
    items,
    model: event.model,
    turn: state.turn ? { ...state.turn, finishedStep: step, joinedMidway: false, retried: undefined } : undefined,
    spending: {
      inputTokens: state.spending.inputTokens + event.usage.inputTokens,
      outputTokens: state.spending.outputTokens + event.usage.outputTokens,
      costUsd: state.spending.costUsd + (event.costUsd ?? 0),
      unpricedCalls: state.spending.unpricedCalls + (event.costUsd === undefined ? 1 : 0),
    },
  };
}

function putText(
  items: readonly ViewItem[],
  id: string,
  text: string | undefined,
  make: (id: string, text: string) => ViewItem,
): readonly ViewItem[] {
  const shown = visibleText(text ?? "");
  return shown.trim() === "" ? dropItem(items, id) : putItem(items, make(id, shown));
}

function putFallbackNotice(
  items: readonly ViewItem[],
  state: ChatState,
  event: EventOf<"step.finished">,
): readonly ViewItem[] {
  const earlierInTurn = state.turn && state.turn.finishedStep >= 0 ? state.model : undefined;
  const before = state.turn?.retried ?? earlierInTurn;
  if (before === undefined || before === event.model) return items;
  const text = `${visibleLine(before, 80)} did not answer; ${visibleLine(event.model, 80)} took over.`;
  const notice: ViewItem = {
    kind: "notice",
    id: `fallback:${event.turn}:${event.step}`,
    tone: "warning",
    text,
    turn: event.turn,
  };
  return putItem(items, notice);
}

/** The answer of a turn is usually its last step, which is shown already; anything else the assistant says is added. */
export function foldReplyWritten(state: ChatState, event: EventOf<"reply.written">): ChatState {
  const text = visibleText(event.text);
  const attachments = event.attachments.map(attachmentWords);
  const id = `reply:${event.seq}`;
  const shown = event.turn === undefined ? "" : textOfTurn(state.items, event.turn);
  const said = withoutSpace(shown).includes(withoutSpace(text));
  if (said && attachments.length === 0) return state;
  const item: AssistantItem = {
    kind: "assistant",
    id,
    turn: event.turn,
    step: undefined,
    text: said ? "" : unsaidPart(state.items, event.turn, text),
    streaming: false,
    partial: false,
    attachments,
  };
  return { ...state, items: putItem(state.items, item) };
}

export function foldTurnFinished(state: ChatState, event: EventOf<"turn.finished">): ChatState {
  const words = endingWords(event.ending, event.detail && visibleText(event.detail));
  let items = dropItem(state.items, `retry:${event.turn}`);
  items = items.map((item) => closeItem(item, event.turn));
  // a step cut off before it was written down has no finished text; what was seen of it stays
  const repeated = words && withoutSpace(textOfTurn(items, event.turn)).includes(withoutSpace(words.text));
  if (words && !repeated)
    items = putItem(items, { kind: "notice", id: `ending:${event.turn}`, ...words, turn: event.turn });
  return {
    ...state,
    items,
    lastEnding: { turn: event.turn, ending: event.ending },
    turn: state.turn?.id === event.turn ? undefined : state.turn,
  };
}

function closeItem(item: ViewItem, turn: string): ViewItem {
  if (!("turn" in item) || item.turn !== turn) return item;
  if (item.kind === "assistant" || item.kind === "reasoning")
    return item.streaming ? { ...item, streaming: false } : item;
  return item.kind === "tool" ? closeTool(item) : item;
}

function closeTool(item: ToolItem): ToolItem {
  if (item.status === "running") return { ...item, status: "unknown" };
  return item.status === "called" || item.status === "waiting" ? { ...item, status: "stopped" } : item;
}

// how a turn was ended is often added to what had been written until then
function unsaidPart(items: readonly ViewItem[], turn: string | undefined, text: string): string {
  const last = items.findLast((item) => item.kind === "assistant" && item.turn === turn);
  const written = turn !== undefined && last?.kind === "assistant" ? last.text.trimEnd() : "";
  return written !== "" && text.startsWith(written) ? text.slice(written.length).trimStart() : text;
}

function textOfTurn(items: readonly ViewItem[], turn: string): string {
  return items
    .filter((item) => item.kind === "assistant" && item.turn === turn)
    .map((item) => (item.kind === "assistant" ? item.text : ""))
    .join("\n");
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}
