import { expect, test } from "vitest";
import { openRandom } from "../../../tests/scenes/sample.ts";
import type { Schedule } from "../../contract/task/task.ts";
import { readCron } from "./read-cron.ts";
import { scheduleWords } from "./schedule-words.ts";

const home = "Europe/Berlin";

function cron(expression: string, timeZone = home): Schedule {
  return { kind: "cron", expression, timeZone };
}

test.each([
  ["0 9 * * 1-5", "every weekday at 09:00"],
  ["0 9 * * *", "every day at 09:00"],
  ["0 9,17 * * *", "every day at 09:00 and 17:00"],
  ["0 18 * * 1,4", "every Monday and Thursday at 18:00"],
  ["0 10 * * 0,6", "every Saturday and Sunday at 10:00"],
  ["0 8 1 * *", "on the 1st of every month at 08:00"],
  ["30 8 1,15 * *", "on the 1st and the 15th of every month at 08:30"],
  ["0 18 24 12 *", "every year on 24 December at 18:00"],
  ["0 9 L * *", "on the last day of every month at 09:00"],
  ["0 9 LW * *", "on the last working day of every month at 09:00"],
  ["0 9 15W * *", "on the working day nearest to the 15th of every month at 09:00"],
  ["0 9 * * 1#1", "on the first Monday of every month at 09:00"],
  ["0 9 * * 5L", "on the last Friday of every month at 09:00"],
  ["* * * * *", "every minute"],
  ["*/15 * * * *", "every 15 minutes, counted from the full hour"],
  ["0 * * * *", "every hour, on the hour"],
  ["20 * * * *", "at minute 20 of every hour"],
  ["0 */2 * * *", "at minute 0 of hours 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20 and 22"],
  ["*/15 9-16 * * 1-5", "at minutes 0, 15, 30 and 45 of hours 9 to 16, every weekday"],
  ["5 3,7 1-7 3 *", "on days 1 to 7 of March at 03:05 and 07:05"],
  ["0 9 13 * 5", "on the 13th of every month and also every Friday at 09:00"],
  ["0 9 * 6-8 1", "every Monday in June to August at 09:00"],
  ["* 9 * * *", "every minute of hour 9"],
  ["@daily", "every day at 00:00"],
])("%s is said as: %s", (expression, words) => {
  expect(scheduleWords(cron(expression), home)).toBe(words);
});

test("a time zone is named where it is not the owner's", () => {
  expect(scheduleWords(cron("0 9 * * *", "America/New_York"), home)).toBe("every day at 09:00 (America/New_York)");
});

test.each([
  [60_000, "every minute"],
  [15 * 60_000, "every 15 minutes"],
  [90_000, "every 90 seconds"],
  [2 * 3_600_000, "every 2 hours"],
  [3_600_000, "every hour"],
  [86_400_000, "every 24 hours, counted from Tuesday 17 November 2026 at 09:00"],
  [2 * 86_400_000, "every 48 hours, counted from Tuesday 17 November 2026 at 09:00"],
])("a distance of %i ms is said as: %s", (everyMs, words) => {
  expect(scheduleWords({ kind: "every", everyMs, fromMs: Date.parse("2026-11-17T08:00Z") }, home)).toBe(words);
});

test.each([
  [1, home, "every day, counted from Tuesday 17 November 2026 at 09:00"],
  [2, home, "every 2 days, counted from Tuesday 17 November 2026 at 09:00"],
  [2, "America/New_York", "every 2 days, counted from Tuesday 17 November 2026 at 03:00 (America/New_York)"],
])("%i days of the calendar in %s are said as: %s", (days, timeZone, words) => {
  const fromMs = Date.parse("2026-11-17T08:00Z");
  expect(scheduleWords({ kind: "every", everyMs: days * 86_400_000, fromMs, timeZone }, home)).toBe(words);
});

test.each([
  ["2026-11-20T16:30Z", "once, on Friday 20 November 2026 at 17:30"],
  ["2026-10-25T00:30Z", "once, on Sunday 25 October 2026 at 02:30 (UTC+02:00)"],
  ["2026-10-25T01:30Z", "once, on Sunday 25 October 2026 at 02:30 (UTC+01:00)"],
])("the moment %s is said as: %s", (at, words) => {
  expect(scheduleWords({ kind: "once", atMs: Date.parse(at) }, home)).toBe(words);
});

test("whatever an expression is, its words are its own: no two meanings share them", () => {
  const random = openRandom();
  const pick = (limit: number) => Math.floor(random() * limit);
  const field = (from: number, to: number, extra: readonly string[]) => {
    const one = () => from + pick(to - from + 1);
    const [a, b] = [one(), one()].sort((x, y) => x - y);
    const shapes = [
      "*",
      "*",
      "*",
      String(one()),
      `${a}-${b}`,
      `*/${1 + pick(to - from)}`,
      `${one()},${one()}`,
      ...extra,
    ];
    return shapes[pick(shapes.length)] ?? "*";
  };
  const meanings = new Map<string, string>();
  for (let round = 0; round < 5_000; round++) {
    const days = field(1, 31, ["L", "LW", `${1 + pick(31)}W`, "1,L"]);
    const weekdays = field(0, 6, [`${pick(7)}#${1 + pick(5)}`, `${pick(7)}L`, "1-5", "1,3L"]);
    const expression = `${field(0, 59, [])} ${field(0, 23, [])} ${days} ${field(1, 12, [])} ${weekdays}`;
    const words = scheduleWords(cron(expression), home);
    const read = readCron(expression);
    if (!read.ok) throw new Error(`${expression}: ${read.problem}`);
    expect(words).not.toBe("");
    const meaning = JSON.stringify(read.cron);
    expect({ expression, meaning: meanings.get(words) ?? meaning }).toEqual({ expression, meaning });
    meanings.set(words, meaning);
  }
});
