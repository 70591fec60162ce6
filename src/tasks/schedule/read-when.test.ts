import { expect, test } from "vitest";
import { askedSlips, ordinaryWords, understoodSlips } from "../../../tests/corpora/slips-in-words.ts";
import { hostilePieces, sentences, sentencesWithoutTime } from "../../../tests/corpora/times-in-sentences.ts";
import {
  openHours,
  programTimes,
  recurringTimes,
  refusedTimes,
  singleTimes,
  timesElsewhere,
} from "../../../tests/corpora/times-in-words.ts";
import { cpuMsOf } from "../../../tests/scenes/cpu-time.ts";
import { openRandom } from "../../../tests/scenes/sample.ts";
import { Schedule } from "../../contract/task/task.ts";
import { nextAfter, nextTimes } from "./next-times.ts";
import { findWhen, readWhen, type WhenFound, type WhenRead } from "./read-when.ts";

type At = { nowMs: number; timeZone: string };

function at(now: string, timeZone: string): At {
  return { nowMs: Date.parse(now), timeZone };
}

// a Monday, 11:00 on the wall
const berlin = at("2026-11-16T10:00Z", "Europe/Berlin");

/** A cron expression, a moment, or a distance in minutes and where it begins. */
function told(read: WhenRead | WhenFound): string {
  if (!read.ok) return `refused: ${read.problem}`;
  const { schedule } = read;
  if (schedule.kind === "cron") return schedule.expression;
  if (schedule.kind === "once") return minutes(schedule.atMs);
  return `${schedule.everyMs / 60_000} min from ${minutes(schedule.fromMs)}`;
}

function minutes(atMs: number): string {
  return new Date(atMs).toISOString().replace(/:00\.000Z$/, "Z");
}

test.each(programTimes)("what a program writes: %s", async (words, expected) => {
  expect(told(await readWhen(words, berlin))).toBe(expected);
});

test("a duration alone can be meant again and again", async () => {
  expect(told(await readWhen("90m", { ...berlin, bare: "repeated" }))).toBe("90 min from 2026-11-16T10:00Z");
  expect(told(await readWhen("P2D", { ...berlin, bare: "repeated" }))).toBe("2880 min from 2026-11-16T10:00Z");
  expect(told(await readWhen("P1M", { ...berlin, bare: "repeated" }))).toContain("Months have no fixed length");
});

test.each(singleTimes)("once: %s", async (words, expected) => {
  expect(told(await readWhen(words, berlin))).toBe(expected);
});

test.each(openHours)("%s, said at %s, is the next at which somebody is up: %s", async (words, now, expected) => {
  expect(told(await readWhen(words, at(now, "Europe/Berlin")))).toBe(expected);
});

test.each(recurringTimes)("again and again: %s", async (words, expected) => {
  expect(told(await readWhen(words, berlin))).toBe(expected);
});

test("every so many days is meant by the clock on the wall, and so many hours are not", async () => {
  const zoneOf = async (words: string, bare: "once" | "repeated" = "once") => {
    const read = await readWhen(words, { ...berlin, bare });
    return read.ok && read.schedule.kind === "every" ? read.schedule.timeZone : "no distance";
  };
  for (const words of ["every other day at 8", "every 6 weeks on monday at 8", "every 3 days"])
    expect(await zoneOf(words)).toBe("Europe/Berlin");
  expect(await zoneOf("P2D", "repeated")).toBe("Europe/Berlin");
  for (const words of ["every 48 hours", "every 90 minutes", "every 1 day and 12 hours"])
    expect(await zoneOf(words)).toBeUndefined();
});

test("what begins in an hour that the clocks skip keeps the time that was asked for", async () => {
  const read = await readWhen("every other day at 2:30am", at("2026-03-28T12:00Z", "Europe/Berlin"));
  const times = read.ok ? nextTimes(read.schedule, Date.parse("2026-03-28T12:00Z"), 2) : [];
  expect(times.map((ms) => new Date(ms).toISOString())).toEqual([
    "2026-03-29T01:30:00.000Z",
    "2026-03-31T00:30:00.000Z",
  ]);
});

test.each(timesElsewhere)("%s, said at %s in %s", async (words, now, timeZone, expected) => {
  const read = told(await readWhen(words, at(now, timeZone)));
  if (Date.parse(expected) <= Date.parse(now)) expect(read).toContain("has passed");
  else expect(read).toBe(expected);
});

