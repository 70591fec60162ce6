import { expect, test } from "vitest";
import { openRandom } from "../../../tests/scenes/sample.ts";
import type { Schedule } from "../../contract/task/task.ts";
import { readCron } from "./read-cron.ts";
import { readWhen } from "./read-when.ts";
import { scheduleWords } from "./schedule-words.ts";

const home = "Europe/Berlin";
const minute = 60_000;
const day = 86_400_000;
const nowMs = Date.parse("2026-11-16T10:00Z");

async function read(words: string): Promise<unknown> {
  const when = await readWhen(words, { nowMs, timeZone: home });
  return when.ok ? meaningOf(when.schedule) : when.problem;
}

/** Two spellings of a cron expression are one schedule. */
function meaningOf(schedule: Schedule): unknown {
  if (schedule.kind !== "cron") return schedule;
  const cron = readCron(schedule.expression);
  return { timeZone: schedule.timeZone, cron: cron.ok ? cron.cron : schedule.expression };
}

const once = (at: string): Schedule => ({ kind: "once", atMs: Date.parse(at) });
const days = (count: number, from: string, timeZone = home): Schedule => ({
  ...{ kind: "every", everyMs: count * day, fromMs: Date.parse(from), timeZone },
});

test.each<[words: string, schedule: Schedule]>([
  ["once, on Thursday 19 November 2026 at 18:00", once("2026-11-19T17:00Z")],
  ["once, on Thursday 19 November 2026 at 19:30", once("2026-11-19T18:30Z")],
  ["  once,  on Thursday  19 November 2026 at 18:00 . ", once("2026-11-19T17:00Z")],
  ["Once, on Thursday 19 November 2026 at 6pm", once("2026-11-19T17:00Z")],
  ["once, on Thursday 19 November 2026 at 18:00 (America/New_York)", once("2026-11-19T23:00Z")],
  ["once, tomorrow at 9am", once("2026-11-17T08:00Z")],
  ["every 2 days, counted from Wednesday 18 November 2026 at 08:00", days(2, "2026-11-18T07:00Z")],
  ["every 2 days , counted from Wednesday 18 November 2026 at 09:15", days(2, "2026-11-18T08:15Z")],
  ["every 3 days, counted from Wednesday 18 November 2026 at 9am", days(3, "2026-11-18T08:00Z")],
  ["every 2 weeks, counted from Wednesday 18 November 2026 at 08:00", days(14, "2026-11-18T07:00Z")],
  [
    "every 2 days, counted from Wednesday 18 November 2026 at 08:00 (Asia/Tokyo)",
    days(2, "2026-11-17T23:00Z", "Asia/Tokyo"),
  ],
  ["every weekday at 07:45 (Asia/Tokyo)", { kind: "cron", expression: "45 7 * * 1-5", timeZone: "Asia/Tokyo" }],
])("its own words are read again: %s", async (words, schedule) => {
  expect(await read(words)).toEqual(meaningOf(schedule));
});

test.each([
  ["once, on Friday 19 November 2026 at 18:00", "is a Thursday"],
  ["every 2 days, counted from Friday 18 November 2026 at 08:00", "is a Wednesday"],
  ["once, on Monday 2 November 2026 at 18:00", "has passed"],
])("what does not hold any more is refused: %s", async (words, problem) => {
  expect(await read(words)).toContain(problem);
});

test("6:30 with one figure is somebody's own words, and means what it always does", async () => {
  expect(await read("every day at 6:30")).toEqual(
    meaningOf({ kind: "cron", expression: "30 18 * * *", timeZone: home }),
  );
});

test("whatever a schedule is, its words are read as the same schedule", async () => {
  const random = openRandom();
  for (let round = 0; round < 3_000; round++) {
    const schedule = anySchedule(random);
    const words = scheduleWords(schedule, home);
    const spaced = words.replaceAll(" ", () => (random() < 0.2 ? "  " : " "));
    expect({ words, schedule: await read(spaced) }).toEqual({ words, schedule: meaningOf(schedule) });
  }
});

const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"];

function anySchedule(random: () => number): Schedule {
  const pick = (limit: number) => Math.floor(random() * limit);
  const timeZone = zones[pick(zones.length)] ?? home;
  // often around the hours that the clocks show twice
  const near = [nowMs, Date.parse("2027-10-31T00:00Z"), Date.parse("2027-11-07T05:00Z")][pick(3)] ?? nowMs;
  const atMs = near + minute * (1 + pick(180));
  switch (pick(6)) {
    case 0:
      return { kind: "once", atMs };
    case 1:
      return { kind: "every", everyMs: (1 + pick(400)) * day, fromMs: atMs, timeZone };
    case 2:
      return { kind: "every", everyMs: (1 + pick(400)) * day, fromMs: atMs };
    case 3:
      return { kind: "every", everyMs: (1 + pick(600)) * minute, fromMs: nowMs };
    default:
      return { kind: "cron", expression: anyExpression(pick), timeZone };
  }
}

function anyExpression(pick: (limit: number) => number): string {
  const field = (from: number, to: number, extra: readonly string[]) => {
    const one = () => from + pick(to - from + 1);
    const [a, b] = [one(), one()].sort((x, y) => x - y);
    const shapes = ["*", "*", String(one()), `${a}-${b}`, `*/${1 + pick(to - from)}`, `${one()},${one()}`, ...extra];
    return shapes[pick(shapes.length)] ?? "*";
  };
  const dates = field(1, 28, ["L", "LW", `${1 + pick(28)}W`, "1,L", "1,2,3,4,9,LW"]);
  const weekdays = field(0, 6, [`${pick(7)}#${1 + pick(4)}`, `${pick(7)}L`, "1-5", "1,3L", "0-6"]);
  const expression = `${field(0, 59, [])} ${field(0, 23, [])} ${dates} ${field(1, 12, [])} ${weekdays}`;
  // however it is spelt, each minute is said as a distance, which it is as good as
  const words = scheduleWords({ kind: "cron", expression, timeZone: home }, home);
  return words === "every minute" ? "0 9 * * *" : expression;
}
