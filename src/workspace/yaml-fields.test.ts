import { expect, test } from "vitest";
import { readYamlFields } from "./yaml-fields.ts";

const read = (text: string) => readYamlFields(text.split("\n"), 2);
function valuesOf(text: string) {
  const found = read(text);
  if ("mistake" in found) throw new Error(found.mistake);
  return Object.fromEntries([...found.fields].map(([key, { value }]) => [key, value]));
}

test.each([
  ["plain text, with a comment", "a: one two # why", "one two"],
  ["a colon inside of plain text", "a: Plans meals: cheap ones", "Plans meals: cheap ones"],
  ["an address", "a: see https://example.org/#top", "see https://example.org/#top"],
  ["plain text on several lines", "a: one\n  two\n  three", "one two three"],
  ["double quotes", 'a: "say: \\"hi\\" # no comment"', 'say: "hi" # no comment'],
  ["single quotes", "a: 'it''s' # so", "it's"],
  ["quotes over two lines", "a: 'one\n  two'", "one two"],
  ["lines that are kept", "a: |\n  one\n    two\n\n  three\n", "one\n  two\n\nthree"],
  ["lines that are joined", "a: >-\n  one\n  two\n\n  three", "one two\nthree"],
  ["a list in brackets", 'a: [read, "b, c", Bash(git *)]', ["read", "b, c", "Bash(git *)"]],
  ["a list with dashes", "a:\n  - read\n  - 'b'", ["read", "b"]],
  ["a list under the key itself", "a:\n- read\n- b", ["read", "b"]],
  [
    "keys below a key",
    "a:\n  author: me\n  version: '1.0'\n  more:\n    deep: x",
    { author: "me", version: "1.0", more: { deep: "x" } },
  ],
  ["what other programs keep there", 'a: {"x": {"y": [1]}}', '{"x": {"y": [1]}}'],
  ["nothing", "a:", ""],
])("%s is understood", (_what, text, value) => {
  expect(valuesOf(`# a comment\n\n${text}\nlast: yes`)).toEqual({ a: value, last: "yes" });
});

test.each([
  ["a line without a key", "a: x\n- list", 3, "line 3 is not of the form key: value"],
  ["no space after the colon", "a:x", 2, "line 2 is not of the form key: value"],
  ["a tab", "a: x\nc:\n  d: x\n \te: y", 5, "line 5 begins with a tab; use spaces"],
  ["a key twice", "a: x\nb: y\na: z", 4, "a stands there twice"],
  ["open quotes", 'b: x\na: "open', 3, "line 3 does not close the quotes of a, or goes on after them"],
  ["words after quotes", "a: 'x' y", 2, "line 2 does not close the quotes of a, or goes on after them"],
  ["an unknown escape", 'a: "\\q"', 2, "line 2 has an unknown \\ in the quotes of a"],
  ["an open list", "a: [x, y", 2, "line 2 does not close the [ of a, or has another inside of it"],
  ["an open brace", "a: {x", 2, "line 2 does not close the { of a"],
  ["an anchor", "a: &x y", 2, "line 2 has a value that begins with &; put it in quotes"],
  ["a list that breaks off", "a:\n  - x\n  y: z", 4, "line 4 does not begin with a dash, as the others of its list do"],
  ["a ragged map", "a:\n    b: x\n  c: y", 4, "line 4 is indented less than the line above it"],
])("%s is a mistake with its line", (_what, text, line, mistake) => {
  expect(read(text)).toEqual({ mistake, line });
});

test("keys that lie deeper than anybody writes them are a mistake, not a crash", () => {
  const deep = Array.from({ length: 5_000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n");
  expect(read(deep)).toMatchObject({ mistake: expect.stringContaining("lies too deep") });
});
