import { expect, test } from "vitest";
import { dueByDay, monthGrid, neighbourMonth, readMonth, stretchOf } from "./month-grid.ts";

test("a month is whole weeks from Monday to Sunday", () => {
  const weeks = monthGrid("2026-11");
  expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7, 7]);
  expect(weeks[0]?.[0]?.key).toBe("2026-10-26");
  expect(weeks.flat().filter((day) => day.isInMonth)).toHaveLength(30);
  expect(weeks.at(-1)?.at(-1)?.key).toBe("2026-12-06");
});

test("a February that fits has four weeks", () => {
  expect(monthGrid("2027-02")).toHaveLength(4);
});

test("the month before January is in the year before", () => {
  expect(neighbourMonth("2027-01", -1)).toBe("2026-12");
  expect(neighbourMonth("2026-12", 1)).toBe("2027-01");
});

test("only a month is read as one", () => {
  expect([readMonth("2026-11"), readMonth("2026-13"), readMonth("x"), readMonth(undefined)]).toEqual([
    "2026-11",
    undefined,
    undefined,
    undefined,
  ]);
});

test("what is asked for ends with the last day shown", () => {
  const { fromMs, untilMs } = stretchOf("2027-02");
  expect(fromMs).toBe(new Date(2027, 1, 1).getTime());
  expect(untilMs).toBe(new Date(2027, 2, 1).getTime());
});

test("a task that comes often stands on its day once, with how often", () => {
  const at = (hour: number) => new Date(2026, 10, 16, hour).getTime();
  const times = [9, 10, 11].map((hour) => ({ task: "hourly", title: "Look", atMs: at(hour) }));
  const due = dueByDay([...times, { task: "tea", title: "Tea", atMs: at(8) }]).get("2026-11-16");
  expect(due).toEqual([
    { task: "tea", title: "Tea", firstAtMs: at(8), times: 1 },
    { task: "hourly", title: "Look", firstAtMs: at(9), times: 3 },
  ]);
});
