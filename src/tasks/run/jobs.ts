// What the engine is asked to do later: each kind by a fixed id, so that asking twice is asking once.
import { z } from "zod";
import { RunRef } from "../../contract/task/task.ts";
import type { Engine } from "../engine/engine.ts";

export const TaskJob = z.discriminatedUnion("kind", [
  /** `plannedSeq`: the event that has set this time. */
  z.object({ kind: z.literal("schedule"), task: z.string(), dueAtMs: z.number(), plannedSeq: z.number() }),
  /** A run that found no model is tried once more. */
  z.object({ kind: z.literal("retry"), run: RunRef }),
  /** Nobody has answered a question yet. */
  z.object({ kind: z.literal("ask"), approvalId: z.string(), askedAtMs: z.number(), reminder: z.number() }),
  z.object({ kind: z.literal("heartbeat"), dueAtMs: z.number() }),
  z.object({ kind: z.literal("tidy"), dueAtMs: z.number() }),
]);
export type TaskJob = z.infer<typeof TaskJob>;

export function jobId(job: TaskJob): string {
  switch (job.kind) {
    case "schedule":
      return `sched:${job.task}:${job.plannedSeq}:${job.dueAtMs}`;
    case "retry":
      return `retry:${job.run.task}:${job.run.key ?? job.run.dueAtMs}:${job.run.attempt ?? 1}`;
    case "ask":
      return `ask:${job.approvalId}:${job.reminder}`;
    case "heartbeat":
    case "tidy":
      return `${job.kind}:${job.dueAtMs}`;
    default:
      return job satisfies never;
  }
}

/** False: this one is under way or over. */
export function planJob(engine: Engine, job: TaskJob, atMs: number): Promise<boolean> {
  return engine.delay({ id: jobId(job), lane: laneOf(job), payload: job }, atMs);
}

function laneOf(job: TaskJob): string {
  if (job.kind === "schedule") return job.task;
  return job.kind === "retry" ? job.run.task : job.kind;
}
