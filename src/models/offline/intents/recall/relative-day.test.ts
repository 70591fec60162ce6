import { expect, test } from "vitest";
import { relativeDays } from "./relative-day.ts";

// a Wednesday
const day = "2026-11-04";

test.each<[text: string, from: string, to: string, called: string]>([
  ["saw him yesterday", "2026-11-03", "2026-11-03", "3 November 2026"],
  ["Last night it rained", "2026-11-03", "2026-11-03", "3 November 2026"],
  ["the day before yesterday", "2026-11-02", "2026-11-02", "2 November 2026"],
  ["he comes the day after tomorrow", "2026-11-06", "2026-11-06", "6 November 2026"],
  ["tonight", "2026-11-04", "2026-11-04", "4 November 2026"],
  ["five days ago", "2026-10-30", "2026-10-30", "30 October 2026"],
  ["in 2 days", "2026-11-06", "2026-11-06", "6 November 2026"],
  ["last Friday", "2026-10-30", "2026-10-30", "30 October 2026"],
  ["last Wednesday", "2026-10-28", "2026-10-28", "28 October 2026"],
  ["this Saturday", "2026-11-07", "2026-11-07", "7 November 2026"],
  ["a week ago", "2026-10-26", "2026-11-01", "the week of 26 October 2026"],
  ["next week", "2026-11-09", "2026-11-15", "the week of 9 November 2026"],
  ["last weekend", "2026-10-31", "2026-11-01", "the weekend of 31 October 2026"],
  ["last month", "2026-10-01", "2026-10-31", "October 2026"],
  ["two months ago", "2026-09-01", "2026-09-30", "September 2026"],
  ["in a year", "2027-01-01", "2027-12-31", "2027"],
])("“%s” is worked out", (text, from, to, called) => {
  expect(relativeDays(text, day)).toMatchObject({ from, to, called });
});

test.each([
  ["2026-11-07", "2026-10-31"],
  ["2026-11-08", "2026-10-31"],
  ["2026-11-09", "2026-11-07"],
])("said on %s, last weekend began on %s", (said, from) => {
  expect(relativeDays("last weekend", said)?.from).toBe(from);
});

test.each(["next Friday", "on Friday", "the last week of May", "a fortnight", "my yesterdays"])(
  "“%s” may mean several days, so none is told",
  (text) => {
    expect(relativeDays(text, day)).toBeUndefined();
  },
);

test("of several, the first counts, and the end of a month is no end of the days", () => {
  expect(relativeDays("yesterday I slept, tomorrow I work", "2026-03-01")?.called).toBe("28 February 2026");
});
