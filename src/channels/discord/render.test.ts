import { expect, test } from "vitest";
import { renderDiscord } from "./render.ts";

function markup(markdown: string): string {
  const pieces = renderDiscord(markdown);
  expect(pieces).toHaveLength(1);
  return pieces[0]?.markup ?? "";
}

test.each([
  ["nothing", "", ""],
  ["headings", "# A\n## B\n### C\n#### D\n\ne", "# A\n\n## B\n\n### C\n\n**D**\ne"],
  ["bold inside italics", "*one **two** three*", "_one **two** three_"],
  ["marks side by side", "*a***b**", "_a_**b**"],
  ["italics within a word", "foo*bar*baz", "foo\u200b_bar_\u200bbaz"],
  ["struck out words", "~~old~~", "~~old~~"],
  ["escaped marks", "\\*a\\* || b || 2 * 3", "\\*a\\* \\|\\| b \\|\\| 2 \\* 3"],
  ["names with underscores", "snake_case", "snake\\_case"],
  ["what only looks like a heading", "\\# a", "\\# a"],
  ["what only looks like a point", "\\- a", "\\- a"],
  ["what only looks like a number", "1\\. a", "1\\. a"],
  ["what only looks like a quote", "\\> a", "\\> a"],
  ["inline code with backticks", "``a`b``", "``a`b``"],
  ["a link with parentheses", "[x](https://e.org/a_(b))", "[x](https://e.org/a_%28b%29)"],
  ["a bare address", "https://e.org/a_b", "<https://e.org/a_b>"],
  ["a link whose words are another address", "[https://a.org](https://b.org)", "https://a.org (<https://b.org>)"],
  ["a mail address", "ada@e.org", "ada@e.org"],
  ["a link that may run something", "[x](javascript:go)", "x (javascript:go)"],
  ["what only looks like a link", "\\[a](https://e.org)", "[a\\](<https://e.org>)"],
  ["a call to everybody", "@everyone @here", "@\u200beveryone @\u200bhere"],
  ["a call to somebody", "<@1> <@&2> <#3> <:a:4>", "<\u200b@1> <\u200b@&2> <\u200b#3> <\u200b:a:4>"],
  ["a call in code", "`@everyone`\n\n```\n<@1>\n```", "`@\u200beveryone`\n\n```\n<\u200b@1>\n```"],
  ["a call that a link hides", "[<](data:x)@1>", "<\u200b@1>"],
  ["code", "```ts\na < b\n```", "```ts\na < b\n```"],
  ["code that holds a fence", "````\n```\n````", "```\n``\u200b`\n```"],
  ["points", "- a\n  - b\n- c\n\n1. d\n   - e", "- a\n  - b\n- c\n\n1. d\n   - e"],
  ["tasks", "- [x] a\n- [ ] b", "- ☑ a\n- ☐ b"],
  ["a quote", "> a\n>\n> b", "> a\n> \n> b"],
  ["a table", "|a|b|\n|-|-|\n|1|2|", "```\na  b\n─  ─\n1  2\n```"],
  ["an element", "<b>x</b> <!-- y -->", "<b>x</b> <!-- y -->"],
  ["code of nothing but backticks", "```` ``` ```` ` `` `", "`` `\u200b`\u200b` `` `` `\u200b` ``"],
])("%s", (_, markdown, expected) => {
  expect(markup(markdown)).toBe(expected);
});

test("the plain text calls nobody either", () => {
  expect(renderDiscord("**@everyone** <@1>")[0]?.plain).toBe("@\u200beveryone <\u200b@1>");
});
test("code that is cut keeps its language", () => {
  const pieces = renderDiscord(`\`\`\`py\n${"print(1)\n".repeat(700)}\`\`\``);
  expect(pieces.length).toBeGreaterThan(1);
  for (const { markup } of pieces) {
    expect(markup).toMatch(/^```py\nprint[^`]*\n```$/);
    expect(markup.length).toBeLessThanOrEqual(2_000);
  }
});
test("a long list goes on with its numbers", () => {
  const points = Array.from({ length: 200 }, (_, index) => `${index + 1}. this is the next thing to do`);
  const pieces = renderDiscord(points.join("\n"));
  expect(pieces.map(({ markup }) => markup).join("\n")).toBe(points.join("\n"));
});
