import { expect, test } from "vitest";
import { dueByDay, monthGrid, neighbourMonth, readMonth, stretchOf, timesWords } from "./month-grid.ts";

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
    { task: "tea", title: "Tea", atMs: [at(8)] },
    { task: "hourly", title: "Look", atMs: [at(9), at(10), at(11)] },
  ]);
});

test("what a task did on a day and what it will do stand apart, and a failure is not hidden by what went well", () => {
  const at = (hour: number) => new Date(2026, 10, 16, hour).getTime();
  const time = (hour: number, ran?: "done" | "failed") => ({
    task: "t",
    title: "T",
    atMs: at(hour),
    ...(ran && { ran }),
  });
  const due = dueByDay([time(11), time(9, "failed"), time(10, "done"), time(8, "done")]).get("2026-11-16");
  expect(due?.map(({ ran, atMs }) => [ran, atMs.length])).toEqual([
    [undefined, 1],
    ["failed", 3],
  ]);
});

test("what comes once is not hidden by what comes all day long", () => {
  const at = (hour: number) => new Date(2026, 10, 16, hour).getTime();
  const hourly = Array.from({ length: 24 }, (_, hour) => ({ task: "hourly", title: "Look", atMs: at(hour) }));
  const due = dueByDay([...hourly, { task: "tea", title: "Tea", atMs: at(17) }]).get("2026-11-16");
  expect(due?.map(({ task }) => task)).toEqual(["tea", "hourly"]);
});

test("a few times are told by their hours, many by how often they come", () => {
  const day = (count: number) => ({
    ...{ task: "t", title: "T" },
    atMs: Array.from({ length: count }, (_, hour) => new Date(2026, 10, 16, hour).getTime()),
  });
  expect(timesWords(day(2), "every day at 00:00 and 01:00")).toBe("00:00, 01:00");
  expect(timesWords(day(24), "every hour")).toBe("every hour");
  expect(timesWords(day(24), undefined)).toBe("24 times");
  expect(timesWords({ ...day(5), ran: "done" }, "every Monday at 08:00")).toBe("5 times");
});
