import { expect, test } from "vitest";
import { lastDays, openCalendar } from "./calendar.ts";

test("a day begins and ends where the owner lives", () => {
  const lateEvening = Date.UTC(2026, 10, 15, 23, 30);
  expect(openCalendar("UTC")(lateEvening)).toBe("2026-11-15");
  expect(openCalendar("Europe/Berlin")(lateEvening)).toBe("2026-11-16");
  expect(openCalendar("America/Los_Angeles")(Date.UTC(2026, 10, 15, 7, 59))).toBe("2026-11-14");
});

test("the last days end with today, across the end of a month and a change of the clock", () => {
  expect(lastDays("2026-11-02", 3)).toEqual(["2026-10-31", "2026-11-01", "2026-11-02"]);
  expect(lastDays("2026-10-26", 3)).toEqual(["2026-10-24", "2026-10-25", "2026-10-26"]);
});
