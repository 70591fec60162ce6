// A time has come: run, or leave it out by the task's own rules, and know the next time in the same breath.
import { isSchedule, type RunRef, runKeyIn, type Schedule, taskConversation } from "../../contract/task/task.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { findTask, openRuns, requireRunnable, type StoredTask } from "../../store/tasks/tasks.ts";
import { scheduler, type TaskDeps } from "../task-deps.ts";
import { beginRun } from "./begin-run.ts";
import { lateAfterMs } from "./run-words.ts";

/** done: whatever was to be done is in the log. wait: the run before it is still under way. */
export type Fired = "done" | "wait";

// of times that are all to be caught up, these many; the older ones are told of as missed
const mostCaughtUp = 50;

export async function fireTask(deps: TaskDeps, id: string, plannedSeq: number): Promise<Fired> {
  const task = await findTask(deps.database, id);
  const trigger = task?.definition.trigger;
  // moved, paused or ended since: its new time has a job of its own
  if (task?.state !== "active" || task.plannedSeq !== plannedSeq || !trigger || !isSchedule(trigger)) return "done";
  const due = await timesDue(task, trigger, deps.world.nowMs());
  const { overlap, missed, action } = task.definition;
  const isCatchingUp = missed === "all" && due.times > 1;
  const isBusy = action.kind === "do" && (await openRuns(deps.database, id)).length > 0;
  // one that comes only once is never left out
  if (isBusy && (overlap === "wait" || isCatchingUp || trigger.kind === "once")) return "wait";
  if (isBusy) await skip(deps, task, { ...refOf(task, due), why: "busy", times: due.times });
  else if (due.missed > 0)
    await skip(deps, task, {
      ...refOf(task, due),
      dueAtMs: task.nextAtMs ?? due.atMs,
      why: "missed",
      times: due.missed,
    });
  else await beginOnce(deps, task, refOf(task, due));
  return "done";
}

/** `missed`: so many of them are left out, and nothing is run now. */
type Due = { atMs: number; times: number; missed: number; standsFor: number; nextAtMs: number | undefined };

async function timesDue(task: StoredTask, schedule: Schedule, nowMs: number): Promise<Due> {
  const { nextAfter, timesBetween, countBetween } = await import("../schedule/next-times.ts");
  const first = task.nextAtMs ?? nowMs;
  const one = { atMs: first, times: 1, missed: 0, standsFor: 0, nextAtMs: nextAfter(schedule, first) };
  if (nowMs - first <= lateAfterMs) return one;
  const times = 1 + countBetween(schedule, first, nowMs);
  switch (task.definition.missed) {
    case "all": {
      const tooMany = times - mostCaughtUp;
      if (tooMany <= 0) return { ...one, times };
      const left = timesBetween(schedule, first, nowMs, tooMany);
      return { ...one, times, missed: tooMany, nextAtMs: left.at(-1) ?? one.nextAtMs };
    }
    case "once": {
      const atMs = lastBefore(schedule, first, nowMs, nextAfter);
      return { ...one, atMs, times, standsFor: times - 1, nextAtMs: nextAfter(schedule, atMs) };
    }
    case "skip": {
      const atMs = lastBefore(schedule, first, nowMs, nextAfter);
      const isRecent = nowMs - atMs <= lateAfterMs;
      // the last one is still in time
      if (isRecent) return { ...one, times, missed: times - 1, nextAtMs: atMs };
      return { ...one, atMs, times, missed: times, nextAtMs: nextAfter(schedule, atMs) };
    }
    default:
      return task.definition.missed satisfies never;
  }
}

type NextAfter = (schedule: Schedule, afterMs: number) => number | undefined;

/** The last time up to now: found by halving the stretch, for there may be a year of minutes in it. */
function lastBefore(schedule: Schedule, first: number, nowMs: number, nextAfter: NextAfter): number {
  if (schedule.kind === "every" && schedule.timeZone === undefined)
    return first + Math.floor((nowMs - first) / schedule.everyMs) * schedule.everyMs;
  let [low, high] = [first, nowMs];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const next = nextAfter(schedule, middle);
    if (next !== undefined && next <= nowMs) low = next;
    else high = middle;
  }
  return low;
}

function refOf(task: StoredTask, due: Due): RunRef {
  return {
    ...{
      task: task.id,
      dueAtMs: due.atMs,
      cause: "schedule" as const,
      key: `planned:${task.plannedSeq}:${due.atMs}`,
      nextAtMs: due.nextAtMs ?? null,
    },
    ...(due.standsFor > 0 && { missed: due.standsFor }),
  };
}

async function skip(
  deps: TaskDeps,
  task: StoredTask,
  skipped: RunRef & { why: "busy" | "missed"; times: number },
): Promise<void> {
  const conversation = taskConversation(task.id);
  await unlessChanged(() =>
    deps.log.appendDecided(
      async (tx) => {
        await requireRunnable(tx, skipped);
        const isOver = skipped.nextAtMs === null;
        const end = { type: "task.ended", conversation, task: task.id, why: "expired", by: scheduler } as const;
        return [{ type: "task.skipped", conversation, ...skipped }, ...(isOver ? [end] : [])];
      },
      { idempotencyKey: runKeyIn(conversation, `skipped:${task.plannedSeq}`) },
    ),
  );
}

async function beginOnce(deps: TaskDeps, task: StoredTask, run: RunRef): Promise<void> {
  await unlessChanged(() => beginRun(deps, task, run));
}

// somebody has ended or moved it in this very moment, which is as good as before
async function unlessChanged(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (!(cause instanceof CallRefused && cause.code === "conflict")) throw cause;
  }
}
