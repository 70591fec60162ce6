import type { PlannedTask } from "../../../../src/contract/wire/methods/tasks.ts";
import { daysBetween } from "../time-words.ts";

export type TaskGroup = { title: string; tasks: readonly PlannedTask[] };

const titles = ["Today", "Next 7 days", "Later", "When something happens", "Paused", "Ended"] as const;

/** Next first within each group; groups without a task are left out. */
export function groupTasks(tasks: readonly PlannedTask[], nowMs: number): TaskGroup[] {
  const groups = Map.groupBy(tasks, (task) => titleOf(task, nowMs));
  return titles.flatMap((title) => {
    const group = groups.get(title);
    return group ? [{ title, tasks: group.toSorted(title === "Ended" ? byEnd : byNext) }] : [];
  });
}

function titleOf(task: PlannedTask, nowMs: number): (typeof titles)[number] {
  if (task.state === "ended") return "Ended";
  if (task.state === "paused") return "Paused";
  const isTimed = ["cron", "every", "once"].includes(task.trigger.kind);
  if (!isTimed) return "When something happens";
  // one whose last time has come and who is still at it
  if (task.nextAtMs === undefined) return "Today";
  const days = daysBetween(nowMs, task.nextAtMs);
  if (days <= 0) return "Today";
  return days <= 7 ? "Next 7 days" : "Later";
}

function byNext(one: PlannedTask, other: PlannedTask): number {
  return (one.nextAtMs ?? 0) - (other.nextAtMs ?? 0) || one.title.localeCompare(other.title);
}

function byEnd(one: PlannedTask, other: PlannedTask): number {
  return lastAt(other) - lastAt(one);
}

function lastAt({ lastRun, madeAtMs }: PlannedTask): number {
  return lastRun?.beganAtMs ?? madeAtMs;
}
