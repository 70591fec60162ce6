import { expect, test } from "vitest";
import { labelsIn, sourceWords } from "./source-words.ts";

test("whatever labels a note was written with are read out of it again", () => {
  for (const labels of [
    ["web"],
    ["command", "web:evil.example"],
    ["person", "web:a.example"],
    ["upload:my (best), letter and more.pdf"],
    ["mail:a@b.example", "hook:x", "file:notes/a.md", "forwarded:Ann", "groups:x", "mcp:y"],
  ])
    expect(labelsIn(`- 2026-11-15: they say so ${sourceWords(labels)}`)).toHaveLength(Math.min(5, labels.length));
});

test("words that only look like a source are none", () => {
  for (const text of ["the ring (from my aunt)", "cheese (from France, mostly)", "(from web) it began"])
    expect(labelsIn(text)).toEqual([]);
});
