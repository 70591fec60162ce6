// Schedules on a clock that is driven through years: every due time comes once, or by the task's own rule for missed ones.
import { expect, test } from "vitest";
import type { Schedule } from "../../src/contract/task/task.ts";
import { timesBetween } from "../../src/tasks/schedule/next-times.ts";
import { isLong, openRandom, sample } from "../scenes/sample.ts";
import { saidTimes, taskClock } from "../scenes/tasks/task-clock.ts";

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const all = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Pacific/Chatham",
  "Asia/Kathmandu",
];
const zones = sample(all, 2);
// from before a change of the clocks in every zone, over a leap day
const start = Date.UTC(2027, 7, 1);
const end = isLong ? Date.UTC(2029, 7, 1) : Date.UTC(2028, 4, 1);

const cron = (expression: string, timeZone: string): Schedule => ({ kind: "cron", expression, timeZone });
const limit = 1_000_000;

test.for(zones)(
  "every time of a year in %s comes once and in order, over restarts and clocks that are set back",
  { timeout: 300_000 },
  async (zone) => {
    const clock = await taskClock(start);
    const random = openRandom();
    const schedules = [
      ...[
        cron("30 2 * * *", zone),
        cron("0 9 * * 1-5", zone),
        cron("15 0,3,12 * * 0", zone),
        cron("59 23 L * *", zone),
      ],
      ...[cron("0 8 29 2 *", zone), { kind: "every", everyMs: 36 * hour, fromMs: start } as const],
      { kind: "every", everyMs: 2 * day, fromMs: start + 150 * minute, timeZone: zone } as const,
    ];
    const tasks = [];
    for (const schedule of schedules) tasks.push(await clock.make(schedule));
    while (clock.now() < end) {
      await clock.runTo(Math.min(end, clock.now() + random() * 60 * day));
      const what = random();
      if (what < 0.3) await clock.restart();
      if (what > 0.6) await clock.set(clock.now() - hour);
    }
    const events = await clock.events();
    expect(tasks.map((task) => saidTimes(events, task))).toEqual(
      schedules.map((schedule) => timesBetween(schedule, start, end, limit)),
    );
  },
);

test.for(zones)(
  "what comes every quarter of an hour misses and doubles nothing around the changes of the clocks in %s",
  { timeout: 300_000 },
  async (zone) => {
    for (const change of changesIn(zone, start, start + 400 * day)) {
      const from = change - day;
      const clock = await taskClock(from);
      const quarterly = cron("*/15 * * * *", zone);
      const task = await clock.make(quarterly);
      await clock.runTo(change + 3 * hour);
      await clock.set(clock.now() - hour);
      await clock.restart();
      await clock.runTo(change + day);
      const times = saidTimes(await clock.events(), task);
      expect(times).toEqual(timesBetween(quarterly, from, change + day, limit));
      // in the world's time there is no gap and no doubling, whatever the clocks show
      expect(new Set(times.slice(1).map((time, at) => time - (times[at] ?? 0)))).toEqual(new Set([15 * minute]));
    }
  },
);

test("a machine that sleeps for a week tells once of what it has missed, catches it up, or leaves it out, as each task wants it", async () => {
  const clock = await taskClock(start);
  const daily = cron("0 9 * * *", "Europe/Berlin");
  const once = await clock.make(daily, { missed: "once" });
  const every = await clock.make(daily, { missed: "all" });
  const none = await clock.make(daily, { missed: "skip" });
  await clock.runTo(start + 2 * day);
  await clock.set(start + 9 * day);
  await clock.runTo(start + 12 * day);
  const events = await clock.events();
  const times = timesBetween(daily, start, start + 12 * day, limit);
  expect(saidTimes(events, every)).toEqual(times);
  expect(saidTimes(events, once)).toEqual([...times.slice(0, 2), ...times.slice(8)]);
  expect(saidTimes(events, none)).toEqual([...times.slice(0, 2), ...times.slice(9)]);
  expect(events.filter((event) => event.type === "task.skipped")).toMatchObject([
    { task: none.id, why: "missed", times: 7, dueAtMs: times[2], cause: "schedule" },
  ]);
  const late = events.flatMap((event) =>
    event.type === "reply.written" && event.task?.id === once.id ? [event.text] : [],
  );
  expect(late[2]).toContain("(Late: this was due Mon 9 Aug 07:00, and 6 times before that.)");
});

test("what comes every other day at 8 is still at 8 on the wall after months of sleep over a change of the clocks", async () => {
  const clock = await taskClock(start);
  const fromMs = Date.UTC(2027, 7, 1, 6);
  const schedule: Schedule = { kind: "every", everyMs: 2 * day, fromMs, timeZone: "Europe/Berlin" };
  const once = await clock.make(schedule, { missed: "once" });
  await clock.set(Date.UTC(2027, 11, 1));
  await clock.runTo(Date.UTC(2027, 11, 6));
  const times = timesBetween(schedule, start, Date.UTC(2027, 11, 6), limit);
  const before = times.filter((atMs) => atMs <= Date.UTC(2027, 11, 1));
  expect(saidTimes(await clock.events(), once)).toEqual(times.slice(before.length - 1));
  expect(times.at(-1)).toBe(Date.UTC(2027, 11, 5, 7));
});

test("what would be caught up for ever is bounded: the oldest are told of as missed", async () => {
  const clock = await taskClock(start);
  const often: Schedule = { kind: "every", everyMs: minute, fromMs: start };
  const task = await clock.make(often, { missed: "all" });
  await clock.set(start + 30 * day);
  const events = await clock.events();
  const missed = events.flatMap((event) => (event.type === "task.skipped" ? [event.times] : []));
  expect(saidTimes(events, task)).toHaveLength(50);
  expect(missed.reduce((sum, times) => sum + times, 0) + 50).toBe(30 * 24 * 60);
});

test("a reminder whose time passed while nothing ran is said late, once, and the task is over", async () => {
  const clock = await taskClock(start);
  const task = await clock.make({ kind: "once", atMs: start + hour });
  await clock.restart();
  await clock.set(start + 3 * hour);
  await clock.restart();
  await clock.set(start - hour);
  await clock.set(start + 4 * hour);
  const events = await clock.events();
  expect(saidTimes(events, task)).toEqual([start + hour]);
  expect(events.filter((event) => event.type === "task.ended")).toMatchObject([{ task: task.id, why: "done" }]);
});

/** The moments at which the clocks of the zone are changed, to the hour. */
function changesIn(zone: string, from: number, until: number): readonly number[] {
  const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  const offset = (at: number) => format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value;
  const hours = Array.from({ length: (until - from) / hour }, (_, index) => from + index * hour);
  return hours.filter((at) => offset(at) !== offset(at + hour));
}
