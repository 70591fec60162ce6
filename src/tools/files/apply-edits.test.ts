import { expect, test } from "vitest";
import { cpuMs } from "../../../tests/scenes/cpu-time.ts";
import { applyEdits, formatChanges, type TextEdit } from "./apply-edits.ts";
import { decodeTextFile, encodeTextFile } from "./text-file.ts";

function edit(raw: string, ...edits: TextEdit[]): string {
  const file = decodeTextFile(Buffer.from(raw));
  if (!file) throw new Error("the scene is not UTF-8");
  const edited = applyEdits(file, edits, { shown: '"a.txt"', redact: (text) => text });
  return "refused" in edited ? edited.refused : encodeTextFile(edited.file).toString("utf8");
}

function excerpt(raw: string, ...edits: TextEdit[]): string {
  const file = decodeTextFile(Buffer.from(raw));
  const edited = file && applyEdits(file, edits, { shown: '"a.txt"', redact: (text) => text });
  return !edited || "refused" in edited ? "refused" : formatChanges(edited.changes);
}

test("several edits are made in order, each on the result of the one before", () => {
  expect(edit("a b", { oldText: "a", newText: "b c" }, { oldText: "c b", newText: "d" })).toBe("b d");
});

test("replacement text is taken literally", () => {
  expect(edit("a", { oldText: "a", newText: "$& $1 $$" })).toBe("$& $1 $$");
});

test("text that occurs more than once is refused with the number of matches and their lines", () => {
  expect(edit("x\ny\nx\n\nx", { oldText: "x", newText: "z" })).toBe(
    'The edit of "a.txt" was not made: oldText occurs 3 times (lines 1, 3, 5). Add surrounding lines, or set all to true.',
  );
});

test("a long text that overlaps itself again and again is refused at once", async () => {
  const beganMs = cpuMs();
  const refused = edit("a".repeat(200_000), { oldText: "a".repeat(100_000), newText: "z" });
  expect([refused, cpuMs() - beganMs < 2_000]).toEqual([expect.stringContaining("at least 100 times"), true]);
});

test("matches that overlap are not unique either", () => {
  expect(edit("aaa", { oldText: "aa", newText: "b" })).toContain("occurs 2 times (lines 1, 1)");
});

test("all replaces every match", () => {
  expect(edit("x\ny\nx", { oldText: "x", newText: "z\nz", all: true })).toBe("z\nz\ny\nz\nz");
  expect(edit("aaaa", { oldText: "aa", newText: "b", all: true })).toBe("bb");
});

test("text that does not occur is refused, and a near miss is pointed out", () => {
  expect(edit("one\n", { oldText: "two", newText: "2" })).toContain("oldText does not occur (0 matches).");
  expect(edit("{\n\tgo();\n}\n", { oldText: "{\n  go();", newText: "" })).toContain('its line "{" stands on line 1');
});

test("one edit that does not fit is named, and none is made", () => {
  const second = edit("a", { oldText: "a", newText: "b" }, { oldText: "a", newText: "c" });
  expect(second).toContain('Edit 2 of 2 of "a.txt" was not made');
});

test("empty and unchanged texts are refused", () => {
  expect(edit("a", { oldText: "", newText: "b" })).toContain("oldText is empty");
  expect(edit("a", { oldText: "a", newText: "a" })).toContain("oldText and newText are the same");
});

test("Windows line endings and the byte order mark stay", () => {
  expect(edit("\ufeffa\r\nb\r\nc\r\n", { oldText: "a\nb", newText: "1\n2\n3" })).toBe("\ufeff1\r\n2\r\n3\r\nc\r\n");
  expect(edit("a\r\nb\r\n", { oldText: "a\r\nb", newText: "1\r\n2" })).toBe("1\r\n2\r\n");
});

test("a Unix file gets no carriage returns from an edit", () => {
  expect(edit("a\nb\n", { oldText: "a\r\n", newText: "1\r\n2\r\n" })).toBe("1\n2\nb\n");
});

test("in a file with mixed line endings every other line keeps its own", () => {
  expect(edit("a\r\nb\nc\r\nd\ne", { oldText: "b\nc", newText: "B\nx\nC" })).toBe("a\r\nB\nx\nC\r\nd\ne");
  expect(edit("a\r\nb\nc\r\nd\ne", { oldText: "b\n", newText: "" })).toBe("a\r\nc\r\nd\ne");
  expect(edit("a\r\nx\nb\r\nx\nc", { oldText: "x\n", newText: "", all: true })).toBe("a\r\nb\r\nc");
});

test("the excerpt shows whole lines with their old and new numbers", () => {
  expect(excerpt("one\ntwo\nthree\n", { oldText: "w", newText: "W\nw" })).toBe(
    ["-     2\ttwo", "+     2\ttW", "+     3\two"].join("\n"),
  );
  expect(excerpt("one\ntwo\nthree\n", { oldText: "two\n", newText: "" })).toBe("-     2\ttwo");
  expect(excerpt("\nx\n", { oldText: "\nx", newText: "y" })).toBe(["-     1\t", "-     2\tx", "+     1\ty"].join("\n"));
  expect(excerpt("ab\ncd\n", { oldText: "b\n", newText: "" })).toBe(
    ["-     1\tab", "-     2\tcd", "+     1\tacd"].join("\n"),
  );
});

test("with all, new numbers take account of the lines inserted above", () => {
  expect(excerpt("x\nx\n", { oldText: "x", newText: "y\ny", all: true })).toBe(
    ["-     1\tx", "+     1\ty", "+     2\ty", "-     2\tx", "+     3\ty", "+     4\ty"].join("\n"),
  );
});

test("the excerpt of a large change stays short", () => {
  const long = `${"line ".repeat(100)}\n`.repeat(500);
  expect(excerpt(`start\n${long}end`, { oldText: long, newText: "" }).length).toBeLessThan(2500);
});

test("a hundred thousand matches in one line are replaced without delay", () => {
  const beganMs = cpuMs();
  expect(edit("ab".repeat(100_000), { oldText: "a", newText: "c", all: true })).toBe("cb".repeat(100_000));
  expect(cpuMs() - beganMs).toBeLessThan(2000);
});
