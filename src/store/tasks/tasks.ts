// Tasks and their runs as the log has left them.
import { z } from "zod";
import { Sender } from "../../contract/sender.ts";
import { heartbeatTask, isGivenUp, type RunRef, TaskDefinition, taskOf, tidyTask } from "../../contract/task/task.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { RunState, TaskState } from "../../contract/wire/methods/tasks.ts";
import type { Queryable } from "../database/database.ts";
import { placeholders, rowReader } from "../database/rows.ts";
import { readLabels } from "../tables/fold-into-tables.ts";

const fromJson = <Schema extends z.ZodType>(schema: Schema) =>
  z.string().transform((text) => schema.parse(JSON.parse(text)) as z.output<Schema>);

const StoredTask = z.object({
  id: z.string(),
  state: TaskState,
  ended: z.string().optional(),
  definition: fromJson(TaskDefinition),
  madeBy: fromJson(Sender),
  madeIn: z.string(),
  madeAtMs: z.number(),
  labels: z.string().transform(readLabels),
  nextAtMs: z.number().optional(),
  /** The event that has set this time: the same time set anew is another one. */
  plannedSeq: z.number(),
  /** Of a file that is waited for, what it was when it was last looked at. */
  stamp: z.string().optional(),
  /** The assistant has written its words, and of the places in them these are the owner's. */
  named: fromJson(z.array(z.string())).optional(),
  /** How many runs stand between it and a person. */
  generation: z.number(),
});
export type StoredTask = z.infer<typeof StoredTask>;
const readTask = rowReader(StoredTask);

const StoredRun = z.object({
  id: z.string(),
  task: z.string(),
  beganSeq: z.number(),
  beganAtMs: z.number(),
  state: RunState,
  cause: z.string(),
  runKey: z.string().optional(),
  dueAtMs: z.number(),
  times: z.number(),
  attempt: z.number(),
  turn: z.string().optional(),
  finishedAtMs: z.number().optional(),
  ending: z.string().optional(),
  error: z.string().optional(),
  answerSeq: z.number().optional(),
  costUsd: z.number(),
  settled: z.string().optional(),
});
export type StoredRun = z.infer<typeof StoredRun>;
const readRun = rowReader(StoredRun);

export async function findTask(db: Queryable, id: string): Promise<StoredTask | undefined> {
  return (await db.query("SELECT * FROM tasks WHERE id = ?", [id])).map(readTask)[0];
}

export type TaskFilter = { madeIn?: string | undefined; ended: boolean; limit: number; offset: number };

/** What is due next stands first, then what waits for something else, newest first. */
export async function listTasks(
  db: Queryable,
  filter: TaskFilter,
): Promise<{ tasks: readonly StoredTask[]; total: number }> {
  const { sql, values } = whereOf(filter);
  const [row] = await db.query(`SELECT COUNT(*) AS total FROM tasks ${sql}`, values);
  const rows = await db.query(
    `SELECT * FROM tasks ${sql}
     ORDER BY CASE state WHEN 'ended' THEN 1 ELSE 0 END, CASE WHEN next_at_ms IS NULL THEN 1 ELSE 0 END, next_at_ms, made_at_ms DESC, id
     LIMIT ? OFFSET ?`,
    [...values, filter.limit, filter.offset],
  );
  return { tasks: rows.map(readTask), total: Number(row?.total) };
}

function whereOf({ madeIn, ended }: TaskFilter): { sql: string; values: readonly string[] } {
  // one that wanted to be gone after its run is
  const shown = ended ? "NOT (state = 'ended' AND is_hidden = 1)" : "state <> 'ended'";
  return madeIn === undefined
    ? { sql: `WHERE ${shown}`, values: [] }
    : { sql: `WHERE ${shown} AND made_in = ?`, values: [madeIn] };
}

export async function activeTasks(db: Queryable, kind?: string): Promise<readonly StoredTask[]> {
  const rows =
    kind === undefined
      ? await db.query("SELECT * FROM tasks WHERE state = 'active' ORDER BY id")
      : await db.query("SELECT * FROM tasks WHERE state = 'active' AND trigger_kind = ? ORDER BY id", [kind]);
  return rows.map(readTask);
}

