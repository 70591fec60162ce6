import { expect, test } from "vitest";
import { findJsonMistake } from "./json-mistake.ts";

test.each([
  ["", 1, 1, "the file ends here, but a value is expected"],
  ["{", 1, 2, "the file ends here, but a key in double quotes or } is expected"],
  ['{"a": 1,}', 1, 9, 'a key in double quotes is expected, not "}"'],
  ['{"a" 1}', 1, 6, 'a colon is expected, not "1"'],
  ['{"a": 1 "b": 2}', 1, 9, 'a comma or } is expected, not "\\""'],
  ['{\n  "a": 1\n  // why\n}', 3, 3, "comments are not allowed in JSON"],
  ["{a: 1}", 1, 2, 'a key in double quotes or } is expected, not "a"'],
  ["{'a': 1}", 1, 2, 'a key in double quotes or } is expected, not "\'"'],
  ['{"a": [1, ]}', 1, 11, 'a value is expected, not "]"'],
  ['{"a": 01}', 1, 7, 'a value is expected, not "0"'],
  ['{"a": nul}', 1, 7, 'a value is expected, not "n"'],
  ['{"a": "x\ny"}', 1, 7, 'a value is expected, not "\\""'],
  ["{} {}", 1, 4, 'nothing more is expected, not "{"'],
  ["[1}", 1, 3, 'a comma or ] is expected, not "}"'],
])("%j is wrong at line %i, column %i", (text, line, column, message) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(findJsonMistake(text)).toEqual({ line, column, message });
});

test.each(['{"a": [1, -2.5e3, true, null, {}], "b": {"c": []}}', '"\\u00e9"', " [] ", "0"])("%j is fine", (text) => {
  expect(JSON.parse(text)).toBeDefined();
  expect(findJsonMistake(text)).toBeUndefined();
});
