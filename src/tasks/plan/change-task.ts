// Pause, resume, edit, run now and cancel: what the owner, or the task itself, may do to a task.
import type { NewEvent } from "../../contract/event.ts";
import type { Sender } from "../../contract/sender.ts";
import { isSchedule, type RunRef, type TaskDefinition, taskConversation } from "../../contract/task/task.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { requireAgent } from "../../contract/wire/require-agent.ts";
import { eventByKey } from "../../store/tables/task-queries.ts";
import { findTask, openRuns, type StoredTask } from "../../store/tasks/tasks.ts";
import { beginRun, runEventKey } from "../run/begin-run.ts";
import { requirePlace } from "../run/delivery.ts";
import type { TaskDeps } from "../task-deps.ts";
import { configured, firstTime, requireTask } from "./make-task.ts";

export async function pauseTask(deps: TaskDeps, id: string, by: Sender): Promise<StoredTask> {
  const task = await requireOpen(deps, id);
  if (task.state === "active") await change(deps, id, { state: "paused", by });
  return requireTask(deps, id);
}

/** Times that passed meanwhile are no missed ones: the owner did not want them. */
export async function resumeTask(deps: TaskDeps, id: string, by: Sender): Promise<StoredTask> {
  const task = await requireOpen(deps, id);
  const { trigger } = task.definition;
  if (task.state !== "paused") return task;
  // its only time has come already, and is to be tried again
  const isBegun = trigger.kind === "once" && task.nextAtMs === undefined;
  const nextAtMs = isSchedule(trigger) && !isBegun ? await firstTime(deps, trigger) : undefined;
  await change(deps, id, { state: "active", by, ...(nextAtMs !== undefined && { nextAtMs }) });
  return requireTask(deps, id);
}

/** `byTool`: the assistant has written the new words, and so whose they are is known with them. */
export type Edit = {
  definition: TaskDefinition;
  byTool?: { named: readonly string[] | null; labels: readonly string[] };
};

const mostTries = 10;

/** Several changes at once are made one after the other, each to what the one before has left. */
export async function editTask(
  deps: TaskDeps,
  id: string,
  by: Sender,
  edit: (task: StoredTask) => Promise<Edit>,
): Promise<StoredTask> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const task = await requireOpen(deps, id);
    if (await tryEdit(deps, task, by, await edit(task))) return requireTask(deps, id);
  }
  throw new CallRefused("conflict", "This task is being changed all the time. Look at it and try again.");
}

/** False: somebody else has changed it since it was read. */
async function tryEdit(
  deps: TaskDeps,
  task: StoredTask,
  by: Sender,
  { definition: wanted, byTool }: Edit,
): Promise<boolean> {
  const { id } = task;
  const definition = { ...wanted, title: deps.redact(wanted.title) };
  const { deliverTo, agent } = definition;
  if (deliverTo !== task.definition.deliverTo) await requirePlace(deps, deliverTo);
  if (agent !== undefined && agent !== task.definition.agent) await requireAgent(deps.agents, agent);
  const { trigger, action } = definition;
  const isMoved = JSON.stringify(trigger) !== JSON.stringify(task.definition.trigger);
  const nextAtMs = isMoved && isSchedule(trigger) ? await firstTime(deps, trigger) : undefined;
  // an owner who has written it anew has named every place in it
  const isOwners = !byTool && JSON.stringify(action) !== JSON.stringify(task.definition.action);
  const changed = {
    ...{ definition, by },
    ...(nextAtMs !== undefined && { nextAtMs }),
    ...(isOwners && { named: null }),
    ...(byTool && { named: byTool.named && [...byTool.named], labels: [...byTool.labels] }),
  };
  const { events } = await deps.log.appendDecided(async (tx) => {
    const now = await findTask(tx, id);
    const isSame = now?.state === task.state && JSON.stringify(now.definition) === JSON.stringify(task.definition);
    return isSame ? [changeOf(id, changed), ...configured(id, definition)] : [];
  });
  return events.length > 0;
}

/** Beside its times, which stay as they are. The same key again is the same run. */
export async function runTaskNow(
  deps: TaskDeps,
  id: string,
  key = deps.world.newId("run"),
): Promise<{ task: StoredTask; run: string }> {
  const task = await requireOpen(deps, id);
  const run: RunRef = { task: id, dueAtMs: deps.world.nowMs(), cause: "asked", key: `asked:${key}` };
  const isBegun = (await eventByKey(deps.database, runEventKey(run))) !== undefined;
  const isBusy = !isBegun && (await openRuns(deps.database, id)).length > 0;
  if (isBusy)
    throw new CallRefused("conflict", "A run of this task is under way already. Wait for its end, or cancel it.");
  return { run: await beginRun(deps, task, run), task: await requireTask(deps, id) };
}

/**
 * Ends it for good, takes back a run that has not begun and stops one that has. `from`: the task's own run has found that its
 * condition holds, and may still say so.
 */
export async function cancelTask(deps: TaskDeps, id: string, by: Sender, from?: string): Promise<boolean> {
  const conversation = taskConversation(id);
  const isOwnRun = from === conversation;
  const task = await requireTask(deps, id);
  if (task.state === "ended") return false;
  // stopped before it is ended: cut off in between, nobody was told that it is cancelled, and it can be said again
  if (!isOwnRun) await deps.queue.stop(conversation, by);
  const begun = (await openRuns(deps.database, id)).filter(({ state }) => state !== "queued");
  const stopped = new Set(begun.map((run) => run.id));
  let isBegun = false;
  await deps.log.appendDecided(async (tx): Promise<readonly NewEvent[]> => {
    const open = await openRuns(tx, id);
    isBegun = open.some((run) => run.state !== "queued" && !stopped.has(run.id));
    const queued = open.filter(({ state }) => state === "queued");
    return [
      ...queued.map(({ beganSeq }): NewEvent => ({ type: "message.withdrawn", conversation, message: beganSeq, by })),
      { type: "task.ended", conversation, task: id, why: isOwnRun ? "condition" : "cancelled", by },
    ];
  });
  if (isBegun && !isOwnRun) await deps.queue.stop(conversation, by);
  return true;
}

async function requireOpen(deps: TaskDeps, id: string): Promise<StoredTask> {
  const task = await requireTask(deps, id);
  if (task.state === "ended")
    throw new CallRefused("conflict", `The task “${task.definition.title}” has ended. Make a new one.`);
  return task;
}

type Change = Omit<Extract<NewEvent, { type: "task.changed" }>, "type" | "task" | "conversation">;

async function change(deps: TaskDeps, task: string, changed: Change): Promise<void> {
  await deps.log.append([changeOf(task, changed)]);
}

function changeOf(task: string, changed: Change): NewEvent {
  return { type: "task.changed", conversation: taskConversation(task), task, ...changed };
}
