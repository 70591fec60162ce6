import { expect, test } from "vitest";
import { hoursWords, isActive, readActiveHours } from "./active-hours.ts";

const at = (zone: string, hours: string, moment: string) => isActive(readActiveHours(hours), zone, Date.parse(moment));

test.each([
  ["8-21", "UTC", "2026-11-16T07:59:59.999Z", false],
  ["8-21", "UTC", "2026-11-16T08:00:00Z", true],
  ["8-21", "UTC", "2026-11-16T20:59:59.999Z", true],
  ["8-21", "UTC", "2026-11-16T21:00:00Z", false],
  ["08:15-21:45", "UTC", "2026-11-16T08:14:00Z", false],
  ["08:15 - 21:45", "UTC", "2026-11-16T21:44:00Z", true],
  ["22:30-6", "UTC", "2026-11-16T22:29:00Z", false],
  ["22:30-6", "UTC", "2026-11-16T22:30:00Z", true],
  ["22:30-6", "UTC", "2026-11-17T00:00:00Z", true],
  ["22:30-6", "UTC", "2026-11-17T05:59:00Z", true],
  ["22:30-6", "UTC", "2026-11-17T06:00:00Z", false],
  ["22-0", "UTC", "2026-11-16T23:59:00Z", true],
  ["22-24", "UTC", "2026-11-17T00:00:00Z", false],
  ["24-6", "UTC", "2026-11-17T00:00:00Z", true],
  ["0-24", "UTC", "2026-11-17T00:00:00Z", true],
  ["0-24", "UTC", "2026-11-17T23:59:59.999Z", true],
  ["8-8", "UTC", "2026-11-17T03:00:00Z", true],
  ["8-21", "Asia/Kolkata", "2026-11-16T02:29:00Z", false],
  ["8-21", "Asia/Kolkata", "2026-11-16T02:30:00Z", true],
  ["8-21", "America/New_York", "2026-11-16T12:59:00Z", false],
  ["8-21", "America/New_York", "2026-11-16T13:00:00Z", true],
  ["8-21", "Pacific/Auckland", "2026-11-15T19:00:00Z", true],
  // the clocks go forward on 29 March and back on 25 October: 8 is another moment on each side
  ["8-21", "Europe/Berlin", "2026-03-28T06:59:00Z", false],
  ["8-21", "Europe/Berlin", "2026-03-28T07:00:00Z", true],
  ["8-21", "Europe/Berlin", "2026-03-29T06:00:00Z", true],
  ["8-21", "Europe/Berlin", "2026-10-25T06:30:00Z", false],
  ["8-21", "Europe/Berlin", "2026-10-25T07:00:00Z", true],
  // 02:30 is shown twice, and not at all
  ["2:15-2:45", "Europe/Berlin", "2026-10-25T00:30:00Z", true],
  ["2:15-2:45", "Europe/Berlin", "2026-10-25T01:30:00Z", true],
  ["2:15-2:45", "Europe/Berlin", "2026-03-29T01:30:00Z", false],
  ["22-6", "America/New_York", "2026-03-08T09:59:00Z", true],
  ["22-6", "America/New_York", "2026-03-08T10:00:00Z", false],
])("%s in %s at %s: %s", (hours, zone, moment, expected) => {
  expect(at(zone, hours, moment)).toBe(expected);
});

test.each([
  ["8-21", "from 8 to 21"],
  ["22:30-6", "from 22:30 to 6"],
  ["0-24", "around the clock"],
  ["8-8", "around the clock"],
])("%s is told as “%s”", (hours, words) => {
  expect(hoursWords(readActiveHours(hours))).toBe(words);
});
