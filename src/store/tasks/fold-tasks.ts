// The fold of the log into the tables of tasks and their runs.
import { type Event, type EventOf, tellsOfProcess } from "../../contract/event.ts";
import { isBackground, type RunRef, TaskDefinition, taskOf } from "../../contract/task/task.ts";
import type { Queryable } from "../database/database.ts";
import { insertRow } from "../database/rows.ts";
import { modelCallsOf } from "../tables/usage.ts";
import { foldNotes } from "./heartbeat-notes.ts";

/** Runs in the transaction that appends the event. */
export async function foldTasks(tx: Queryable, event: Event): Promise<void> {
  await foldRuns(tx, event);
  await foldNotes(tx, event);
}

async function foldRuns(tx: Queryable, event: Event): Promise<void> {
  switch (event.type) {
    case "task.made":
      return foldMade(tx, event);
    case "task.changed":
      return foldChanged(tx, event);
    case "task.ended":
      await tx.query("UPDATE tasks SET state = 'ended', ended = ?, next_at_ms = NULL WHERE id = ?", [
        event.why,
        event.task,
      ]);
      await tx.query("DELETE FROM task_wakes WHERE task = ?", [event.task]);
      // its address is nobody's any more
      await tx.query("DELETE FROM task_hooks WHERE task = ?", [event.task]);
      return;
    case "task.skipped":
      await addRun(tx, event, event, {
        id: `skipped:${event.seq}`,
        state: event.why === "busy" ? "skipped" : "missed",
        settled: "kept",
      });
      return;
    case "task.settled":
      await tx.query("UPDATE task_runs SET settled = ? WHERE id = ?", [event.how, event.run]);
      return event.how === "retried" ? undefined : wakeAfterTask(tx, event);
    case "conversation.deleted":
      // who deletes what a task has done and said wants no more of it
      return forgetTask(tx, event.conversation);
    case "message.received":
      if (event.run) await addRun(tx, event, event.run, { id: event.messageId, state: "queued" });
      else if (tellsOfProcess(event)) await foldCommandsEnd(tx, event);
      return;
    case "reply.written":
      if (event.task?.run)
        await addRun(tx, event, event.task.run, {
          ...{
            id: `said:${event.seq}`,
            state: "done",
            finishedAtMs: event.atMs,
            answerSeq: event.seq,
            settled: "delivered",
          },
        });
      if (event.task?.run) await wakeAfterTask(tx, { ...event, task: event.task.id, run: `said:${event.seq}` });
      return foldRunEvent(tx, event);
    default:
      return foldRunEvent(tx, event);
  }
}

async function foldMade(tx: Queryable, event: EventOf<"task.made">): Promise<void> {
  const { task: id, definition, by, madeIn, atMs: madeAtMs, labels, nextAtMs, stamp, seq: plannedSeq } = event;
  const { named, generation = 0 } = event;
  await insertRow(tx, "tasks", {
    ...{ id, state: "active", madeIn, madeAtMs, nextAtMs, plannedSeq, stamp, generation, ...columnsOf(definition) },
    madeBy: JSON.stringify(by),
    labels: JSON.stringify(labels),
    named: named && JSON.stringify(named),
  });
}

async function foldChanged(
  tx: Queryable,
  { task, definition, state, nextAtMs, stamp, named, labels, seq }: EventOf<"task.changed">,
): Promise<void> {
  if (definition) {
    const { triggerKind, triggerKey, isHidden, definition: text } = columnsOf(definition);
    await tx.query("UPDATE tasks SET definition = ?, trigger_kind = ?, trigger_key = ?, is_hidden = ? WHERE id = ?", [
      ...[text, triggerKind, triggerKey ?? null, isHidden, task],
    ]);
  }
  if (state) await tx.query("UPDATE tasks SET state = ? WHERE id = ? AND state <> 'ended'", [state, task]);
  if (nextAtMs !== undefined) await setNext(tx, task, nextAtMs, seq);
  if (stamp !== undefined) await tx.query("UPDATE tasks SET stamp = ? WHERE id = ?", [stamp, task]);
  if (named !== undefined)
    await tx.query("UPDATE tasks SET named = ? WHERE id = ?", [named && JSON.stringify(named), task]);
  if (labels) await tx.query("UPDATE tasks SET labels = ? WHERE id = ?", [JSON.stringify(labels), task]);
}

function columnsOf(definition: TaskDefinition) {
  const { trigger } = definition;
  return {
    definition: JSON.stringify(definition),
    triggerKind: trigger.kind,
    triggerKey: trigger.kind === "task" ? trigger.task : undefined,
    isHidden: definition.deleteAfterRun ? 1 : 0,
  };
}

async function setNext(tx: Queryable, task: string, nextAtMs: number | null, seq: number): Promise<void> {
  await tx.query("UPDATE tasks SET next_at_ms = ?, planned_seq = ? WHERE id = ?", [nextAtMs, seq, task]);
}

type FirstRun = { id: string; state: string; finishedAtMs?: number; answerSeq?: number; settled?: string };

async function addRun(
  tx: Queryable,
  at: { seq: number; atMs: number; times?: number },
  ref: RunRef,
  first: FirstRun,
): Promise<void> {
  const { task, cause, key: runKey, dueAtMs, nextAtMs, attempt = 1 } = ref;
  await insertRow(tx, "task_runs", {
    ...{
      task,
      beganSeq: at.seq,
      beganAtMs: at.atMs,
      cause,
      runKey,
      dueAtMs,
      attempt,
      times: at.times ?? ref.missed ?? 1,
    },
    ...first,
  });
  if (nextAtMs !== undefined) await setNext(tx, task, nextAtMs, at.seq);
  if (ref.stamp !== undefined) await tx.query("UPDATE tasks SET stamp = ? WHERE id = ?", [ref.stamp, task]);
  if (runKey !== undefined) await tx.query("DELETE FROM task_wakes WHERE task = ? AND wake_key = ?", [task, runKey]);
}

