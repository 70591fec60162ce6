import { Cron } from "croner";
import { expect, test } from "vitest";
import { cpuMsOf } from "../../../tests/scenes/cpu-time.ts";
import { openRandom } from "../../../tests/scenes/sample.ts";
import type { Schedule } from "../../contract/task/task.ts";
import { countBetween, nextAfter, nextTimes, timesBetween } from "./next-times.ts";

const minute = 60_000;
const day = 86_400_000;

function cron(expression: string, timeZone: string): Schedule {
  return { kind: "cron", expression, timeZone };
}

function next(schedule: Schedule, after: string, count: number): string[] {
  return nextTimes(schedule, Date.parse(after), count).map((atMs) => new Date(atMs).toISOString().slice(0, 16));
}

test("every quarter of an hour comes eight times while the clocks in Berlin are put back", () => {
  expect(next(cron("*/15 * * * *", "Europe/Berlin"), "2026-10-24T23:59:59Z", 9)).toEqual([
    ...["2026-10-25T00:00", "2026-10-25T00:15", "2026-10-25T00:30", "2026-10-25T00:45"],
    ...["2026-10-25T01:00", "2026-10-25T01:15", "2026-10-25T01:30", "2026-10-25T01:45"],
    "2026-10-25T02:00",
  ]);
});

test("every quarter of an hour loses and invents nothing while the clocks in Berlin are put forward", () => {
  const times = next(cron("*/15 * * * *", "Europe/Berlin"), "2026-03-29T00:29Z", 5);
  expect(times).toEqual([
    ...["2026-03-29T00:30", "2026-03-29T00:45", "2026-03-29T01:00", "2026-03-29T01:15"],
    "2026-03-29T01:30",
  ]);
});

test.each([
  ["the repeated hour", "30 2 * * *", "2026-10-24T12:00Z", ["2026-10-25T00:30", "2026-10-26T01:30"]],
  ["the skipped hour", "30 2 * * *", "2026-03-28T12:00Z", ["2026-03-29T01:30", "2026-03-30T00:30"]],
  ["a skipped time that comes anyway", "30 2,3 * * *", "2026-03-29T00:00Z", ["2026-03-29T01:30", "2026-03-30T00:30"]],
  [
    "every second hour",
    "0 */2 * * *",
    "2026-10-24T21:00Z",
    ["2026-10-24T22:00", "2026-10-25T00:00", "2026-10-25T03:00"],
  ],
])("a time of day in Berlin comes once a day: %s", (_, expression, after, expected) => {
  expect(next(cron(expression, "Europe/Berlin"), after, expected.length)).toEqual(expected);
});

test.each([
  ["*", "2026-10-03T13:00Z", ["2026-10-03T13:30", "2026-10-03T14:30", "2026-10-03T16:00", "2026-10-03T17:00"]],
  ["*", "2026-04-04T13:30Z", ["2026-04-04T14:00", "2026-04-04T15:30", "2026-04-04T16:30", "2026-04-04T17:30"]],
  ["2", "2026-10-03T13:00Z", ["2026-10-03T15:30", "2026-10-04T15:00"]],
])("on Lord Howe, where the clocks are changed by half an hour, hour %s is right", (hour, after, expected) => {
  expect(next(cron(`0 ${hour} * * *`, "Australia/Lord_Howe"), after, expected.length)).toEqual(expected);
});

test("a day that a country leaves out is made up for on the next, and no time comes twice", () => {
  const daily = next(cron("0 9 * * *", "Pacific/Apia"), "2011-12-28T20:00Z", 3);
  expect(daily).toEqual(["2011-12-29T19:00", "2011-12-30T19:00", "2011-12-31T19:00"]);
  expect(next(cron("0 9 30 * *", "Pacific/Apia"), "2011-12-28T20:00Z", 1)).toEqual(["2011-12-30T19:00"]);
  expect(next(cron("0 9 30 * *", "Pacific/Apia"), "2011-12-30T12:00Z", 1)).toEqual(["2011-12-30T19:00"]);
});

