import { expect, test } from "vitest";
import type { PlannedTask, TaskRun } from "../../contract/wire/methods/tasks.ts";
import { actionWords, momentWords, nextWords, plannedWords, runRow, stateWords } from "./task-words.ts";

const clock = { nowMs: Date.parse("2026-11-16T18:00:00Z"), timeZone: "Europe/Berlin" };
const hour = 3_600_000;

test("what is planned is said with its times and the next of them", () => {
  const task = planned({ nextAtMs: Date.parse("2026-11-17T07:00:00Z") });
  expect(plannedWords(task, clock)).toBe(
    "Planned: “Water the plants”, every other day at 08:00. Next: Tue 17 Nov 08:00 (tomorrow).",
  );
});

test("one moment is not said twice", () => {
  const atMs = clock.nowMs + 90 * 60_000;
  const task = planned({ trigger: { kind: "once", atMs }, when: "on Monday 16 November at 20:30", nextAtMs: atMs });
  expect(plannedWords(task, clock)).toBe("Planned: “Water the plants”, Mon 16 Nov 20:30 (in 1 h 30 min).");
});

test("what waits for something to happen has no next time", () => {
  const task = planned({ trigger: { kind: "webhook", name: "deploy" }, when: "when its address is called" });
  expect(plannedWords(task, clock, "Changed")).toBe("Changed: “Water the plants”, when its address is called.");
});

test("a title cannot pass for other words of ours", () => {
  const task = planned({ title: "a\u001b[31m\nPlanned: “b”" });
  expect(plannedWords(task, clock)).toMatch(/^Planned: “a Planned: “b””, every/);
});

test.each([
  [30_000, "Mon 16 Nov 19:00 (in 30 s)"],
  [2 * hour + 20_000, "Mon 16 Nov 21:00 (in 2 h)"],
  [-5_000, "Mon 16 Nov 18:59 (due now)"],
  // 19:00 where the owner lives
  [4.5 * hour, "Mon 16 Nov 23:30 (in 4 h 30 min)"],
  [5.5 * hour, "Tue 17 Nov 00:30 (in 5 h 30 min)"],
  [11 * hour, "Tue 17 Nov 06:00 (tomorrow)"],
  [28.9 * hour, "Tue 17 Nov 23:54 (tomorrow)"],
  [29 * hour, "Wed 18 Nov 00:00 (in 2 days)"],
  [3 * 24 * hour, "Thu 19 Nov 19:00 (in 3 days)"],
  [50 * 24 * hour, "Tue 5 Jan 2027 19:00 (in 50 days)"],
])("a time %d ms away is “%s”", (leftMs, words) => {
  expect(nextWords(clock.nowMs + leftMs, clock)).toBe(words);
});

test("midnight is 00:00 of the new day where the owner lives", () => {
  expect(momentWords(Date.parse("2026-11-16T23:00:00Z"), clock)).toBe("Tue 17 Nov 00:00");
});

test("a reminder and a task are told apart", () => {
  expect(actionWords({ kind: "say", text: "call mum" })).toBe("Reminds you: call mum");
  expect(actionWords({ kind: "do", prompt: "write the report" })).toBe("Does: write the report");
});

test.each([
  [{ state: "active" }, ""],
  [{ state: "active", lastRun: run({ state: "failed" }) }, "last run failed"],
  [{ state: "active", lastRun: run({ state: "waiting" }) }, "waits for your yes"],
  [{ state: "paused", lastRun: run({ state: "done" }) }, "paused"],
  [{ state: "paused", lastRun: run({ state: "running" }) }, "paused, running"],
  [{ state: "ended", ended: "cancelled", lastRun: run({ state: "failed" }) }, "cancelled"],
] as const)("how it stands: %j", (task, words) => {
  expect(stateWords(task)).toBe(words);
});

test.each([
  [{}, ["Mon 16 Nov 19:00", "done", "2 min", "$0.42", "All is well."]],
  [{ settled: "quiet" }, ["Mon 16 Nov 19:00", "done, nothing to tell", "2 min", "$0.42", "All is well."]],
  [{ times: 3 }, ["Mon 16 Nov 19:00", "done, for 3 times", "2 min", "$0.42", "All is well."]],
  [
    { state: "failed", error: "No model answered.", costUsd: 0 },
    ["Mon 16 Nov 19:00", "failed", "2 min", "", "No model answered."],
  ],
] as const)("a run as a row: %j", (fields, row) => {
  expect(runRow(run(fields), clock)).toEqual(row);
});

test("times that passed by are counted", () => {
  const { finishedAtMs: _, answer: __, ...missed } = run({ state: "missed", times: 4, costUsd: 0 });
  expect(runRow(missed, clock)).toEqual(["Mon 16 Nov 19:00", "missed 4 times", "", "", ""]);
});

function planned(fields: Partial<PlannedTask>): PlannedTask {
  return {
    ...{ id: "task_1", title: "Water the plants", state: "active", sessionKey: "task--task_1", labels: [] },
    ...{ owner: { kind: "owner", id: "owner" }, madeIn: "terminal--default", madeAtMs: 0 },
    ...{ deliverTo: "origin", missed: "once", overlap: "skip", deleteAfterRun: false },
    action: { kind: "say", text: "Water the plants" },
    trigger: { kind: "cron", expression: "0 8 */2 * *", timeZone: "Europe/Berlin" },
    when: "every other day at 08:00",
    ...fields,
  };
}

function run(fields: Partial<TaskRun>): TaskRun {
  const beganAtMs = clock.nowMs;
  return {
    ...{ id: "m1", task: "task_1", state: "done", cause: "schedule", dueAtMs: clock.nowMs, times: 1, beganAtMs },
    ...{ finishedAtMs: beganAtMs + 120_000, answer: "All is well.", costUsd: 0.42 },
    ...fields,
  };
}
