import { expect, test } from "vitest";
import { matchTasks, pickTask, shortIds } from "./find-task.ts";

const plants = { id: "t0mi3x1abc1f", title: "Water the plants" };
const report = { id: "t0mi3x1abd2e", title: "Weekly report" };
const second = { id: "t0mi4y2aaa3d", title: "Weekly report for Ann" };
const tasks = [plants, report, second];

test.each([
  ["t0mi3x1abc1f", plants],
  ["t0mi3x1abc", plants],
  ["T0MI4", second],
  ["water", plants],
  ["Water the plants", plants],
  ["weekly report f", second],
])("“%s” names one task", (wanted, task) => {
  expect(pickTask(tasks, wanted)).toBe(task);
});

test("a whole title goes before a longer one that begins with it", () => {
  expect(pickTask(tasks, "weekly report")).toBe(report);
});

test("when several fit, all of them are told with ids that can be typed", () => {
  expect(() => pickTask(tasks, "week")).toThrow(
    "Several tasks fit “week”. Say more of the title, or the id:\n  t0mi3x1abd  Weekly report\n  t0mi4y  Weekly report for Ann",
  );
});

test("two tasks of the same title are told apart by their ids", () => {
  const twin = { ...second, id: "t0mi9", title: "Water the plants" };
  expect(() => pickTask([...tasks, twin], "water the plants")).toThrow("0mi9  Water the plants");
});

test("only the first of many that fit are named", () => {
  const many = Array.from({ length: 14 }, (_, index) => ({ id: `t${index}`, title: `Water ${index}` }));
  expect(() => pickTask(many, "water")).toThrow("and 4 more");
});

test("when none fits, the one that was probably meant is named", () => {
  expect(() => pickTask(tasks, "Watr the plants")).toThrow("Did you mean “Water the plants”? List them: steward tasks");
  expect(() => pickTask([], "x")).toThrow("No task has an id or a title that begins with “x”. List them:");
});

test("nothing names nothing", () => {
  expect(matchTasks(tasks, "  ")).toEqual([]);
});

test("an id is shortened as far as it stays unique, and not beyond six characters", () => {
  expect(shortIds(tasks)).toEqual(["t0mi3x1abc", "t0mi3x1abd", "t0mi4y"]);
  expect(shortIds([{ id: "ta", title: "" }])).toEqual(["ta"]);
});
