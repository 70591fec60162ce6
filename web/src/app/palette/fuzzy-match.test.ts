import { expect, test } from "vitest";
import { matchScore, rankMatches, standsIn } from "./fuzzy-match.ts";

const rank = (query: string, ...texts: string[]) => rankMatches(query, texts, (text) => text);

test("beginnings come before the middle of words, and scattered letters last", () => {
  expect(rank("set", "Reset the clock", "A new setting", "Settings", "Silver rest")).toEqual([
    "Settings",
    "A new setting",
    "Reset the clock",
    "Silver rest",
  ]);
});

test("initials find what they stand for", () => {
  expect(rank("nc", "Inbox", "New chat", "Bench")).toEqual(["New chat", "Bench"]);
});

test("each word may stand anywhere, in any order", () => {
  expect(rank("rome trip", "Trip to Rome", "Trip to Paris")).toEqual(["Trip to Rome"]);
});

test("accents and capitals do not matter", () => {
  expect(rank("zurich", "Zürich weekend")).toEqual(["Zürich weekend"]);
});

test("one or two scattered letters find nothing", () => {
  expect(matchScore("ix", "Inbox extra")).toBeUndefined();
  expect(matchScore("xq", "Inbox quay")).toBeUndefined();
});

test("of two equal matches the shorter is meant", () => {
  expect(rank("tool", "Tools that ask before they act", "Tools")).toEqual(["Tools", "Tools that ask before they act"]);
});

test("a word stands in a text by its beginning, its middle or as initials, and scattered letters do not", () => {
  expect(standsIn("den", "The dentist")).toBe(true);
  expect(standsIn("nc", "New chat")).toBe(true);
  expect(standsIn("dentist", "Tools What Steward can do and when it asks first")).toBe(false);
  expect(standsIn("new dentist", "New chat")).toBe(false);
});

test("nothing typed finds everything", () => {
  expect(rank("", "b", "a")).toEqual(["b", "a"]);
});
