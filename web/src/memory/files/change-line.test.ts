import { expect, test } from "vitest";
import { deedOfTexts, firstChangedLine, shownLine } from "./change-line.ts";

test("a change is told by the first line that it made", () => {
  expect(firstChangedLine("# A\n- one\n- two\n", "# A\n- one\n- 2\n- 3\n")).toEqual({ text: "2", kind: "comes" });
  expect(firstChangedLine("- one\n", "- one\n\n- two\n")).toEqual({ text: "two", kind: "comes" });
});

test("of a heading and what stands under it, the latter tells the change", () => {
  expect(firstChangedLine("", "# People\n\n- Anna moved\n")).toEqual({ text: "Anna moved", kind: "comes" });
  expect(firstChangedLine("", "# People\n")).toEqual({ text: "People", kind: "comes" });
});

test("where the first place only lost something, that is told", () => {
  expect(firstChangedLine("a\nb\nc\nd\n", "a\nc\nd\ne\n")).toEqual({ text: "b", kind: "goes" });
});

test("nothing is told where nothing changed, or only empty lines", () => {
  expect(firstChangedLine("a\n", "a\n")).toBeUndefined();
  expect(firstChangedLine("a\n", "a\n\n")).toBeUndefined();
});

test.each([
  ["a\n", "a\nb\n", "noted"],
  ["a\nb\n", "a\n", "removed"],
  ["a\nb\n", "a\nc\n", "changed"],
  ["a\n", "a\n", "changed"],
])("from %j to %j something was %s", (before, after, deed) => {
  expect(deedOfTexts(before, after)).toBe(deed);
});

test.each([
  ["- - Her bicycle is blue", "− • Her bicycle is blue"],
  ["+   * within", "+   • within"],
  ["  - as before", "  • as before"],
  ["- ---", "− ---"],
  ["+ a-b", "+ a-b"],
  ["", ""],
])("the line %j of a change is shown as %j", (line, shown) => {
  expect(shownLine(line)).toBe(shown);
});
