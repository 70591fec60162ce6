import { expect, test } from "vitest";
import { renderNtfy } from "./render.ts";

test.each([
  ["nothing", "", ""],
  ["a heading", "# Plan\n\nGo.", "**Plan**\nGo."],
  ["marks", "**a** *b* ~~c~~ `d`", "**a** *b* ~~c~~ `d`"],
  ["words with signs", "2 * 3 snake_case a~b $5", "2 \\* 3 snake_case a~b $5"],
  ["a link", "[x](https://e.org/a_(b)) https://f.org", "[x](https://e.org/a_%28b%29) https://f.org"],
  ["points", "- a\n  - b\n\n1. c", "- a\n  - b\n\n1. c"],
  ["an element", "<b>x</b> <!-- y --> a < b", "\\<b>x\\</b> \\<!-- y --> a < b"],
  ["an address given apart", "[b]: https://c.org", "\\[b]: https://c.org"],
  ["a line that would make a heading", "a\n\\---", "a\n\\---"],
  ["a character by name", "&amp;lt;", "\\&lt;"],
  ["a quote", "> a\n>\n> b", "> a\n> \n> b"],
  ["code", "```sh\nls\n```", "```sh\nls\n```"],
  ["code of nothing but backticks", "```` ``` ```` ` `` `", "`` `\u200b`\u200b` `` `` `\u200b` ``"],
])("%s", (_, markdown, expected) => {
  expect(renderNtfy(markdown).map(({ markup }) => markup)).toEqual([expected]);
});

test("a message holds at most 4096 bytes, whatever the script", () => {
  for (const text of ["слово ", "言葉", "👍🏽 "]) {
    for (const { markup, plain } of renderNtfy(text.repeat(5_000))) {
      expect(Buffer.byteLength(markup)).toBeLessThanOrEqual(4_096);
      expect(Buffer.byteLength(plain)).toBeLessThanOrEqual(4_096);
    }
  }
});
