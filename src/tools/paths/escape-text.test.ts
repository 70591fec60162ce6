import { expect, test } from "vitest";
import { escapeLines, escapeName, quoteName } from "./escape-text.ts";

test("an ordinary name is shown as it is, in any script", () => {
  expect(["notes.md", "größe 1.txt", "日本.txt", "👩‍🚀.png"].map(escapeName)).toEqual([
    "notes.md",
    "größe 1.txt",
    "日本.txt",
    "👩‍🚀.png",
  ]);
});

test("a name with a newline, an escape sequence or reversed text cannot disguise itself", () => {
  expect(escapeName("a\nfile\t1")).toBe('"a\\nfile\\t1"');
  expect(escapeName("\u001b[31mred")).toBe('"\\u{1b}[31mred"');
  expect(escapeName("invoice\u202etxt.exe")).toBe('"invoice\\u{202e}txt.exe"');
});

test("a name that already looks escaped is told apart from one that was escaped", () => {
  expect(escapeName("a\\n")).not.toBe(escapeName("a\n"));
  expect(escapeName('"a\\n"')).not.toBe(escapeName("a\n"));
});

test("a very long name is cut in a sentence", () => {
  expect(quoteName("x".repeat(5000)).length).toBeLessThan(320);
});

test("the text a person approves keeps its lines, but hides nothing", () => {
  expect(escapeLines("a\n\tb\u2066c\r")).toBe("a\n\tb\\u{2066}c\\r");
});
