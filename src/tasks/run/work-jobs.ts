// Due jobs in, runs out: several loops take them from the engine, so that many due at once share their way to the disk.
import { setTimeout as pause } from "node:timers/promises";
import type { RunRef } from "../../contract/task/task.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { findTask, firstTry, hasRunSince } from "../../store/tasks/tasks.ts";
import type { Claim } from "../engine/engine.ts";
import { beginRun } from "./begin-run.ts";
import { fireTask } from "./fire-task.ts";
import { remind } from "./forward-words.ts";
import { TaskJob } from "./jobs.ts";
import type { SettleDeps } from "./speaker.ts";

export type JobWorker = { close(): Promise<void> };

export type JobDeps = SettleDeps & { beat(dueAtMs: number): Promise<void>; tidy(dueAtMs: number): Promise<void> };

const loops = 8;
const leaseMs = 60_000;
// the disk may be full, or the conversation's queue: nothing is given up for that
const againAfterMs = 10_000;
// the end of the run before it wakes it; this is for an end in the very moment of the look
const busyAgainAfterMs = 5_000;

export function workJobs(deps: JobDeps): JobWorker {
  const closing = new AbortController();
  const name = deps.world.newId("worker");
  const working = Promise.all(Array.from({ length: loops }, (_, index) => loop(`${name}:${index}`)));
  return {
    async close() {
      closing.abort();
      await working;
    },
  };

  async function loop(worker: string): Promise<void> {
    const { signal } = closing;
    while (!signal.aborted) {
      try {
        const claim = await deps.engine.claim(worker, { leaseMs, signal });
        if (claim) await deps.engine.finish(claim, await work(claim));
      } catch (cause) {
        deps.trouble("The tasks that are due could not be taken up; it is tried again.", cause);
        await pause(againAfterMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }

  async function work({ job }: Claim): Promise<{ kind: "done" } | { kind: "again"; atMs: number }> {
    try {
      const fired = await perform(deps, TaskJob.parse(job.payload));
      return fired === "wait" ? { kind: "again", atMs: deps.world.nowMs() + busyAgainAfterMs } : { kind: "done" };
    } catch (cause) {
      deps.trouble("A task that is due could not begin; it is tried again.", cause);
      return { kind: "again", atMs: deps.world.nowMs() + againAfterMs };
    }
  }
}

async function perform(deps: JobDeps, job: TaskJob): Promise<"done" | "wait"> {
  switch (job.kind) {
    case "schedule":
      return fireTask(deps, job.task, job.plannedSeq);
    case "retry":
      return tryAgain(deps, job.run);
    case "ask":
      await remind(deps, job);
      return "done";
    case "heartbeat":
      await deps.beat(job.dueAtMs);
      return "done";
    case "tidy":
      await deps.tidy(job.dueAtMs);
      return "done";
    default:
      return job satisfies never;
  }
}

/** One that is paused is tried when it goes on; a time that a later one has followed is over. */
async function tryAgain(deps: JobDeps, run: RunRef): Promise<"done" | "wait"> {
  const task = await findTask(deps.database, run.task);
  if (!task) return "done";
  if (task.state === "paused") return "wait";
  if (run.cause === "schedule" && (await hasRunSince(deps.database, run))) return "done";
  const first = await firstTry(deps.database, run);
  const [began] = first ? await deps.log.at([first.beganSeq]) : [];
  const brought =
    began?.type === "message.received"
      ? { ...(began.data !== undefined && { data: began.data }), labels: began.labels ?? [] }
      : {};
  try {
    await beginRun(deps, task, run, brought);
  } catch (cause) {
    // ended or paused meanwhile
    if (!(cause instanceof CallRefused && cause.code === "conflict")) throw cause;
  }
  return "done";
}
