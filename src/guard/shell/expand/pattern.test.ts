import { expect, test } from "vitest";
import { openBudget } from "../budget.ts";
import { matchedLengths, matchesWhole, readPattern } from "./pattern.ts";
import { removeMatch, replaceMatch } from "./transform-text.ts";
import { bareUnits } from "./units.ts";

const budget = () => openBudget("");

function patternOf(source: string, ignoreCase = false) {
  const pattern = readPattern(budget(), bareUnits(source), ignoreCase);
  if (!pattern) throw new Error(`${source} is not understood`);
  return pattern;
}

test.each([
  ["*", "", true],
  ["a*b", "ab", true],
  ["a*b", "a/x\nb", true],
  ["*.txt", "notes.txt.bak", false],
  ["?", "é", true],
  ["?", "😀", true],
  ["[a-c]?[!x]", "b1y", true],
  ["[a-c]?[!x]", "b1x", false],
  ["[[:digit:]]*", "7up", true],
  ["[]x]", "]", true],
  ["\\*", "*", true],
  ["\\*", "a", false],
  ["[a", "[a", true],
  ["a.c", "abc", false],
  ["", "", true],
  ["", "a", false],
])("%s against %j: %s", (source, text, matches) => {
  expect(matchesWhole(budget(), patternOf(source), text)).toBe(matches);
});

test("case can be left out of account, in brackets too", () => {
  expect(matchesWhole(budget(), patternOf("a[b]*É", true), "ABxé")).toBe(true);
  expect(matchesWhole(budget(), patternOf("a", false), "A")).toBe(false);
});

test("a range that goes backwards is not understood", () => {
  expect(readPattern(budget(), bareUnits("[z-a]"))).toBeUndefined();
});

test("the shortest and the longest match from a place on are found in one go", () => {
  expect(matchedLengths(budget(), patternOf("*b"), [..."aabab"])).toEqual({ shortest: 3, longest: 5 });
  expect(matchedLengths(budget(), patternOf("b*"), [..."aabab"], 2)).toEqual({ shortest: 1, longest: 3 });
  expect(matchedLengths(budget(), patternOf("x*"), [..."aabab"])).toBeUndefined();
});

test.each([
  ["#", "/w/src/a.ts", "*/", "w/src/a.ts"],
  ["##", "/w/src/a.ts", "*/", "a.ts"],
  ["%", "a.tar.gz", ".*", "a.tar"],
  ["%%", "a.tar.gz", ".*", "a"],
  ["%", "a.txt", "x*", "a.t"],
] as const)("removing by %s from %s", (operator, text, source, left) => {
  expect(removeMatch(budget(), text, patternOf(source), operator)).toBe(left);
});

test.each([
  ["/", "foo.bar", "o", "f0o.bar"],
  ["//", "foo.bar", "o", "f00.bar"],
  ["/#", "foo.bar", "f", "0oo.bar"],
  ["/#", "foo.bar", "o", "foo.bar"],
  ["/%", "foo.bar", "[a-z]", "foo.ba0"],
  ["/%", "foo.bar", ".*", "foo0"],
  ["//", "foo.bar", "*", "0"],
] as const)("replacing by %s in %s", (operator, text, source, result) => {
  expect(replaceMatch(budget(), text, patternOf(source), "0", operator)).toBe(result);
});

test("however many stars there are, a pattern is followed in one pass", () => {
  let steps = 0;
  const counting = {
    spend(count: number) {
      steps += count;
    },
  };
  expect(matchesWhole(counting, patternOf(`${"*a".repeat(60)}b`), "a".repeat(250))).toBe(false);
  expect(steps).toBeLessThan(250 * 130);
});
