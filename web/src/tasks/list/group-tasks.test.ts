import { expect, test } from "vitest";
import { planned, run } from "../../../../tests/scenes/page/planned-task.ts";
import { groupTasks } from "./group-tasks.ts";

const now = new Date(2026, 10, 16, 12).getTime();
const at = (day: number, hour = 9) => new Date(2026, 10, day, hour).getTime();
const told = (...tasks: Parameters<typeof groupTasks>[0]) =>
  groupTasks(tasks, now).map((group) => [group.title, ...group.tasks.map((task) => task.id)]);

test("what is planned stands by its day, the next first", () => {
  expect(
    told(
      planned({ id: "later", nextAtMs: at(24) }),
      planned({ id: "evening", nextAtMs: at(16, 20) }),
      planned({ id: "overdue", nextAtMs: at(16, 8) }),
      planned({ id: "week", nextAtMs: at(23) }),
      planned({ id: "tomorrow", nextAtMs: at(17, 0) }),
    ),
  ).toEqual([
    ["Today", "overdue", "evening"],
    ["Next 7 days", "tomorrow", "week"],
    ["Later", "later"],
  ]);
});

test("a task at its last run is still among those of today", () => {
  expect(told(planned({ id: "running", lastRun: run({ state: "running" }) }))).toEqual([["Today", "running"]]);
});

test("what waits for something, what is paused and what has ended stand apart", () => {
  expect(
    told(
      planned({ id: "old", state: "ended", madeAtMs: 1 }),
      planned({ id: "new", state: "ended", madeAtMs: 2 }),
      planned({ id: "paused", state: "paused", nextAtMs: at(17) }),
      planned({ id: "hook", trigger: { kind: "webhook", name: "x" } }),
    ),
  ).toEqual([
    ["When something happens", "hook"],
    ["Paused", "paused"],
    ["Ended", "new", "old"],
  ]);
});