/** Every active task with a time to come, as little of it as a timer needs. */
export async function dueTimes(db: Queryable): Promise<readonly DueTime[]> {
  const rows = await db.query(
    "SELECT id, next_at_ms, planned_seq FROM tasks WHERE state = 'active' AND next_at_ms IS NOT NULL",
  );
  return rows.map(readDueTime);
}

/** Recurring ones whose next time and last run both lie after this moment. */
export async function tasksRunAhead(db: Queryable, afterMs: number): Promise<readonly StoredTask[]> {
  const rows = await db.query(
    `SELECT * FROM tasks WHERE state = 'active' AND next_at_ms > ? AND trigger_kind IN ('cron', 'every')
       AND EXISTS (SELECT 1 FROM task_runs WHERE task_runs.task = tasks.id AND task_runs.due_at_ms > ?)`,
    [afterMs, afterMs],
  );
  return rows.map(readTask);
}

const readDueTime = rowReader(z.object({ id: z.string(), nextAtMs: z.number(), plannedSeq: z.number() }));
export type DueTime = ReturnType<typeof readDueTime>;

export async function countTasks(db: Queryable, madeIn?: string): Promise<number> {
  const where = madeIn === undefined ? "" : " AND made_in = ?";
  const sql = `SELECT COUNT(*) AS total FROM tasks WHERE state <> 'ended'${where}`;
  return Number((await db.query(sql, madeIn === undefined ? [] : [madeIn]))[0]?.total);
}

/** How many were made there since then, those that are over included. */
export async function countMadeSince(db: Queryable, madeIn: string, sinceMs: number): Promise<number> {
  const sql = "SELECT COUNT(*) AS total FROM tasks WHERE made_in = ? AND made_at_ms > ?";
  return Number((await db.query(sql, [madeIn, sinceMs]))[0]?.total);
}

/** Newest first. */
export async function runsOf(db: Queryable, task: string, limit: number): Promise<readonly StoredRun[]> {
  const rows = await db.query("SELECT * FROM task_runs WHERE task = ? ORDER BY began_seq DESC LIMIT ?", [task, limit]);
  return rows.map(readRun);
}

/** How many of its runs have begun since then; those that were left out have not. */
export async function countBegunSince(db: Queryable, task: string, sinceMs: number): Promise<number> {
  const sql = `SELECT COUNT(*) AS total FROM task_runs WHERE task = ? AND state NOT IN ('skipped', 'missed') AND began_at_ms > ?`;
  return Number((await db.query(sql, [task, sinceMs]))[0]?.total);
}

/** The newest run of each. */
export async function lastRuns(db: Queryable, tasks: readonly string[]): Promise<ReadonlyMap<string, StoredRun>> {
  if (tasks.length === 0) return new Map();
  const rows = await db.query(
    `SELECT task_runs.* FROM task_runs JOIN (
       SELECT task, MAX(began_seq) AS last_seq FROM task_runs WHERE task IN (${placeholders(tasks)}) GROUP BY task
     ) newest ON newest.task = task_runs.task AND newest.last_seq = task_runs.began_seq`,
    tasks,
  );
  return new Map(rows.map(readRun).map((run) => [run.task, run]));
}

export async function findRun(db: Queryable, id: string): Promise<StoredRun | undefined> {
  return (await db.query("SELECT * FROM task_runs WHERE id = ?", [id])).map(readRun)[0];
}

/** The run that this one tries again, or that has begun by the same cause. */
export async function firstTry(
  db: Queryable,
  { task, cause, dueAtMs, key = "" }: RunRef,
): Promise<StoredRun | undefined> {
  const sql = `SELECT * FROM task_runs WHERE task = ? AND cause = ? AND due_at_ms = ? AND COALESCE(run_key, '') = ?
     ORDER BY began_seq LIMIT 1`;
  return (await db.query(sql, [task, cause, dueAtMs, key])).map(readRun)[0];
}

