// A task is a message and what became of it; how it stands is folded from the log each time somebody asks.
import { z } from "zod";
import type { Event, EventOf, TurnEnding } from "../../../contract/event.ts";
import { noUsage, Usage } from "../../../contract/model.ts";
import type { Caller } from "../../../contract/wire/caller.ts";
import { CallRefused } from "../../../contract/wire/client.ts";
import type { Queryable } from "../../../store/database/database.ts";
import {
  findTaking,
  findTaskMessage,
  findWithdrawal,
  milestones,
  type TaskMessage,
} from "../../../store/tables/task-queries.ts";
import { Question, questionOf } from "../question.ts";

export const TaskId = z.strictObject({ id: z.string().min(1).max(100) });

export const TaskState = z.enum(["queued", "running", "waiting", "completed", "failed", "cancelled"]);
export type TaskState = z.infer<typeof TaskState>;

export const Task = z.object({
  id: z.string(),
  sessionKey: z.string(),
  state: TaskState,
  createdAtMs: z.number(),
  finishedAtMs: z.number().optional(),
  prompt: z.string(),
  answer: z.string().optional(),
  error: z.string().optional(),
  usage: Usage,
  costUsd: z.number(),
  waitingFor: z.array(Question),
});
export type Task = z.infer<typeof Task>;

/** What a caller may not see is not there for it. */
export async function requireTaskMessage(db: Queryable, caller: Caller, id: string): Promise<TaskMessage> {
  const message = await findTaskMessage(db, id);
  if (!message || (caller.scope === "task" && message.conversation !== caller.conversation))
    throw new CallRefused("not_found", "There is no task with this id. GET /api/tasks lists those there are.");
  return message;
}

export async function readTask(db: Queryable, message: TaskMessage): Promise<Task> {
  return (await whatBecameOf(db, message)).reduce(applyToTask, taskBegun(message));
}

async function whatBecameOf(db: Queryable, message: TaskMessage): Promise<readonly Event[]> {
  const taking = await findTaking(db, message);
  if (taking) return milestones(db, taking);
  const withdrawal = await findWithdrawal(db, message);
  return withdrawal ? [withdrawal] : [];
}

/** The number of the event that ended the task; undefined while it goes on. */
export async function taskEndSeq(db: Queryable, message: TaskMessage): Promise<number | undefined> {
  if (message.type === "message.refused") return message.seq;
  const last = (await whatBecameOf(db, message)).at(-1);
  return last?.type === "turn.finished" || last?.type === "message.withdrawn" ? last.seq : undefined;
}

export function taskBegun(message: TaskMessage): Task {
  const { messageId, conversation, atMs, text } = message;
  const place = { id: messageId, sessionKey: conversation, createdAtMs: atMs, prompt: text };
  const nothing = { usage: noUsage, costUsd: 0, waitingFor: [] };
  if (message.type === "message.received") return { ...place, ...nothing, state: "queued" };
  return { ...place, ...nothing, state: "failed", finishedAtMs: atMs, error: message.reason };
}

export function applyToTask(task: Task, event: Event): Task {
  // the turn has taken the message, whatever else it says
  const running: Task = task.state === "queued" ? { ...task, state: "running" } : task;
  switch (event.type) {
    case "step.finished":
      return {
        ...running,
        usage: addUsage(task.usage, event.usage),
        costUsd: task.costUsd + (event.costUsd ?? 0),
      };
    case "turn.waiting":
      return { ...running, state: "waiting" };
    case "turn.stop_requested":
      return { ...running, state: "running" };
    case "approval.asked":
      return { ...running, waitingFor: [...task.waitingFor, questionOf(event)] };
    case "approval.answered":
      return {
        ...running,
        state: "running",
        waitingFor: task.waitingFor.filter(({ approvalId }) => approvalId !== event.approvalId),
      };
    case "reply.written":
      return { ...running, answer: event.text };
    case "turn.finished":
      return endOf(running, event);
    case "message.withdrawn":
      return { ...task, state: "cancelled", finishedAtMs: event.atMs };
    default:
      return running;
  }
}

function addUsage(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
  };
}

function endOf(task: Task, { atMs, ending, detail }: EventOf<"turn.finished">): Task {
  const state = stateAtEnd(ending);
  return {
    ...task,
    state,
    finishedAtMs: atMs,
    waitingFor: [],
    ...(state === "failed" && { error: detail ?? task.answer ?? ending }),
  };
}

function stateAtEnd(ending: TurnEnding): TaskState {
  if (ending === "answered") return "completed";
  return ending === "stopped" ? "cancelled" : "failed";
}
