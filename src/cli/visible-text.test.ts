import { expect, test } from "vitest";
import { visibleLine, visibleText } from "./visible-text.ts";

test("control characters go, newline and tab stay", () => {
  expect(visibleText("a\u0000\u0007\u0008\r\n\tb\u007f\u009bc\u001b[31m")).toBe("a\n\tbc[31m");
});
test("marks that turn the reading order around go", () => {
  expect(visibleText("safe\u202egnp.exe\u2066x\u2069")).toBe("safegnp.exex");
});
test("emoji, accents and other scripts stay as they are", () => {
  expect(visibleText("👩‍👩‍👧 é 日本語 עברית")).toBe("👩‍👩‍👧 é 日本語 עברית");
});
test("pieces of a stream give the same as the whole, wherever it is cut", () => {
  const text = "a\u001b]0;title\u0007b\u001b[2Jc\u2028d";
  for (let cut = 0; cut <= text.length; cut++)
    expect(visibleText(text.slice(0, cut)) + visibleText(text.slice(cut))).toBe(visibleText(text));
});
test("a line has no colour codes and no line breaks, and is cut with an ellipsis", () => {
  expect(visibleLine("\u001b[31mred\u001b[0m\n  and\tmore ")).toBe("red and more");
  expect(visibleLine("abcdefgh", 5)).toBe("abcd…");
});
