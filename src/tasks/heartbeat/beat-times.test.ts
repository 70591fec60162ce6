import { expect, test } from "vitest";
import { readActiveHours } from "./active-hours.ts";
import { isBeatTime, nextBeat, type Rhythm } from "./beat-times.ts";

function rhythm(minutes: number, hours = "8-21", timeZone = "UTC"): Rhythm {
  return { intervalMs: minutes * 60_000, hours: readActiveHours(hours), timeZone };
}

function beats(of: Rhythm, from: string, until: string): readonly string[] {
  const found: string[] = [];
  for (let at = nextBeat(of, Date.parse(from) - 1); at < Date.parse(until); at = nextBeat(of, at))
    found.push(new Date(at).toISOString().slice(0, 16));
  return found;
}

test("a day from 8 to 21 has 26 beats half an hour apart", () => {
  const day = beats(rhythm(30), "2026-11-16T00:00Z", "2026-11-17T00:00Z");
  expect([day.length, day[0], day[1], day.at(-1)]).toEqual([
    26,
    "2026-11-16T08:00",
    "2026-11-16T08:30",
    "2026-11-16T20:30",
  ]);
});

test("whenever it is asked, the next time is the same", () => {
  const expected = Date.parse("2026-11-16T14:30Z");
  for (const now of ["14:00:00.000", "14:00:00.001", "14:17:03", "14:29:59.999"])
    expect(nextBeat(rhythm(30), Date.parse(`2026-11-16T${now}Z`))).toBe(expected);
});

test("an interval of a day or a week beats when the active hours begin, also after the clocks were changed", () => {
  expect(beats(rhythm(1_440, "8-21", "Europe/Berlin"), "2026-10-24T00:00Z", "2026-10-27T00:00Z")).toEqual([
    "2026-10-24T06:00",
    "2026-10-25T07:00",
    "2026-10-26T07:00",
  ]);
  expect(beats(rhythm(10_080), "2026-11-01T00:00Z", "2026-11-16T00:00Z")).toHaveLength(2);
});

test("through a night in which the clocks are changed it goes on every half hour", () => {
  const back = beats(rhythm(30, "0-24", "Europe/Berlin"), "2026-10-25T00:00Z", "2026-10-25T02:00Z");
  expect(back).toEqual(["2026-10-25T00:00", "2026-10-25T00:30", "2026-10-25T01:00", "2026-10-25T01:30"]);
  const forward = beats(rhythm(30, "0-24", "Europe/Berlin"), "2026-03-29T00:00Z", "2026-03-29T02:00Z");
  expect(forward).toEqual(["2026-03-29T00:00", "2026-03-29T00:30", "2026-03-29T01:00", "2026-03-29T01:30"]);
});

test("hours that go over midnight have beats on both sides of it", () => {
  expect(beats(rhythm(120, "22:30-6"), "2026-11-16T12:00Z", "2026-11-17T12:00Z")).toEqual([
    "2026-11-16T22:30",
    "2026-11-17T00:30",
    "2026-11-17T02:30",
    "2026-11-17T04:30",
  ]);
});

test.each([1, 7, 45, 50, 719, 2_000, 10_079])("every %s minutes, each of them within the active hours", (minutes) => {
  const of = rhythm(minutes, "22:30-23", "Asia/Kathmandu");
  let at = Date.parse("2026-11-16T12:00Z");
  for (let count = 0; count < 5; count++) {
    at = nextBeat(of, at);
    const wall = new Date(at + 345 * 60_000);
    expect([wall.getUTCHours(), wall.getUTCMinutes() >= 30, isBeatTime(of, at)]).toEqual([22, true, true]);
    expect(isBeatTime(of, at + 1)).toBe(false);
  }
});
