import type { EventOf } from "../event.ts";
import type { ToolCall } from "../model.ts";
import type { ToolItem } from "./conversation.ts";
import { type Draft, dropItem, findItem, itemId, putItem, putNotice } from "./item-list.ts";
import { approvalItem, openApproval } from "./open-approval.ts";

export function calledTool(turn: string, call: ToolCall, seq: number): ToolItem {
  return {
    kind: "tool",
    id: itemId("tool", turn, call.callId),
    seq,
    turn,
    callId: call.callId,
    tool: call.tool,
    arguments: call.malformed ?? call.arguments,
    status: "called",
    attachments: [],
    changes: [],
    undone: false,
  };
}

export function foldToolSent(draft: Draft, event: EventOf<"tool.sent">): void {
  putItem(draft, { ...toolOf(draft, event), status: "running", startedAtMs: event.atMs, progress: undefined });
}

export function foldToolReturned(draft: Draft, event: EventOf<"tool.returned">): void {
  const item = toolOf(draft, event);
  const counted = item.startedAtMs === undefined ? undefined : event.atMs - item.startedAtMs;
  putItem(draft, {
    ...item,
    status: event.outcome,
    durationMs: event.durationMs ?? counted,
    progress: undefined,
    output: event.output,
    attachments: event.attachments,
    changes: event.changes,
    returned: event.seq,
  });
}

export function foldApprovalAsked(draft: Draft, event: EventOf<"approval.asked">): void {
  const tool = toolOf(draft, event);
  putItem(draft, { ...tool, arguments: tool.arguments ?? event.arguments, status: "waiting" });
  const item = approvalItem(openApproval(event), { seq: event.seq, callId: event.callId });
  // it may be known already from the list of open ones, and stand before what led to it
  dropItem(draft, item.id);
  putItem(draft, item);
}

export function foldApprovalAnswered(draft: Draft, event: EventOf<"approval.answered">): void {
  const approval = findItem(draft, "approval", `approval:${event.approvalId}`);
  if (!approval) return;
  const { decision, reason: because } = event;
  putItem(draft, { ...approval, decision, because });
  const tool = findItem(draft, "tool", itemId("tool", event.turn, event.callId));
  if (tool?.status === "waiting") putItem(draft, { ...tool, status: decision === "approved" ? "called" : "denied" });
}

export function foldChangesUndone(draft: Draft, event: EventOf<"changes.undone">): void {
  const tool = draft.items.find((item) => item.kind === "tool" && item.returned === event.returned);
  if (tool?.kind === "tool") putItem(draft, { ...tool, undone: true });
  putNotice(draft, `undone:${event.seq}`, { tone: "quiet", text: event.output });
}

// the call itself may lie before the part of the history that was read
function toolOf(draft: Draft, event: { turn: string; callId: string; tool: string; seq: number }): ToolItem {
  return (
    findItem(draft, "tool", itemId("tool", event.turn, event.callId)) ??
    calledTool(event.turn, { callId: event.callId, tool: event.tool, arguments: undefined }, event.seq)
  );
}