test.each([
  ["0 0 29 2 *", ["2028-02-29", "2032-02-29", "2036-02-29"]],
  ["0 0 31 * *", ["2026-12-31", "2027-01-31", "2027-03-31"]],
  ["0 0 L * *", ["2026-11-30", "2026-12-31", "2027-01-31", "2027-02-28"]],
  ["0 0 LW * *", ["2026-11-30", "2026-12-31", "2027-01-29"]],
  ["0 0 1W * *", ["2026-12-01", "2027-01-01", "2027-02-01", "2027-03-01", "2027-04-01", "2027-05-03"]],
  ["0 0 * * 5#2", ["2026-12-11", "2027-01-08"]],
  ["0 0 * * friL", ["2026-11-27", "2026-12-25"]],
  ["0 0 1 3 1-5", ["2027-03-01", "2027-03-02"]],
  ["0 0 1 2-3 sat", ["2027-02-01", "2027-02-06", "2027-02-13", "2027-02-20", "2027-02-27", "2027-03-01"]],
  ["0 0 */10 2-3 *", ["2027-02-01", "2027-02-11", "2027-02-21", "2027-03-01", "2027-03-11"]],
  ["0 0 13 * 5", ["2026-11-20", "2026-11-27", "2026-12-04", "2026-12-11", "2026-12-13"]],
  ["0 0 * 2 1#5", ["2044-02-29", "2072-02-29", "2112-02-29"]],
  ["0 0 31 2 *", []],
])("%s falls on the right days", (expression, expected) => {
  const days = next(cron(expression, "UTC"), "2026-11-16T12:00Z", expected.length || 1);
  expect(days.map((at) => at.slice(0, 10))).toEqual(expected);
});

test("a fixed distance is counted from where it began, and never begins anew", () => {
  const schedule: Schedule = { kind: "every", everyMs: 90 * minute, fromMs: 1_000 };
  expect(nextAfter(schedule, 0)).toBe(1_000);
  expect(nextAfter(schedule, 1_000)).toBe(1_000 + 90 * minute);
  expect(nextAfter(schedule, 1_000 + 900 * minute - 1)).toBe(1_000 + 900 * minute);
});

test.each([
  ["08:00 stays 08:00", "2026-10-24T06:00Z", "2026-10-24T12:00Z", ["2026-10-26T07:00", "2026-10-28T07:00"]],
  ["a skipped time comes later", "2026-03-27T01:30Z", "2026-03-28T12:00Z", ["2026-03-29T01:30", "2026-03-31T00:30"]],
  ["one shown twice comes once", "2026-10-23T00:30Z", "2026-10-24T12:00Z", ["2026-10-25T00:30", "2026-10-27T01:30"]],
  ["the first one is its beginning", "2026-10-24T06:00Z", "2026-10-01T12:00Z", ["2026-10-24T06:00"]],
])("every other day in Berlin keeps its time on the wall: %s", (_, from, after, expected) => {
  const schedule: Schedule = { kind: "every", everyMs: 2 * day, fromMs: Date.parse(from), timeZone: "Europe/Berlin" };
  expect(next(schedule, after, expected.length)).toEqual(expected);
  const last = Date.parse(`${expected.at(-1)}Z`);
  expect(countBetween(schedule, Date.parse(after), last)).toBe(expected.length);
  expect(timesBetween(schedule, Date.parse(after), last, 100)).toHaveLength(expected.length);
});

test("a zone changes nothing about hours, and one that there is not has no times", () => {
  const from = Date.parse("2026-10-24T06:00Z");
  const hours: Schedule = { kind: "every", everyMs: 36 * 60 * minute, fromMs: from, timeZone: "Europe/Berlin" };
  expect(nextTimes(hours, from, 2)).toEqual([from + 36 * 60 * minute, from + 72 * 60 * minute]);
  expect(nextTimes({ kind: "every", everyMs: day, fromMs: from, timeZone: "Europe/Atlantis" }, from, 2)).toEqual([]);
});

test("a day that a country leaves out gives no time twice to what comes every day of its calendar", () => {
  const daily: Schedule = {
    ...{ kind: "every", everyMs: day, timeZone: "Pacific/Apia" },
    fromMs: Date.parse("2011-12-28T19:00Z"),
  };
  expect(next(daily, "2011-12-28T20:00Z", 3)).toEqual(["2011-12-29T19:00", "2011-12-30T19:00", "2011-12-31T19:00"]);
});

