// The log in, the next act out: whatever an event asks of tasks is done one after the other, and looked for anew at the start, after
// a failure, and now and then.
import { type Event, tellsOfProcess } from "../../contract/event.ts";
import { isBackground } from "../../contract/task/task.ts";
import { dueTimes, findTask, openRuns } from "../../store/tasks/tasks.ts";
import { runWakes } from "../triggers/run-wakes.ts";
import { forwardQuestions, forwardReply, isSentByRun } from "./forward-words.ts";
import { jobId, planJob } from "./jobs.ts";
import { planAnew } from "./plan-anew.ts";
import { settleRuns } from "./settle-runs.ts";
import type { SettleDeps } from "./speaker.ts";

export type RunFollower = {
  /** What an earlier process has left. */
  start(): Promise<void>;
  /** What has been begun is finished. */
  close(): Promise<void>;
};

// the disk may be full for a while: what an event has asked for is in the tables, and is found there
const afterFailureMs = 10_000;
const nowAndThenMs = 3_600_000;

const always = [planAll, settleRuns, (deps: SettleDeps) => forwardQuestions(deps), runWakes];

export function followRuns(deps: SettleDeps): RunFollower {
  let working: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const unsubscribe = deps.log.subscribe((events) => {
    for (const event of events) if (concernsTasks(event)) act(() => react(deps, event));
  });
  return {
    async start() {
      await planAll(deps);
      lookForAll(nowAndThenMs);
      act(() => settleRuns(deps));
      act(() => forwardQuestions(deps));
      act(() => runWakes(deps));
    },
    async close() {
      unsubscribe();
      clearTimeout(timer);
      isClosed = true;
      await working;
    },
  };

  function lookForAll(afterMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      lookForAll(nowAndThenMs);
      // a clock that shows the same for so long is right; one that a start finds may not be set yet
      const looks = afterMs === nowAndThenMs ? [planAnew, ...always] : always;
      for (const look of looks) act(() => look(deps));
    }, afterMs).unref();
  }

  function act(work: () => Promise<void>): void {
    working = working.then(async () => {
      try {
        // the next start looks for the same again
        if (!isClosed) await work();
      } catch (cause) {
        deps.trouble("A task could not be looked after; it is tried again.", cause);
        if (!isClosed) lookForAll(afterFailureMs);
      }
    });
  }
}

function concernsTasks(event: Event): boolean {
  return (
    isBackground(event.conversation) ||
    (event.type === "reply.written" && event.task?.run !== undefined) ||
    tellsOfProcess(event)
  );
}

async function react(deps: SettleDeps, event: Event): Promise<void> {
  switch (event.type) {
    case "task.changed":
      await planNext(deps, event.task);
      // what happened while it was paused is still waited for
      return runWakes(deps);
    case "task.made":
    case "task.skipped":
      return planNext(deps, event.task);
    case "message.withdrawn":
      return settleRuns(deps);
    case "message.received":
      return event.run ? planNext(deps, event.run.task) : runWakes(deps);
    case "reply.written":
      if (event.task?.run) {
        await planNext(deps, event.task.run.task);
        return runWakes(deps);
      }
      return isSentByRun(event) ? forwardReply(deps, event) : undefined;
    case "turn.waiting":
      return forwardQuestions(deps, event.approvals);
    case "turn.finished":
      return settleRuns(deps);
    case "task.settled":
      await planNext(deps, event.task);
      return runWakes(deps);
    default:
      return;
  }
}

/** A job for the time that stands in the table. One that waited for the run before it is due at once. */
async function planNext(deps: SettleDeps, id: string): Promise<void> {
  const task = await findTask(deps.database, id);
  if (task?.state !== "active" || task.nextAtMs === undefined) return;
  const isFree = (await openRuns(deps.database, id)).length === 0;
  const atMs = isFree ? task.nextAtMs : Math.max(task.nextAtMs, deps.world.nowMs() + 1);
  const { nextAtMs: dueAtMs, plannedSeq } = task;
  await planJob(deps.engine, { kind: "schedule", task: id, dueAtMs, plannedSeq }, atMs);
}

/** Jobs are kept by the engine; those that a crash has cut off are found by what is missing. */
async function planAll(deps: SettleDeps): Promise<void> {
  const due = await dueTimes(deps.database);
  if (due.length === 0) return;
  const waiting = new Set((await deps.engine.list({ state: "waiting", limit: 1_000_000 })).map(({ id }) => id));
  for (const { id, nextAtMs, plannedSeq } of due) {
    const job = { kind: "schedule", task: id, dueAtMs: nextAtMs, plannedSeq } as const;
    if (!waiting.has(jobId(job))) await planJob(deps.engine, job, nextAtMs);
  }
}
