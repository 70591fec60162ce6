import { expect, test } from "vitest";
import { renderSlack } from "./render.ts";

function markup(markdown: string): string {
  const pieces = renderSlack(markdown);
  expect(pieces).toHaveLength(1);
  return pieces[0]?.markup ?? "";
}

test.each([
  ["nothing", "", ""],
  ["words", "Tom & <Jerry>", "Tom &amp; &lt;Jerry&gt;"],
  ["a heading", "# Plan **B**\n\nGo.", "*Plan B*\nGo."],
  ["bold inside italics", "*one **two** three*", "_one *two* three_"],
  ["struck out words", "~~old~~ new", "~old~ new"],
  ["bold within a word", "foo**bar**baz", "foo\u200b*bar*\u200bbaz"],
  ["bold in Chinese", "这是**粗体**文本", "这是\u200b*粗体*\u200b文本"],
  ["marks side by side", "**a***b*", "*a*\u200b_b_"],
  ["bold over two lines", "**a\nb**", "*a*\n*b*"],
  ["escaped marks", "\\*not bold\\* 2 * 3", "*\u200bnot bold* 2 * 3"],
  ["names with underscores", "snake_case_name", "snake_case_name"],
  ["inline code", "`a <b> *c*`", "`a &lt;b&gt; *c*`"],
  ["inline code with backticks", "``a`b``", "`aˋb`"],
  ["a link", "[the *guide*](https://e.org/a|b?x=1&y=2)", "<https://e.org/a%7Cb?x=1&amp;y=2|the guide>"],
  ["a bold link", "**[x](https://e.org)**", "*<https://e.org|x>*"],
  ["a bare address", "https://e.org", "<https://e.org>"],
  ["a mail address", "ada@e.org", "<mailto:ada@e.org>"],
  ["a link that may run something", "[x](javascript:go)", "x (javascript:go)"],
  ["a picture", "![a cat](https://e.org/c.png)", "<https://e.org/c.png|a cat>"],
  [
    "a call to everybody",
    "<!channel> <!here> <@U123> <#C1>",
    "&lt;!channel&gt; &lt;!here&gt; &lt;@U123&gt; &lt;#C1&gt;",
  ],
  ["a link that calls everybody", "[x](!channel) [y](<!channel>)", "x (!channel) y (!channel)"],
  ["code", "```ts\na < b\n```", "```\na &lt; b\n```"],
  ["code that holds a fence", "````\n```\n````", "```\n``\u200b`\n```"],
  ["points", "- a\n- b\n  1. c\n  2. d", "• a\n• b\n  1. c\n  2. d"],
  ["tasks", "- [x] a\n- [ ] b", "☑ a\n☐ b"],
  ["a quote", "> a\n> b\n>\n> c\n\nd", "> a\n> b\n> \n> c\n\nd"],
  ["what only looks like a quote", "\\> a", "\u200b&gt; a"],
  ["a table", "|a|b|\n|-|-|\n|1|2|", "```\na  b\n─  ─\n1  2\n```"],
])("%s", (_, markdown, expected) => {
  expect(markup(markdown)).toBe(expected);
});

test("the plain text calls nobody either", () => {
  expect(renderSlack("hi <!channel> and a < b")[0]?.plain).toBe("hi <\u200b!channel> and a < b");
});
test("code that is cut is closed and opened again", () => {
  const pieces = renderSlack(`\`\`\`\n${"a line of code\n".repeat(600)}\`\`\``);
  expect(pieces.length).toBeGreaterThan(1);
  for (const { markup } of pieces) expect(markup).toMatch(/^```\na line[^`]*\n```$/);
});
test("every line of a quote that is cut is a quote", () => {
  for (const { markup } of renderSlack("> some quoted words\n".repeat(400))) {
    expect(markup).toMatch(/^(?:> some quoted words(?:\n|$))+$/);
  }
});
test("a message holds at most 3500 characters, escapes included", () => {
  for (const { markup } of renderSlack("a & b <c> ".repeat(2_000))) expect(markup.length).toBeLessThanOrEqual(3_500);
});
