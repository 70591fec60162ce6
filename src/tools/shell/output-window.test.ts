import { expect, test } from "vitest";
import { openOutputWindow } from "./output-window.ts";

function through(maxLength: number, pieces: readonly string[]): string {
  const window = openOutputWindow(maxLength);
  for (const piece of pieces) window.add(piece);
  return window.text();
}

test("an output that fits is kept as it is", () => {
  expect(through(10, ["abc", "", "defghij"])).toBe("abcdefghij");
});

test("of a longer one the beginning and the end are kept, and the gap is counted", () => {
  expect(through(10, ["abcdefghijklmnopqrstuvwxyz"])).toBe("abcde\n… [16 characters left out] …\nvwxyz");
});

test("it does not matter in which pieces it comes", () => {
  const text = Array.from({ length: 500 }, (_, n) => `${n},`).join("");
  expect(through(100, [...text])).toBe(through(100, [text]));
});