test("one moment comes once", () => {
  expect(nextTimes({ kind: "once", atMs: 5_000 }, 4_999, 3)).toEqual([5_000]);
  expect(nextAfter({ kind: "once", atMs: 5_000 }, 5_000)).toBeUndefined();
});

test("a stretch begins after its first moment and ends with its last", () => {
  const hourly = cron("0 * * * *", "UTC");
  expect(timesBetween(hourly, 0, 3 * 60 * minute, 10)).toEqual([60 * minute, 120 * minute, 180 * minute]);
  expect(timesBetween(hourly, 0, 3 * 60 * minute, 2)).toHaveLength(2);
  expect(countBetween(hourly, 0, day)).toBe(24);
  expect(countBetween({ kind: "every", everyMs: minute, fromMs: 0 }, 0, day)).toBe(1440);
  expect(countBetween({ kind: "every", everyMs: minute, fromMs: day }, 0, day - 1)).toBe(0);
});

test("years of minutes are counted no further than anybody would read", async () => {
  const start = Date.parse("2026-01-01T00:00Z");
  const used = await cpuMsOf(() => {
    expect(countBetween(cron("* * * * *", "Europe/Berlin"), start, start + 3_660 * day)).toBe(10_000);
    expect(countBetween({ kind: "every", everyMs: minute, fromMs: 0 }, start, start + 3_660 * day)).toBe(10_000);
    expect(countBetween(cron("0 0 31 2 *", "Europe/Berlin"), start, start + 3_660 * day)).toBe(0);
  });
  expect(used).toBeLessThan(2_000);
});

test("a schedule that cannot be read has no times", () => {
  expect(nextAfter(cron("soon", "UTC"), 0)).toBeUndefined();
  expect(nextAfter(cron("0 9 * * *", "Europe/Atlantis"), 0)).toBeUndefined();
});

// What the clocks show, minute by minute, by the formatter and not by the rules under test.
const changes: [zone: string, dates: string[]][] = [
  ["Europe/Berlin", ["2025-10-26", "2026-03-29", "2026-10-25"]],
  ["America/New_York", ["2026-03-08", "2026-11-01", "2027-03-14"]],
  ["Australia/Lord_Howe", ["2026-04-05", "2026-10-04", "2027-04-04"]],
  ["America/Sao_Paulo", ["2018-02-18", "2018-11-04"]],
  ["Pacific/Chatham", ["2026-04-05", "2026-09-27"]],
  ["Pacific/Apia", ["2011-12-30", "2021-04-04"]],
  ["Asia/Kathmandu", ["1986-01-01", "2026-05-01"]],
  ["Africa/Casablanca", ["2026-02-15", "2026-03-22"]],
  ["America/Havana", ["2026-03-08", "2026-11-01"]],
  // changed at one minute past midnight, so that the repeated hour belongs to two days
  ["America/Goose_Bay", ["2010-03-14", "2010-11-07"]],
];

type Shown = { atMs: number; wallMs: number };

function clockOf(zone: string, date: string): Shown[] {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
  const from = Date.parse(`${date}T00:00Z`) - 3 * day;
  return Array.from({ length: 6 * 1440 }, (_, index) => {
    const atMs = from + index * minute;
    return { atMs, wallMs: Date.parse(`${format.format(atMs).replace(" ", "T")}Z`) };
  });
}

type Made = { expression: string; minutes: number[]; hours: number[]; isDay(wall: Date): boolean };