/** Whether a later time of the task has begun a run. */
export async function hasRunSince(db: Queryable, { task, dueAtMs }: RunRef): Promise<boolean> {
  const sql =
    "SELECT 1 FROM task_runs WHERE task = ? AND due_at_ms > ? AND cause = 'schedule' AND turn IS NOT NULL LIMIT 1";
  return (await db.query(sql, [task, dueAtMs])).length > 0;
}

/** Runs that nobody has ended yet, oldest first. */
export async function openRuns(db: Queryable, task: string): Promise<readonly StoredRun[]> {
  const sql = `SELECT * FROM task_runs WHERE task = ? AND settled IS NULL AND state IN ('queued', 'running', 'waiting') ORDER BY began_seq`;
  return (await db.query(sql, [task])).map(readRun);
}

/** Those that are over and whose answer nobody has handed on. */
export async function unsettledRuns(db: Queryable): Promise<readonly StoredRun[]> {
  const sql = `SELECT * FROM task_runs WHERE settled IS NULL AND state IN ('done', 'failed', 'stopped') ORDER BY began_seq`;
  return (await db.query(sql)).map(readRun);
}

/** Runs whose answer was handed on since then. */
export async function deliveredRuns(db: Queryable, task: string, sinceMs: number): Promise<readonly StoredRun[]> {
  const sql = "SELECT * FROM task_runs WHERE task = ? AND settled = 'delivered' AND finished_at_ms > ?";
  return (await db.query(sql, [task, sinceMs])).map(readRun);
}

const readWake = rowReader(
  z.object({ task: z.string(), wakeKey: z.string(), cause: z.enum(["command", "task"]), seq: z.number() }),
);
export type Wake = ReturnType<typeof readWake>;

/** Tasks for which something has happened that no run has taken up. */
export async function wokenTasks(db: Queryable): Promise<readonly string[]> {
  return (await db.query("SELECT task FROM task_wakes GROUP BY task ORDER BY MIN(seq)")).map((row) => String(row.task));
}

export async function firstWake(db: Queryable, task: string): Promise<Wake | undefined> {
  return (await db.query("SELECT * FROM task_wakes WHERE task = ? ORDER BY seq LIMIT 1", [task])).map(readWake)[0];
}

/** Inside the transaction that begins a run: what was ended, paused or moved meanwhile does not begin. */
export async function requireRunnable(tx: Queryable, run: RunRef): Promise<void> {
  if (run.task === heartbeatTask || run.task === tidyTask) return;
  const task = await findTask(tx, run.task);
  const isBusy = await isTaken(tx, task, run);
  if (isBusy)
    throw new CallRefused("conflict", "A run of this task is under way already. Wait for its end, or cancel it.");
  const isOn = task?.state === "active" || (task?.state === "paused" && run.cause === "asked");
  const isDue = run.cause !== "schedule" || run.attempt !== undefined || isPlanned(task, run);
  if (!isOn || !isDue) throw new CallRefused("conflict", "This task was ended, paused or changed in the meantime.");
}

/** Inside the transaction that tells of a command's end: in a task that was given up nothing begins any more. */
export async function requireWanted(tx: Queryable, conversation: string): Promise<void> {
  const task = await findTask(tx, taskOf(conversation) ?? "");
  if (task?.ended !== undefined && isGivenUp({ why: task.ended }))
    throw new CallRefused("conflict", "The task that began this was ended.");
}

// of several that were missed the first is the one that stands in the table
function isPlanned(task: StoredTask | undefined, run: RunRef): boolean {
  return task?.nextAtMs !== undefined && task.nextAtMs <= run.dueAtMs;
}

// asked for, or begun from outside, it begins only where no run is under way; a time and a wake have been looked at before
async function isTaken(tx: Queryable, task: StoredTask | undefined, { cause, attempt }: RunRef): Promise<boolean> {
  const isFromOutside = cause === "webhook" || cause === "mail";
  const isAlone = cause === "asked" || (isFromOutside && task?.definition.overlap === "skip");
  return task !== undefined && isAlone && attempt === undefined && (await openRuns(tx, task.id)).length > 0;
}
