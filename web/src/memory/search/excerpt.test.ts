import { expect, test } from "vitest";
import { fromFirstMark } from "./excerpt.ts";
import { markWords } from "./mark-words.ts";

const shown = (text: string, query: string) =>
  fromFirstMark(markWords(text, query))
    .map((piece) => piece.text)
    .join("");

test("a find whose words stand far down begins shortly before them, at a whole word", () => {
  const text = `${"many other words ".repeat(40)}and then Berlin, at last`;
  const excerpt = shown(text, "Berlin");
  expect(excerpt).toMatch(/^… (?:many|other|words) .*and then Berlin, at last$/);
  expect(excerpt.length).toBeLessThan(220);
});

test("a find whose words stand near its beginning, or that has none of them, is shown from there", () => {
  expect(shown("Anna moved to Berlin", "Berlin")).toBe("Anna moved to Berlin");
  const text = "no such word ".repeat(80);
  expect(shown(text, "Berlin")).toBe(text);
});
