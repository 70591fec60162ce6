// A task as the gateway tells of it, for the tests of the page's own rules.
import type { PlannedTask, TaskRun } from "../../../src/contract/wire/methods/tasks.ts";

export function planned(more: Partial<PlannedTask> = {}): PlannedTask {
  return {
    id: "t1",
    title: "Water the plants",
    action: { kind: "say", text: "Water the plants" },
    trigger: { kind: "once", atMs: 1_000 },
    ...{ deliverTo: "origin", missed: "once", overlap: "skip", deleteAfterRun: false, state: "active" },
    sessionKey: "task--t1",
    owner: { kind: "owner", id: "owner" },
    ...{ madeIn: "web--1", madeAtMs: 0, labels: [], when: "once" },
    ...more,
  };
}

export function run(more: Partial<TaskRun> = {}): TaskRun {
  return {
    ...{ id: "m1", task: "t1", state: "done", cause: "schedule", dueAtMs: 1_000, times: 1, beganAtMs: 1_000 },
    costUsd: 0,
    ...more,
  };
}
