import { stripVTControlCharacters } from "node:util";
import type { EventOf } from "../../contract/event.ts";
import type { ToolCall } from "../../contract/model.ts";
import { visibleLine, visibleText } from "../visible-text.ts";
import type { ChatState } from "./chat-state.ts";
import { toolSummary } from "./tool-summary.ts";
import type { ToolItem, ViewItem } from "./view-item.ts";
import { findItem, itemId, putItem } from "./view-item.ts";

export function calledTool(turn: string, call: ToolCall): ToolItem {
  return {
    kind: "tool",
    id: itemId("tool", turn, call.callId),
    turn,
    callId: call.callId,
    tool: visibleLine(call.tool, 60),
    summary: toolSummary(call.malformed ?? call.arguments),
    status: "called",
    startedAtMs: undefined,
    durationMs: undefined,
    detail: undefined,
  };
}

export function foldToolSent(state: ChatState, event: EventOf<"tool.sent">): ChatState {
  const item = toolOf(state, event);
  return {
    ...state,
    items: putItem(state.items, { ...item, status: "running", startedAtMs: event.atMs, detail: undefined }),
  };
}

export function foldToolReturned(state: ChatState, event: EventOf<"tool.returned">): ChatState {
  const item = toolOf(state, event);
  const counted = item.startedAtMs === undefined ? undefined : event.atMs - item.startedAtMs;
  const wentWrong = event.outcome === "failed" || event.outcome === "unknown";
  return {
    ...state,
    items: putItem(state.items, {
      ...item,
      status: event.outcome,
      durationMs: event.durationMs ?? counted,
      detail: wentWrong ? visibleLine(event.output, 300) || undefined : undefined,
    }),
  };
}

export function foldApprovalAsked(state: ChatState, event: EventOf<"approval.asked">): ChatState {
  const tool = toolOf(state, event);
  const items = putItem(state.items, {
    ...tool,
    summary: tool.summary || toolSummary(event.arguments),
    status: "waiting",
  });
  const approval: ViewItem = {
    kind: "approval",
    id: `approval:${event.approvalId}`,
    approvalId: event.approvalId,
    turn: event.turn,
    tool: visibleLine(event.tool, 60),
    display: visibleText(stripVTControlCharacters(event.display)),
    reason: visibleText(stripVTControlCharacters(event.reason)),
    decision: undefined,
    because: undefined,
  };
  return { ...state, items: putItem(items, approval) };
}

export function foldApprovalAnswered(state: ChatState, event: EventOf<"approval.answered">): ChatState {
  const approval = findItem(state.items, "approval", `approval:${event.approvalId}`);
  if (!approval) return state;
  const because = event.reason === undefined ? undefined : visibleLine(event.reason, 200);
  const tool = findItem(state.items, "tool", itemId("tool", event.turn, event.callId));
  const answered = putItem(state.items, { ...approval, decision: event.decision, because });
  if (tool?.status !== "waiting") return { ...state, items: answered };
  const status = event.decision === "approved" ? "called" : "denied";
  return { ...state, items: putItem(answered, { ...tool, status }) };
}

// the call itself may lie before the part of the history that was read
function toolOf(state: ChatState, event: { turn: string; callId: string; tool: string }): ToolItem {
  return (
    findItem(state.items, "tool", itemId("tool", event.turn, event.callId)) ??
    calledTool(event.turn, { callId: event.callId, tool: event.tool, arguments: undefined })
  );
}
