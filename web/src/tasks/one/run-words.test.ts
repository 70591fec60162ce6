import { expect, test } from "vitest";
import { run } from "../../../../tests/scenes/page/planned-task.ts";
import { becameWords, figuresOf } from "./run-words.ts";

const became = (more: Parameters<typeof run>[0], deliverTo = "origin") =>
  becameWords(run(more), deliverTo, () => "Rome");

test("what became of a run is one plain sentence or two", () => {
  expect(became({ settled: "delivered" })).toBe("Told in the conversation it was made in.");
  expect(became({ settled: "delivered" }, "web--1")).toBe("Told in Rome.");
  expect(became({ settled: "quiet" })).toBe("Nothing to tell.");
  expect(became({ settled: "kept", cause: "asked" })).toBe("Run by hand. Kept here.");
  expect(became({ settled: "retried", state: "failed" })).toBe("It is tried again.");
});

test("times that passed without a run are counted", () => {
  expect(became({ state: "missed", times: 3, settled: "kept" })).toBe("Steward was off for 3 times in a row.");
  expect(became({ state: "skipped", times: 1 })).toBe("Left out: the run before was still under way.");
  expect(became({ times: 3, settled: "quiet" })).toBe("It stands for 3 times that had passed. Nothing to tell.");
});

test("a run that began late says so, one by hand cannot be late", () => {
  expect(became({ beganAtMs: 1_000 + 7_200_000 })).toBe("Begun 2 h late.");
  expect(became({ beganAtMs: 1_000 + 7_200_000, cause: "asked" })).toBe("Run by hand.");
});

test("how long it took and what it cost is told where it is known", () => {
  expect(figuresOf(run({ turn: "t", finishedAtMs: 13_000, costUsd: 0.25 }))).toBe("12 s · $0.25");
  expect(figuresOf(run({ finishedAtMs: 13_000 }))).toBe("");
});
