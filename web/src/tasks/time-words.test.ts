import { expect, test } from "vitest";
import { formatMoment, formatNext, formatTime, formatUntil, showSameClock } from "./time-words.ts";

const now = new Date(2026, 10, 16, 20, 0).getTime();
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();

test.each([
  [now + 10_000, "now"],
  [now - 60_000, "now"],
  [at(16, 20, 5), "in 5 min"],
  [at(16, 20, 59) + 45_000, "in 1 h"],
  [at(16, 23, 0), "in 3 h"],
  [at(17, 1, 0), "in 5 h"],
  [at(17, 9, 0), "tomorrow"],
  [at(20, 9, 0), "in 4 days"],
  // by the calendar: 37 hours, and the day after tomorrow all the same
  [at(18, 9, 0), "in 2 days"],
  [new Date(2026, 11, 16, 9).getTime(), "in 30 days"],
  [new Date(2026, 11, 21, 9).getTime(), "in 5 weeks"],
  [new Date(2027, 5, 1).getTime(), "in 6 months"],
  [new Date(2029, 10, 1).getTime(), "in 3 years"],
])("how long it is until %i is said as a person says it: %s", (atMs, words) => {
  expect(formatUntil(atMs, now)).toBe(words);
});

test("the nearest days have names, and another year is named", () => {
  expect(formatMoment(at(16, 21), now)).toBe("today, 21:00");
  expect(formatMoment(at(17, 9), now)).toMatch(/^tomorrow, /);
  expect(formatMoment(at(15, 9), now)).toMatch(/^yesterday, /);
  expect(formatMoment(at(18, 9), now)).toBe("Wed 18 Nov, 09:00");
  expect(formatMoment(new Date(2027, 0, 2, 9).getTime(), now)).toBe("Sat 2 Jan 2027, 09:00");
});

test("the clock is that of the gateway's words, at midnight too", () => {
  expect([at(16, 22), at(16, 0), at(16, 9, 5)].map(formatTime)).toEqual(["22:00", "00:00", "09:05"]);
});

test("the next time says the day once, and how long it is until then", () => {
  expect(formatNext(at(17, 9), now).match(/tomorrow/g)).toHaveLength(1);
  expect(formatNext(at(16, 23), now)).toMatch(/^today, .* · in 3 h$/);
});

test.for([
  ["UTC", "Etc/UTC", true],
  ["Europe/Kiev", "Europe/Kyiv", true],
  ["Europe/Berlin", "Africa/Lagos", false],
  ["Europe/London", "America/New_York", false],
  ["Mars/Olympus", "UTC", false],
] as const)("%s and %s show the same clock: %s", ([one, other, isSame]) => {
  expect(showSameClock(one, other, Date.UTC(2026, 10, 18))).toBe(isSame);
});
