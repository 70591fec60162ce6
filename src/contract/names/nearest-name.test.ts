import { expect, test } from "vitest";
import { nearestName } from "./nearest-name.ts";

const words = ["chat", "status", "sessions", "usage", "config"];
test.each([
  ["chta", "chat"],
  ["stat", "status"],
  ["sesions", "sessions"],
  ["USAGE", "usage"],
])("%s was probably meant as %s", (typed, meant) => {
  expect(nearestName(typed, words)).toBe(meant);
});
test("what resembles nothing gets no suggestion", () => {
  expect(nearestName("xylophone", words)).toBeUndefined();
  expect(nearestName("x", words)).toBeUndefined();
});
