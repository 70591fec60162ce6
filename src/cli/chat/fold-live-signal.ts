import type { LiveSignal } from "../../contract/live-signal.ts";
import { visibleLine, visibleText } from "../visible-text.ts";
import type { ChatState, CurrentTurn } from "./chat-state.ts";
import { calledTool } from "./fold-tool-event.ts";
import { retryWords } from "./notice-words.ts";
import { dropItem, findItem, itemId, putItem } from "./view-item.ts";

/** Takes in what happens right now; what belongs to another conversation or to a step already written down is too late. */
export function foldLiveSignal(state: ChatState, signal: LiveSignal): ChatState {
  const { turn } = state;
  if (signal.conversation !== state.conversation || turn?.id !== signal.turn) return state;
  if ("step" in signal && signal.step <= turn.finishedStep) return state;
  switch (signal.type) {
    case "live.text":
      return appendText(state, turn, signal);
    case "live.reasoning":
      return appendReasoning(state, signal);
    case "live.text_reset":
      return resetStep(state, turn, signal);
    case "live.tool_call": {
      const item = calledTool(signal.turn, signal.call);
      return findItem(state.items, "tool", item.id) ? state : { ...state, items: putItem(state.items, item) };
    }
    case "live.retry": {
      const id = `retry:${signal.turn}`;
      // dropped first, so that a new try is told below what was shown since the last one
      const items = putItem(dropItem(state.items, id), {
        kind: "notice",
        id,
        tone: "quiet",
        text: retryWords(signal),
        turn: signal.turn,
      });
      return { ...state, items, turn: { ...turn, retried: signal.model } };
    }
    case "live.tool_progress":
      return showProgress(state, signal);
    default:
      signal satisfies never;
      return state;
  }
}

function appendText(
  state: ChatState,
  turn: CurrentTurn,
  signal: Extract<LiveSignal, { type: "live.text" }>,
): ChatState {
  const id = itemId("assistant", signal.turn, signal.step);
  const known = findItem(state.items, "assistant", id);
  const delta = visibleText(signal.delta);
  const item = known ?? {
    kind: "assistant",
    id,
    turn: signal.turn,
    step: signal.step,
    text: "",
    streaming: true,
    partial: turn.joinedMidway,
    attachments: [],
  };
  const text = item.text + delta;
  // models like to begin with empty lines
  if (!known && text.trim() === "") return state;
  return { ...state, items: putItem(settleReasoning(state, signal), { ...item, text }) };
}

// once the answer begins, the thinking before it is over
function settleReasoning(state: ChatState, signal: { turn: string; step: number }): ChatState["items"] {
  const reasoning = findItem(state.items, "reasoning", itemId("reasoning", signal.turn, signal.step));
  return reasoning?.streaming ? putItem(state.items, { ...reasoning, streaming: false }) : state.items;
}

function appendReasoning(state: ChatState, signal: Extract<LiveSignal, { type: "live.reasoning" }>): ChatState {
  const id = itemId("reasoning", signal.turn, signal.step);
  const { turn, step } = signal;
  const item = findItem(state.items, "reasoning", id) ?? {
    kind: "reasoning",
    id,
    turn,
    step,
    text: "",
    streaming: true,
  };
  return { ...state, items: putItem(state.items, { ...item, text: item.text + visibleText(signal.delta) }) };
}

function resetStep(state: ChatState, turn: CurrentTurn, signal: { turn: string; step: number }): ChatState {
  const unsentCalls = state.items.filter(
    (item) => item.kind === "tool" && item.turn === signal.turn && item.status === "called",
  );
  const gone = [
    itemId("assistant", signal.turn, signal.step),
    itemId("reasoning", signal.turn, signal.step),
    ...unsentCalls.map((item) => item.id),
  ];
  return {
    ...state,
    items: gone.reduce((items, id) => dropItem(items, id), state.items),
    turn: { ...turn, joinedMidway: false },
  };
}

function showProgress(state: ChatState, signal: Extract<LiveSignal, { type: "live.tool_progress" }>): ChatState {
  const item = findItem(state.items, "tool", itemId("tool", signal.turn, signal.callId));
  if (item?.status !== "running") return state;
  const lastLine = signal.text.trimEnd().split("\n").at(-1) ?? "";
  return { ...state, items: putItem(state.items, { ...item, detail: visibleLine(lastLine, 200) || undefined }) };
}
