import { expect, test } from "vitest";
import { textOf } from "./document.ts";
import { readMarkdown } from "./read-markdown.ts";

const long = "some more words ".repeat(1_000).trim();

test("a paragraph is one, however long", () => {
  const [paragraph, ...others] = readMarkdown(`${long}\n\nafter`);
  expect(paragraph?.kind === "words" && textOf(paragraph.spans)).toBe(long);
  expect(others).toHaveLength(1);
});
test("a quote is one, however long", () => {
  const [quote, ...others] = readMarkdown(`> ${long}`);
  expect(quote).toMatchObject({ kind: "quote", blocks: [{ kind: "words" }] });
  expect(others).toEqual([]);
});
test("a long list keeps its numbers", () => {
  const points = Array.from({ length: 900 }, (_, index) => `${index + 1}. point ${index + 1}`);
  const numbers = readMarkdown(points.join("\n")).flatMap((block) =>
    block.kind === "list" ? block.items.map((_, index) => (block.start ?? 0) + index) : [],
  );
  expect(numbers).toEqual(points.map((_, index) => index + 1));
});
test("what is nested beyond sense is shown as it was written", () => {
  const text = `${">".repeat(50)} deep`;
  expect(readMarkdown(text)).toMatchObject([{ kind: "words", spans: [{ text }] }]);
});
