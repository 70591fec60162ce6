import { expect, test } from "vitest";
import { requiredLiterals } from "./required-literals.ts";
import { readPattern } from "./search-pattern.ts";
import { lineMatcher } from "./threads/line-matcher.ts";

test.each([
  ["needle", ["needle"]],
  ["needle\\w+ = \\d+;", ["needle"]],
  ["a\\.b\\(c", ["a.b(c"]],
  ["(?:foo|barbaz)+", ["foo", "barbaz"]],
  ["(foo|b)", []],
  ["foo|x*", []],
  ["colou?r", ["colo"]],
  ["ab{2,}cde", ["cde"]],
  ["abc{0,3}de", ["ab"]],
  ["(abc)?def", ["def"]],
  ["(abc)*", []],
  ["(?=secret)\\w+", []],
  ["(?!secret)public", ["public"]],
  ["(?<=before)after1", ["after1"]],
  ["(?i:Needle) in", [" in"]],
  ["(?<name>needle)\\k<name>", ["needle"]],
  ["[abc]def[^]ghij]", ["ghij"]],
  ["\\bfunction\\b", ["function"]],
  ["größe", ["größe"]],
  ["\\u0041bc\\x41de", ["bc"]],
  ["bar(?=((:x)y)z)|foo", ["bar", "foo"]],
  ["x", []],
])("%s needs %j", (source, literals) => {
  expect(requiredLiterals(source).literals).toEqual(literals);
});

test.each(["a\\nb", "a\nb", "(x|\\n)"])("%j spans lines", (source) => {
  expect(requiredLiterals(source).spansLines).toBe(true);
});

test("what may not stand in a line does not span lines", () => {
  expect(requiredLiterals("a[^\\n]*b\\\\n").spansLines).toBe(false);
});

test("looking for the literal first never hides a match, in 20,000 made-up expressions", () => {
  const lines = ["abc-é(", "aBcC-("].flatMap((letters) =>
    Array.from({ length: 60 }, (_, line) => lineOf(letters, line)),
  );
  const next = randomFrom(7);
  const wrong: string[] = [];
  let withLiterals = 0;
  for (let round = 0; round < 20_000; round++) {
    const pattern = readPattern(expression(next, 3), round % 2 === 0);
    if ("refused" in pattern || pattern.literals.length === 0) continue;
    withLiterals++;
    const matcher = lineMatcher(pattern);
    if (lines.some((line) => matcher.matches(line) && !matcher.mayMatch(line))) wrong.push(pattern.source);
  }
  expect(wrong).toEqual([]);
  expect(withLiterals).toBeGreaterThan(2000);
});

function lineOf(letters: string, line: number): string {
  const next = randomFrom(line + 1);
  return Array.from({ length: next(12) }, () => letters[next(letters.length)]).join("");
}

function expression(next: (below: number) => number, depth: number): string {
  return Array.from(
    { length: 1 + next(4) },
    () => piece(next, depth) + (["", "", "", "*", "+", "?", "{2}", "{0,2}", "+?"][next(9)] ?? ""),
  ).join("");
}

function piece(next: (below: number) => number, depth: number): string {
  const simple = ["a", "b", "c", "ab", "bc", "é", "-", "\\(", ".", "\\w", "\\b", "^", "$", "[ab]", "[^a]", "\\x61"];
  const chosen = next(simple.length + (depth > 0 ? 6 : 0));
  const inner = () => expression(next, depth - 1);
  switch (chosen - simple.length) {
    case 0:
      return `(${inner()})`;
    case 1:
      return `(?:${inner()}|${inner()})`;
    case 2:
      return `(?=${inner()})`;
    case 3:
      return `(?!${inner()})`;
    case 4:
      return `(?<=${inner()})`;
    case 5:
      return `(${inner()}|${inner()})`;
    default:
      return simple[chosen] ?? "";
  }
}

function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
