// The beginning of a run: a reminder is said, everything else comes in by the same door as a message.
import { channelOf } from "../../contract/conversation-key.ts";
import type { NewEvent } from "../../contract/event.ts";
import type { IncomingMessage, Receipt } from "../../contract/incoming-message.ts";
import { type RunRef, runKeyIn, taskConversation } from "../../contract/task/task.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { requireRunnable, type StoredTask } from "../../store/tasks/tasks.ts";
import { scheduler, type TaskDeps } from "../task-deps.ts";
import { findTarget } from "./delivery.ts";
import { lateWords } from "./run-words.ts";

/** Too many messages wait in the task's conversation. */
export class NoRoom extends Error {}

/** What came with what began it. */
export type Brought = { data?: string; labels?: readonly string[] };

/** The run's id. A run that has begun already, or must not begin any more, is refused by a `CallRefused`. */
export async function beginRun(deps: TaskDeps, task: StoredTask, run: RunRef, brought: Brought = {}): Promise<string> {
  const { action, trigger } = task.definition;
  if (action.kind === "say") return say(deps, task, run, action.text);
  const conversation = taskConversation(task.id);
  const { messageId } = await roomFor(deps.receive, {
    ...{ conversation, channel: "task", attachments: [], text: action.prompt, run },
    sender:
      trigger.kind === "webhook" ? { kind: "group", id: `hook:${trigger.name}`, name: trigger.name } : task.madeBy,
    data: brought.data,
    named: task.named,
    labels: [...new Set([...task.labels, ...(brought.labels ?? [])])],
    idempotencyKey: runKey(run),
  });
  return messageId;
}

async function roomFor(receive: TaskDeps["receive"], message: IncomingMessage): Promise<Receipt> {
  try {
    return await receive(message);
  } catch (cause) {
    if (cause instanceof CallRefused && cause.code === "failed") throw new NoRoom(cause.message, { cause });
    throw cause;
  }
}

/** The same time is one run, whoever asks for it and however often. */
function runKey({ cause, dueAtMs, key, attempt }: RunRef): string {
  const what = key ?? `${cause}:${dueAtMs}`;
  return attempt === undefined ? what : `${what}:${attempt}`;
}

/** Under which its first event is kept. */
export function runEventKey(run: RunRef): string {
  return runKeyIn(taskConversation(run.task), runKey(run));
}

async function say(deps: TaskDeps, task: StoredTask, run: RunRef, words: string): Promise<string> {
  const { id, definition, labels } = task;
  const conversation = await findTarget(deps, task);
  const text = deps.redact(`${words}${lateWords(run, deps.world.nowMs(), deps.timeZone)}`);
  const isLast = definition.trigger.kind === "once" && run.cause === "schedule";
  const { events } = await deps.log.appendDecided(
    async (tx): Promise<readonly NewEvent[]> => {
      await requireRunnable(tx, run);
      const voice = { task: { id, title: definition.title, run }, labels: [...labels] };
      const said: NewEvent = {
        type: "reply.written",
        conversation,
        channel: channelOf(conversation),
        text,
        attachments: [],
        ...voice,
      };
      return isLast
        ? [said, { type: "task.ended", conversation: taskConversation(id), task: id, why: "done", by: scheduler }]
        : [said];
    },
    { idempotencyKey: runEventKey(run) },
  );
  return `said:${events[0]?.seq ?? 0}`;
}
