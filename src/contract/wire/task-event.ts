// What a client that watches one task is told: eight types, each a view of an event of the log.
import { z } from "zod";
import { isChannelEvent } from "../channel/channel-events.ts";
import type { Event, EventOf, ToolOutcome } from "../event.ts";
import { isMemoryEvent } from "../memory/memory-events.ts";

const ApprovalPresentation = z.object({ title: z.string(), details: z.string().optional() });

export const TaskEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("status"), message: z.string() }),
  z.object({ type: z.literal("code_generated"), code: z.string() }),
  z.object({
    type: z.literal("approval_request"),
    /** The call that waits; `POST /api/approvals/<id>` answers it. */
    id: z.string(),
    /** Names the question even when two models have given their calls the same name. */
    approvalId: z.string(),
    toolPath: z.string(),
    input: z.unknown(),
    preview: ApprovalPresentation,
  }),
  z.object({ type: z.literal("approval_resolved"), id: z.string(), decision: z.enum(["approved", "denied"]) }),
  z.object({
    type: z.literal("tool_result"),
    id: z.string(),
    toolPath: z.string(),
    status: z.enum(["succeeded", "failed", "denied"]),
    preview: z.string().optional(),
  }),
  z.object({ type: z.literal("agent_message"), text: z.string() }),
  z.object({ type: z.literal("error"), error: z.string() }),
  z.object({ type: z.literal("completed") }),
]);
export type TaskEvent = z.infer<typeof TaskEvent>;

const previewLength = 500;
const statusWords = {
  "message.received": "Waiting to begin.",
  "turn.started": "Working.",
  "turn.resumed": "Taken up again after a restart.",
  "turn.interrupted": "Put down; the next start goes on with it.",
  "turn.steered": "A further message has joined.",
  "turn.waiting": "Waiting for an answer.",
  "turn.stop_requested": "Stopping.",
  "conversation.compacted": "Older messages were summarised.",
};

/** Pure, so that the same event gives the same views in the same order whenever somebody comes back for them. */
export function taskEventsOf(event: Event): readonly TaskEvent[] {
  switch (event.type) {
    case "message.received":
    case "turn.started":
    case "turn.resumed":
    case "turn.interrupted":
    case "turn.steered":
    case "turn.waiting":
    case "turn.stop_requested":
    case "conversation.compacted":
      return [status(statusWords[event.type])];
    case "message.withdrawn":
      return [{ type: "error", error: "The task was cancelled." }];
    case "task.ended":
      return [status(event.why === "cancelled" ? "The task was cancelled." : "The task has ended.")];
    case "task.skipped":
      return [status(event.why === "busy" ? "Left out: the run before it was under way." : "Missed.")];
    case "message.refused":
      return [{ type: "error", error: event.reason }];
    case "step.finished":
      return viewsOfStep(event);
    case "approval.asked":
      return [viewOfQuestion(event)];
    case "approval.answered":
      return [
        {
          type: "approval_resolved",
          id: event.callId,
          decision: event.decision === "approved" ? "approved" : "denied",
        },
      ];
    case "tool.returned":
      return [viewOfResult(event)];
    case "reply.written":
      return [{ type: "agent_message", text: event.text }];
    case "turn.finished":
      return [viewOfEnd(event)];
    case "conversation.deleted":
      return [{ type: "error", error: "The conversation was deleted." }];
    case "tool.sent":
    case "model.failed":
    case "model.called":
    case "changes.undone":
    case "conversation.renewed":
    case "conversation.configured":
    case "conversation.rewound":
    case "conversation.forgotten":
    case "access.granted":
    case "access.revoked":
    case "access.signed_in":
    case "access.refused":
    case "approval.reminded":
    case "task.made":
    case "task.changed":
    case "task.settled":
    case "heartbeat.noted":
    case "trouble.met":
    case "settings.changed":
      return [];
    default:
      // nor are the kinds of channels, or of another room, a part of this view
      if (!isChannelEvent(event) && !isMemoryEvent(event)) event satisfies never;
      return [];
  }
}

/** Nothing comes after it. */
export function isLast(event: TaskEvent): boolean {
  return event.type === "completed" || event.type === "error";
}

function status(message: string): TaskEvent {
  return { type: "status", message };
}

// what the last step says is the reply, which comes as an event of its own
function viewsOfStep({ text, toolCalls }: EventOf<"step.finished">): readonly TaskEvent[] {
  if (toolCalls.length === 0) return [];
  const calls = status(`Calling ${toolCalls.map((call) => call.tool).join(", ")}.`);
  return text.trim() === "" ? [calls] : [{ type: "agent_message", text }, calls];
}

function viewOfQuestion(event: EventOf<"approval.asked">): TaskEvent {
  return {
    type: "approval_request",
    id: event.callId,
    approvalId: event.approvalId,
    toolPath: event.tool,
    input: event.arguments,
    preview: { title: event.display, ...(event.reason !== "" && { details: event.reason }) },
  };
}

function viewOfResult({ callId, tool, outcome, output }: EventOf<"tool.returned">): TaskEvent {
  const preview = output.length > previewLength ? `${output.slice(0, previewLength - 1)}…` : output;
  const status = statusOf(outcome);
  return { type: "tool_result", id: callId, toolPath: tool, status, preview: preview.toWellFormed() };
}

function statusOf(outcome: ToolOutcome): "succeeded" | "failed" | "denied" {
  if (outcome === "done") return "succeeded";
  return outcome === "denied" ? "denied" : "failed";
}

function viewOfEnd({ ending, detail }: EventOf<"turn.finished">): TaskEvent {
  if (ending === "answered") return { type: "completed" };
  if (ending === "stopped") return { type: "error", error: "The task was cancelled." };
  return { type: "error", error: detail ?? `The task ended early (${ending}).` };
}