test.each(refusedTimes)("refused with words: %s", async (words, part) => {
  const read = await readWhen(words, berlin);
  expect(read.ok ? "read" : read.problem).toContain(part);
});

test("a time zone that does not exist is refused before anything is read", async () => {
  expect(told(await readWhen("tomorrow", at("2026-11-16T10:00Z", "Atlantis")))).toContain('no time zone "Atlantis"');
  expect(told(await findWhen("swim tomorrow", at("2026-11-16T10:00Z", "Atlantis")))).toContain("no time zone");
});

test.each(sentences)("in a sentence: %s", async (sentence, expected, rest) => {
  const found = await findWhen(sentence, berlin);
  expect(told(found)).toBe(expected);
  expect(found.ok && found.rest).toBe(rest);
});

test.each(sentencesWithoutTime)("no time for a reminder: %s", async (sentence, part) => {
  const found = await findWhen(sentence, berlin);
  expect(found.ok ? "found" : found.problem).toContain(part);
});

test.each(understoodSlips)("understood in spite of its spelling: %s", async (sentence, expected, rest) => {
  const found = await findWhen(sentence, berlin);
  expect(told(found)).toBe(expected);
  expect(found.ok && found.rest).toBe(rest);
});

test.each(askedSlips)("asked about rather than planned for another day: %s", async (sentence, meant) => {
  expect(told(await findWhen(sentence, berlin))).toContain(`Did you mean "${meant}"`);
});

test.each(ordinaryWords)("nothing is wrong with the words of: %s", async (sentence, rest) => {
  const found = await findWhen(sentence, berlin);
  expect(found.ok ? found.rest : found.problem).toBe(rest);
});

test.each(hostilePieces)("eight thousand characters of %j are read at once", async (piece) => {
  const text = piece.repeat(8_000 / piece.length);
  await findWhen("tomorrow", berlin);
  expect(await cpuMsOf(() => findWhen(text, berlin))).toBeLessThan(2_000);
  expect(await cpuMsOf(() => readWhen(text.slice(0, 500), berlin))).toBeLessThan(2_000);
});

function comesAfter(schedule: Schedule): boolean {
  return (nextAfter(schedule, berlin.nowMs) ?? 0) > berlin.nowMs;
}

test("whatever words come together, the answer is a schedule with times to come, or a sentence", async () => {
  const random = openRandom();
  const words = [
    ...[
      "every",
      "each",
      "on",
      "at",
      "in",
      "the",
      "of",
      "and",
      "to",
      "until",
      "next",
      "last",
      "other",
      "half",
      "past",
      "quarter",
    ],
    ...[
      "day",
      "week",
      "month",
      "year",
      "hour",
      "minutes",
      "monday",
      "fri",
      "weekday",
      "december",
      "feb",
      "morning",
      "tonight",
    ],
    ...[
      "1",
      "31st",
      "9",
      "25",
      "18:00",
      "6pm",
      "noon",
      "twelve",
      "1.5",
      "0",
      "99999",
      "tomorrow",
      "today",
      "daily",
      "monthly",
    ],
    ...[
      "UTC",
      "Europe/Berlin",
      "2026-12-24",
      "T18:00",
      "*/5",
      "*",
      "ms",
      "é😀",
      "ago",
      "from now",
      "twice a",
      "a",
      "an",
    ],
  ];
  for (let round = 0; round < 1_500; round++) {
    const length = 1 + Math.floor(random() * 7);
    const text = Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(" ");
    for (const read of [await readWhen(text, berlin), await findWhen(text, berlin)]) {
      if (read.ok)
        expect({ text, isToCome: Schedule.safeParse(read.schedule).success && comesAfter(read.schedule) }).toEqual({
          text,
          isToCome: true,
        });
      else expect({ text, ends: /[.?]$/.test(read.problem) }).toEqual({ text, ends: true });
    }
  }
});

test.each([
  ["email Mr Weds about the roof tomorrow at 9", "email Mr Weds about the roof"],
  ["call Tues bakery tommorow at 9", "call Tues bakery"],
])("a name that looks like a slip is said as it was written: %s", async (sentence, rest) => {
  const found = await findWhen(sentence, { nowMs: Date.parse("2026-11-16T10:00Z"), timeZone: "UTC" });
  expect(found).toMatchObject({ ok: true, rest });
});
