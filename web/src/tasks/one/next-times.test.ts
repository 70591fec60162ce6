import { expect, test } from "vitest";
import { planned } from "../../../../tests/scenes/page/planned-task.ts";
import { plainTimes, timesWish } from "./next-times.ts";

const cron = { kind: "cron", expression: "0 9 * * 1-5", timeZone: "Europe/Berlin" } as const;

test("a fixed distance is counted on from the next time", () => {
  const every = { kind: "every", everyMs: 10, fromMs: 0 } as const;
  expect(plainTimes(planned({ trigger: every, nextAtMs: 50 }))).toEqual([50, 60, 70, 80, 90]);
});

test("one moment has one time, and what has ended none", () => {
  expect(plainTimes(planned({ nextAtMs: 50 }))).toEqual([50]);
  expect(plainTimes(planned({ nextAtMs: 50, state: "ended" }))).toEqual([]);
  expect(plainTimes(planned({ trigger: { kind: "webhook", name: "x" } }))).toEqual([]);
});

test("times of the calendar are asked for in their own time zone", () => {
  const task = planned({ trigger: cron, nextAtMs: 50 });
  expect(plainTimes(task)).toBeUndefined();
  expect(timesWish(task)).toEqual({ when: "0 9 * * 1-5", timeZone: "Europe/Berlin", count: 5 });
});

test("days of a calendar are asked for by the task's own words", () => {
  const trigger = { kind: "every", everyMs: 2 * 86_400_000, fromMs: 0, timeZone: "Europe/Berlin" } as const;
  const task = planned({ trigger, when: "every 2 days, counted from …", nextAtMs: 1 });
  expect(plainTimes(task)).toBeUndefined();
  expect(timesWish(task)).toEqual({ when: "every 2 days, counted from …", timeZone: "Europe/Berlin", count: 5 });
});