function makeExpression(random: () => number): Made {
  const below = (limit: number) => Math.floor(random() * limit);
  const some = (limit: number) => [...new Set(Array.from({ length: 1 + below(3) }, () => below(limit)))];
  const all = (limit: number) => Array.from({ length: limit }, (_, value) => value);
  const step = 2 + below(29);
  const minutes = [some(60), all(60), all(60).filter((value) => value % step === 0)];
  const minute = below(3);
  const hours = [all(24), some(5), all(24).filter((value) => value % 2 === 0), all(4), some(24), all(24)];
  const hour = below(6);
  const weekdays = below(3) === 0 ? some(7) : all(7);
  const text = [(minutes[minute] ?? []).join(","), "*", `*/${step}`][minute];
  const hourText = ["*", undefined, "*/2", "0-3", undefined, "0-23"][hour] ?? (hours[hour] ?? []).join(",");
  return {
    expression: `${text} ${hourText} * * ${weekdays.length === 7 ? "*" : weekdays.join(",")}`,
    minutes: minutes[minute] ?? [],
    hours: hours[hour] ?? [],
    isDay: (wall) => weekdays.includes(wall.getUTCDay()),
  };
}

function expectedTimes(clock: Shown[], made: Made): number[] {
  const isMeant = (wallMs: number) => {
    const wall = new Date(wallMs);
    return made.isDay(wall) && made.hours.includes(wall.getUTCHours()) && made.minutes.includes(wall.getUTCMinutes());
  };
  const shown = clock.filter(({ wallMs }) => isMeant(wallMs));
  if (made.hours.length === 24) return shown.map(({ atMs }) => atMs);
  const firsts = shown.filter(({ wallMs }, at) => shown.findIndex((other) => other.wallMs === wallMs) === at);
  const late: number[] = [];
  for (const [at, { wallMs, atMs }] of clock.entries()) {
    const upTo = clock[at + 1]?.wallMs ?? 0;
    for (let skipped = wallMs + minute; skipped < upTo; skipped += minute) {
      if (isMeant(skipped)) late.push(atMs + (skipped - wallMs));
    }
  }
  return [...new Set([...firsts.map(({ atMs }) => atMs), ...late])].sort((one, other) => one - other);
}

test.each(changes)("%s: made-up expressions come when the clocks on the wall say so", (zone, dates) => {
  const random = openRandom();
  for (const date of dates) {
    const clock = clockOf(zone, date);
    for (let round = 0; round < 40; round++) {
      const made = makeExpression(random);
      const [from = 0, until = 0] = [clock[1440]?.atMs, clock[5 * 1440]?.atMs];
      const expected = expectedTimes(clock, made).filter((atMs) => atMs > from && atMs <= until);
      const found = timesBetween(cron(made.expression, zone), from, until, 10_000);
      expect({ zone, date, expression: made.expression, found }).toEqual({
        ...{ zone, date, expression: made.expression },
        found: expected,
      });
      // asked one by one, from any moment, the answer is the same
      const at = from + Math.floor(random() * 4 * day);
      const following = expected.find((atMs) => atMs > at);
      if (following !== undefined) expect(nextAfter(cron(made.expression, zone), at)).toBe(following);
    }
  }
});

test("without changes of the clock, made-up expressions come when croner says so", () => {
  const random = openRandom();
  const pick = (choices: readonly string[]) => choices[Math.floor(random() * choices.length)] ?? "*";
  for (let round = 0; round < 300; round++) {
    const expression = [
      pick(["0", "*/7", "5,10,59", "30-40/3", "*"]),
      pick(["*", "0", "9-17", "*/5", "23,4"]),
      pick(["*", "*", "1", "31", "L", "LW", "15W", "1W", "31W", "*/10", "28-31", "1,L"]),
      pick(["*", "*", "2", "feb,jun", "*/3", "10-12"]),
      pick(["*", "*", "1-5", "sun", "7", "fri-sun", "2#5", "5L", "mon#1,3", "*/2", "5-7"]),
    ].join(" ");
    const from = Date.parse("2020-01-01T00:00Z") + Math.floor(random() * 4_000) * day;
    const found = nextTimes(cron(expression, "UTC"), from, 8);
    // croner loses the first days of March behind a February that it has tried to the 31st
    const isLost = /^03-0[1-3]/;
    const lost = found.findIndex((atMs) => isLost.test(new Date(atMs).toISOString().slice(5)));
    const times = lost < 0 ? found : found.slice(0, lost);
    const expected = new Cron(expression, { timezone: "UTC", mode: "5-part" }).nextRuns(times.length, new Date(from));
    expect({ expression, from, times }).toEqual({ expression, from, times: expected.map((at) => at.getTime()) });
  }
});
