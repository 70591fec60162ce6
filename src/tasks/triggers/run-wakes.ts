// Something happened that a task waits for: the fold of the log has noted it, and here its run begins.

import { fenced } from "../../contract/channel/fenced-data.ts";
import type { Event } from "../../contract/event.ts";
import { type RunRef, taskConversation } from "../../contract/task/task.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { conversationState } from "../../store/tables/conversations.ts";
import {
  findRun,
  findTask,
  firstWake,
  openRuns,
  type StoredTask,
  type Wake,
  wokenTasks,
} from "../../store/tasks/tasks.ts";
import { type Brought, beginRun, NoRoom } from "../run/begin-run.ts";
import type { TaskDeps } from "../task-deps.ts";

export async function runWakes(deps: TaskDeps): Promise<void> {
  const failures: unknown[] = [];
  for (const task of await wokenTasks(deps.database))
    await runWakesOf(deps, task).catch((cause) => failures.push(cause));
  // one that cannot begin keeps no other waiting
  if (failures.length > 0) throw new AggregateError(failures, "Not every run could begin.");
}

/** In their order, until one has to wait. */
async function runWakesOf(deps: TaskDeps, task: string): Promise<void> {
  for (let last: string | undefined; ; ) {
    const wake = await firstWake(deps.database, task);
    if (!wake || wake.wakeKey === last) return;
    await runWake(deps, wake);
    last = wake.wakeKey;
  }
}

async function runWake(deps: TaskDeps, wake: Wake): Promise<void> {
  const task = await findTask(deps.database, wake.task);
  const [event] = await deps.log.at([wake.seq]);
  if (!task || !event) return;
  const run: RunRef = { task: task.id, dueAtMs: event.atMs, cause: wake.cause, key: wake.wakeKey };
  const brought = await broughtBy(deps, event);
  if (!brought) return;
  await beginTriggered(deps, task, run, brought);
}

/** By the task's own rule for what comes while a run is under way. */
export async function beginTriggered(deps: TaskDeps, task: StoredTask, run: RunRef, brought: Brought): Promise<void> {
  const isBusy = (await openRuns(deps.database, task.id)).length > 0;
  // what waits is looked at again when that run is settled
  if (isBusy && task.definition.overlap === "wait") return;
  try {
    if (!isBusy) await beginRun(deps, task, run, brought);
    else
      await deps.log.append([
        { type: "task.skipped", conversation: taskConversation(task.id), ...run, why: "busy", times: 1 },
      ]);
  } catch (cause) {
    // ended or paused in this moment, or no room: what waits is looked at again
    if (!(cause instanceof NoRoom) && !(cause instanceof CallRefused && cause.code === "conflict")) throw cause;
  }
}

async function broughtBy(deps: TaskDeps, event: Event): Promise<Brought | undefined> {
  if (event.type === "message.received") {
    // its command line was written there
    const { labels = [] } = (await conversationState(deps.database, event.conversation)) ?? {};
    const data = fenced("A command that went on in the background has ended.", event.text);
    return { data, labels: ["command", ...labels] };
  }
  if (event.type === "reply.written" && event.task)
    return { data: fenced("A reminder was said.", event.text), labels: event.labels ?? [] };
  if (event.type !== "task.settled") return undefined;
  const run = await findRun(deps.database, event.run);
  const task = await findTask(deps.database, event.task);
  const [answer] = run?.answerSeq === undefined ? [] : await deps.log.at([run.answerSeq]);
  const text = run?.error ?? (answer?.type === "reply.written" ? answer.text : "");
  const { labels = [] } = (await conversationState(deps.database, taskConversation(event.task))) ?? {};
  const about = `A task has ${run?.state === "failed" ? "failed" : "ended"}.`;
  const words = `${task?.definition.title ?? event.task}\n\n${text}`;
  return { data: fenced(about, words), labels: [...(task?.labels ?? []), ...labels] };
}
