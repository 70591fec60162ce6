import { expect, test } from "vitest";
import { cpuMsOf } from "../../../tests/scenes/cpu-time.ts";
import { openRandom } from "../../../tests/scenes/sample.ts";
import type { Schedule } from "../../contract/task/task.ts";
import { scheduleProblem, timeZoneProblem } from "./check-schedule.ts";

const nowMs = Date.parse("2026-11-16T10:00Z");

function problemOf(expression: string, timeZone = "Europe/Berlin"): string | undefined {
  return scheduleProblem({ kind: "cron", expression, timeZone }, nowMs);
}

test.each([
  ...["0 9 * * 1-5", "*/15 * * * *", "0 0 1,15 * *", "5 4 * jan-mar sun", "0 9 ? * MON#1", "0 0 L * *", "0 0 15W * *"],
  ...["@daily", "@Hourly", "0 0 29 2 *", "0 22 * * fri-sun", "0 9 * * 5L", "  0   9 * * 7  ", "0-58/2 * * * *"],
])("%s is fine", (expression) => {
  expect(problemOf(expression)).toBeUndefined();
});

test.each([
  ["soon", "one field, not five"],
  ["", "not five"],
  ["* * *", "3 fields, not five"],
  ["*/5 * * * * *", "could fire every second"],
  ["*/5 * * * * *", 'Leave the first field out: "* * * * *"'],
  ["0 0 9 * * 1 2027", "with 7 fields"],
  ["60 * * * *", "The minute"],
  ["0 24 * * *", "The hour"],
  ["0 9 0 * *", "The day"],
  ["0 9 32 * *", "numbers from 1 to 31"],
  ["0 9 1 13 *", "The month"],
  ["0 9 * * 8", "The weekday"],
  ["0 9 * * monday", "The weekday"],
  ["0 9 * * sunmon", "The weekday"],
  ["5* * * * *", "The minute"],
  ["5/10 * * * *", "write 5-59/10"],
  ["*/0 * * * *", "the step after the slash is a number from 1 to 60"],
  ["0 22-6 * * *", "write it as two, such as 22-23,0-6"],
  ["1,,2 * * * *", "The minute"],
  ["0 9 L5 * *", "The day"],
  ["0 9 * * 2#6", "The weekday"],
  ["? 9 * * *", "The minute"],
  ["-1 * * * *", "The minute"],
  ["@reboot", "@hourly, @daily"],
  ["0 9 31 2 *", "never comes"],
  ["0 9 30 feb *", "never comes"],
  ["0 9 31 4,6,9,11 *", "never comes"],
])("%s is refused with what is wrong", (expression, part) => {
  expect(problemOf(expression)).toContain(part);
});

test.each([
  ["Europe/Berln", "Did you mean Europe/Berlin?"],
  ["Berlin", "Did you mean Europe/Berlin?"],
  ["New York", "Did you mean America/New_York?"],
  ["Middle Earth", "Write its IANA name"],
])("a time zone called %s is refused", (timeZone, part) => {
  expect(problemOf("0 9 * * *", timeZone)).toContain(part);
  expect(timeZoneProblem(timeZone)).toContain(part);
});

test.each<[Schedule, string | undefined]>([
  [{ kind: "every", everyMs: 59_999, fromMs: 0 }, "more often than once a minute"],
  [{ kind: "every", everyMs: 1_000, fromMs: 0 }, "more often than once a minute"],
  [{ kind: "every", everyMs: 60_000, fromMs: 0 }, undefined],
  [{ kind: "every", everyMs: 3_653 * 86_400_000, fromMs: 0 }, undefined],
  [{ kind: "every", everyMs: 3_654 * 86_400_000, fromMs: 0 }, "longer than ten years"],
  [{ kind: "once", atMs: nowMs }, "has passed"],
  [{ kind: "once", atMs: nowMs + 1 }, undefined],
])("%j is judged by how often and when", (schedule, part) => {
  const problem = scheduleProblem(schedule, nowMs);
  if (part === undefined) expect(problem).toBeUndefined();
  else expect(problem).toContain(part);
});

test("two hundred characters of anything are judged at once, and nothing breaks", async () => {
  const random = openRandom();
  const letters = "0123456789*/,-#LW? \tjanmonsun@é😀";
  const anything = Array.from({ length: 100 }, () =>
    Array.from({ length: 200 }, () => letters[Math.floor(random() * letters.length)]).join(""),
  );
  const lists = ["1,".repeat(99), "*/1,".repeat(50), "0-59,".repeat(40)].map((field) => field.slice(0, -1));
  const long = [...anything, ...lists.map((field) => `${field} * * * *`), "* ".repeat(100), "0 0 31 2,4 *"];
  const used = await cpuMsOf(() => {
    for (const expression of long) {
      problemOf(expression);
      problemOf("0 9 * * *", expression.slice(0, 39));
    }
  });
  // per expression, with the search for the nearest of all time zones
  expect(used / long.length).toBeLessThan(100);
});
