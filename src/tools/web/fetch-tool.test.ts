import { expect, test } from "vitest";
import { cutWindow } from "./fetch-tool.ts";

test("a window ends after a line, else after a word, else where it must", () => {
  expect(cutWindow(`${"a".repeat(97)}\nb ccc`, 0, 100).to).toBe(98);
  expect(cutWindow(`${"a".repeat(97)} bbbb`, 0, 100).to).toBe(98);
  expect(cutWindow("a".repeat(150), 0, 100).to).toBe(100);
});

test("no character is cut in two", () => {
  expect(cutWindow(`${"a".repeat(99)}😀${"a".repeat(99)}`, 0, 100).to).toBe(99);
});

test("windows that follow each other are the whole text, and the last one ends with it", () => {
  const text = "some words\nand more of them ".repeat(50);
  let read = "";
  for (let at = 0; at < text.length; at = cutWindow(text, at, 100).to) read += cutWindow(text, at, 100).text;
  expect(read).toBe(text);
  expect(cutWindow(text, 9_999, 100)).toMatchObject({ text: "", from: text.length, to: text.length });
});