/** How a run stands is what its turn says. */
async function foldRunEvent(tx: Queryable, event: Event): Promise<void> {
  if (!isBackground(event.conversation)) return;
  for (const { costUsd = 0 } of modelCallsOf(event))
    if ("turn" in event && costUsd > 0)
      await tx.query("UPDATE task_runs SET cost_usd = cost_usd + ? WHERE turn = ?", [costUsd, event.turn ?? null]);
  switch (event.type) {
    case "turn.started":
      for (const seq of event.messages)
        await tx.query("UPDATE task_runs SET turn = ?, state = 'running' WHERE began_seq = ?", [event.turn, seq]);
      return;
    case "message.withdrawn":
      await tx.query("UPDATE task_runs SET state = 'stopped', finished_at_ms = ? WHERE began_seq = ?", [
        event.atMs,
        event.message,
      ]);
      return;
    case "turn.waiting":
      return setRun(tx, event.turn, "waiting");
    case "approval.answered":
    case "turn.stop_requested":
      return setRun(tx, event.turn, "running");
    case "reply.written":
      if (event.turn) await tx.query("UPDATE task_runs SET answer_seq = ? WHERE turn = ?", [event.seq, event.turn]);
      return;
    case "turn.finished": {
      const { ending, detail = null, turn, atMs } = event;
      const state = ending === "answered" ? "done" : ending === "stopped" ? "stopped" : "failed";
      await tx.query("UPDATE task_runs SET state = ?, finished_at_ms = ?, ending = ?, error = ? WHERE turn = ?", [
        ...[state, atMs, ending, state === "failed" ? (detail ?? ending) : null, turn],
      ]);
      return;
    }
    default:
      return;
  }
}

async function setRun(tx: Queryable, turn: string, state: string): Promise<void> {
  await tx.query("UPDATE task_runs SET state = ? WHERE turn = ?", [state, turn]);
}

type Ended = { task: string; run: string; seq: number; atMs: number };

async function wakeAfterTask(tx: Queryable, { task, run, seq, atMs }: Ended): Promise<void> {
  const waiting = await triggeredTasks(tx, "trigger_kind = 'task' AND trigger_key = ?", [task]);
  const [ended] = waiting.length === 0 ? [] : await tx.query("SELECT state FROM task_runs WHERE id = ?", [run]);
  for (const { id, trigger } of waiting) {
    const isWanted = trigger.kind === "task" && (trigger.when === "any" || trigger.when === ended?.state);
    if (isWanted) await addWake(tx, { task: id, wakeKey: `task:${run}`, cause: "task", seq }, atMs);
  }
}

async function foldCommandsEnd(tx: Queryable, event: EventOf<"message.received">): Promise<void> {
  const task = taskOf(event.conversation);
  if (task === undefined) return wakeAfterCommand(tx, event);
  // a task's own commands are its own affair: what is made of them is told like any answer of it
  const run = { task, cause: "command", dueAtMs: event.atMs } as const;
  return addRun(tx, event, run, { id: event.messageId, state: "queued" });
}

async function wakeAfterCommand(tx: Queryable, { seq, atMs, text }: EventOf<"message.received">): Promise<void> {
  for (const { id, trigger } of await triggeredTasks(tx, "trigger_kind = 'command'")) {
    const { matching = "" } = trigger.kind === "command" ? trigger : {};
    if (text.toLowerCase().includes(matching.toLowerCase()))
      await addWake(tx, { task: id, wakeKey: `command:${seq}`, cause: "command", seq }, atMs);
  }
}

async function forgetTask(tx: Queryable, conversation: string): Promise<void> {
  await tx.query("DELETE FROM task_wakes WHERE seq IN (SELECT seq FROM events WHERE conversation = ?)", [conversation]);
  const id = taskOf(conversation);
  if (id === undefined) return;
  for (const table of ["task_runs", "task_wakes", "task_hooks"])
    await tx.query(`DELETE FROM ${table} WHERE task = ?`, [id]);
  await tx.query("DELETE FROM tasks WHERE id = ?", [id]);
}

async function triggeredTasks(tx: Queryable, where: string, values: readonly string[] = []) {
  const rows = await tx.query(`SELECT id, definition FROM tasks WHERE state = 'active' AND ${where}`, values);
  return rows.map((row) => ({
    id: String(row.id),
    trigger: TaskDefinition.parse(JSON.parse(String(row.definition))).trigger,
  }));
}

// what waits for a task that asks and is not answered is as much as a person would look through
const mostWakes = 100;

async function addWake(
  tx: Queryable,
  wake: { task: string; wakeKey: string; cause: "task" | "command"; seq: number },
  atMs: number,
): Promise<void> {
  const [row] = await tx.query("SELECT COUNT(*) AS waiting FROM task_wakes WHERE task = ?", [wake.task]);
  if (Number(row?.waiting) >= mostWakes) return skipWake(tx, wake, atMs);
  await insertRow(tx, "task_wakes", wake, "(task, wake_key) DO NOTHING");
}

/** What is left out stands among the runs. */
async function skipWake(
  tx: Queryable,
  { task, cause, seq }: { task: string; cause: "task" | "command"; seq: number },
  atMs: number,
): Promise<void> {
  const first = { id: `skipped:${seq}:${task}`, state: "skipped", settled: "kept" };
  await addRun(tx, { seq, atMs }, { task, cause, dueAtMs: atMs }, first);
}
