import type { EventOf } from "../event.ts";
import type { ToolCall } from "../model.ts";
import type { Conversation, ToolItem } from "./conversation.ts";
import { findItem, itemId, putItem } from "./conversation.ts";

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
    startedAtMs: undefined,
    durationMs: undefined,
    progress: undefined,
    output: undefined,
    attachments: [],
    changes: [],
    returned: undefined,
    undone: false,
  };
}

export function foldToolSent(conversation: Conversation, event: EventOf<"tool.sent">): Conversation {
  const item = toolOf(conversation, event);
  return putTool(conversation, { ...item, status: "running", startedAtMs: event.atMs, progress: undefined });
}

export function foldToolReturned(conversation: Conversation, event: EventOf<"tool.returned">): Conversation {
  const item = toolOf(conversation, event);
  const counted = item.startedAtMs === undefined ? undefined : event.atMs - item.startedAtMs;
  return putTool(conversation, {
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

export function foldApprovalAsked(conversation: Conversation, event: EventOf<"approval.asked">): Conversation {
  const tool = toolOf(conversation, event);
  const { approvalId, callId, turn, seq, display, reason, labels, expiresAtMs } = event;
  const waiting = putTool(conversation, { ...tool, arguments: tool.arguments ?? event.arguments, status: "waiting" });
  return {
    ...waiting,
    items: putItem(waiting.items, {
      kind: "approval",
      id: `approval:${approvalId}`,
      seq,
      turn,
      callId,
      approval: {
        approvalId,
        sessionKey: event.conversation,
        turn,
        tool: event.tool,
        display,
        reason,
        labels,
        askedAtMs: event.atMs,
        expiresAtMs,
      },
      decision: undefined,
      because: undefined,
    }),
  };
}

export function foldApprovalAnswered(conversation: Conversation, event: EventOf<"approval.answered">): Conversation {
  const approval = findItem(conversation.items, "approval", `approval:${event.approvalId}`);
  if (!approval) return conversation;
  const { decision, reason: because } = event;
  const items = putItem(conversation.items, { ...approval, decision, because });
  const tool = findItem(items, "tool", itemId("tool", event.turn, event.callId));
  if (tool?.status !== "waiting") return { ...conversation, items };
  return putTool({ ...conversation, items }, { ...tool, status: decision === "approved" ? "called" : "denied" });
}

export function foldChangesUndone(conversation: Conversation, event: EventOf<"changes.undone">): Conversation {
  const tool = conversation.items.find((item) => item.kind === "tool" && item.returned === event.returned);
  const marked = tool?.kind === "tool" ? putTool(conversation, { ...tool, undone: true }) : conversation;
  const { seq, output: text } = event;
  return {
    ...marked,
    items: putItem(marked.items, { kind: "notice", id: `undone:${seq}`, seq, tone: "quiet", text, turn: undefined }),
  };
}

function putTool(conversation: Conversation, item: ToolItem): Conversation {
  return { ...conversation, items: putItem(conversation.items, item) };
}

// the call itself may lie before the part of the history that was read
function toolOf(
  conversation: Conversation,
  event: { turn: string; callId: string; tool: string; seq: number },
): ToolItem {
  return (
    findItem(conversation.items, "tool", itemId("tool", event.turn, event.callId)) ??
    calledTool(event.turn, { callId: event.callId, tool: event.tool, arguments: undefined }, event.seq)
  );
}
