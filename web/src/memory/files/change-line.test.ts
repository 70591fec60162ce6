import { expect, test } from "vitest";
import { firstChangedLine } from "./change-line.ts";

test("a change is told by the first line that it made", () => {
  expect(firstChangedLine("# A\n- one\n- two\n", "# A\n- one\n- 2\n- 3\n")).toEqual({ text: "2", kind: "comes" });
  expect(firstChangedLine("- one\n", "- one\n\n- two\n")).toEqual({ text: "two", kind: "comes" });
});

test("where the first place only lost something, that is told", () => {
  expect(firstChangedLine("a\nb\nc\nd\n", "a\nc\nd\ne\n")).toEqual({ text: "b", kind: "goes" });
});

test("nothing is told where nothing changed, or only empty lines", () => {
  expect(firstChangedLine("a\n", "a\n")).toBeUndefined();
  expect(firstChangedLine("a\n", "a\n\n")).toBeUndefined();
});
