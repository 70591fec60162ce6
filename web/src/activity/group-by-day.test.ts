import { expect, test } from "vitest";
import { groupByDay } from "./group-by-day.ts";

const at = (day: number, hour: number) => ({ atMs: new Date(2026, 10, day, hour).getTime() });

test("lines stand under today, yesterday and the names of older days", () => {
  const days = groupByDay([at(15, 9), at(15, 0), at(14, 23), at(3, 12)], at(15, 10).atMs);
  expect(days.map((day) => [day.name, day.items.length])).toEqual([
    ["Today", 2],
    ["Yesterday", 1],
    [expect.stringContaining("November"), 1],
  ]);
});
