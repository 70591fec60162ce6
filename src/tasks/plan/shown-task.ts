// A task and its runs as clients see them.
import { isSchedule, type Trigger, taskConversation } from "../../contract/task/task.ts";
import type { PlannedTask, TaskRun } from "../../contract/wire/methods/tasks.ts";
import { findGroup } from "../../store/channels/find-group.ts";
import { findTask, lastRuns, openRuns, type StoredRun, type StoredTask } from "../../store/tasks/tasks.ts";
import type { TaskDeps } from "../task-deps.ts";

type ShowDeps = Pick<TaskDeps, "database" | "log" | "timeZone" | "redact">;

export async function showTasks(deps: ShowDeps, tasks: readonly StoredTask[]): Promise<PlannedTask[]> {
  const last = await lastRuns(
    deps.database,
    tasks.map(({ id }) => id),
  );
  const groups = await groupNames(deps, tasks);
  const shown: PlannedTask[] = [];
  for (const task of tasks) {
    const run = await shownRun(deps, last.get(task.id));
    const group = groups.get(task.madeIn);
    const own = await shownTask(deps, task, run && (await showRun(deps, run)));
    shown.push({ ...own, ...(group !== undefined && { group }) });
  }
  return shown;
}

/** By the conversation in which a task was made. */
async function groupNames({ database }: ShowDeps, tasks: readonly StoredTask[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const place of new Set(tasks.map(({ madeIn }) => madeIn))) {
    const group = await findGroup(database, place);
    if (group) names.set(place, group.name);
  }
  return names;
}

/** The newest one; of a time that was left out because of another run, that one. */
async function shownRun({ database }: ShowDeps, newest: StoredRun | undefined): Promise<StoredRun | undefined> {
  return newest?.state === "skipped" ? ((await openRuns(database, newest.task))[0] ?? newest) : newest;
}

export async function showTask(deps: ShowDeps, task: StoredTask): Promise<PlannedTask> {
  const [shown] = await showTasks(deps, [task]);
  if (!shown) throw new Error("one task in, one task out");
  return shown;
}

async function shownTask(deps: ShowDeps, task: StoredTask, lastRun: TaskRun | undefined): Promise<PlannedTask> {
  const { definition, madeBy: owner, labels, id, state, ended, nextAtMs, madeIn, madeAtMs } = task;
  return {
    ...definition,
    ...{ id, state, owner, madeIn, madeAtMs, labels: [...labels] },
    sessionKey: taskConversation(id),
    when: await triggerWords(deps, definition.trigger),
    ...(ended !== undefined && { ended }),
    // a paused one has no next time
    ...(nextAtMs !== undefined && state === "active" && { nextAtMs }),
    ...(lastRun && { lastRun }),
  };
}

const runWords = { any: "each run", done: "each good run", failed: "each failed run" } as const;

export async function triggerWords(deps: Pick<ShowDeps, "database" | "timeZone">, trigger: Trigger): Promise<string> {
  if (isSchedule(trigger)) return (await import("../schedule/schedule-words.ts")).scheduleWords(trigger, deps.timeZone);
  switch (trigger.kind) {
    case "webhook":
      return `when the webhook “${trigger.name}” is called`;
    case "file":
      return `when ${trigger.path} changes`;
    case "mail":
      return mailWords(trigger);
    case "command":
      return trigger.matching
        ? `when a background command with “${trigger.matching}” ends`
        : "when a background command ends";
    case "task":
      return `after ${runWords[trigger.when]} of “${(await findTask(deps.database, trigger.task))?.definition.title ?? trigger.task}”`;
    default:
      return trigger satisfies never;
  }
}

function mailWords({ from, subject }: Extract<Trigger, { kind: "mail" }>): string {
  const whose = from === undefined ? "" : ` from ${from.startsWith("@") ? `anybody ${from}` : from}`;
  return `when a mail${whose}${subject === undefined ? "" : ` with “${subject}” in its subject`} comes`;
}

export async function showRun(deps: ShowDeps, run: StoredRun): Promise<TaskRun> {
  const { id, task, state, cause, dueAtMs, times, beganAtMs, finishedAtMs, turn, error, answerSeq, settled } = run;
  const [answer] = answerSeq === undefined ? [] : await deps.log.at([answerSeq]);
  return {
    ...{ id, task, state, cause, dueAtMs, times, beganAtMs, costUsd: run.costUsd },
    ...(finishedAtMs !== undefined && { finishedAtMs }),
    ...(turn !== undefined && { turn }),
    ...(error !== undefined && { error: deps.redact(error) }),
    ...(answer?.type === "reply.written" && error === undefined && { answer: answer.text }),
    ...(settled !== undefined && { settled }),
  };
}
