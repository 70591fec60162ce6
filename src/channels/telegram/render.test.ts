import { expect, test } from "vitest";
import { renderTelegram } from "./render.ts";

function markup(markdown: string): string {
  const pieces = renderTelegram(markdown);
  expect(pieces).toHaveLength(1);
  return pieces[0]?.markup ?? "";
}

test.each([
  ["nothing", "", ""],
  ["words", "Hello & <b>bye</b>", "Hello &amp; &lt;b&gt;bye&lt;/b&gt;"],
  ["a heading", "## Plan\n\nGo.", "<b>Plan</b>\nGo."],
  ["bold inside italics", "*one **two** three*", "<i>one <b>two</b> three</i>"],
  ["both at once", "***all***", "<b><i>all</i></b>"],
  ["struck out words", "~~old~~ new", "<s>old</s> new"],
  ["a line break", "one\ntwo", "one\ntwo"],
  ["inline code", "run `a < b`", "run <code>a &lt; b</code>"],
  ["inline code with backticks", "``a`b``", "<code>a`b</code>"],
  ["escaped marks", "2 \\* 3 \\* 4 and \\_x\\_", "2 * 3 * 4 and _x_"],
  ["names with underscores", "snake_case_name", "snake_case_name"],
  ["a link with parentheses", "[x](https://e.org/a_(b))", '<a href="https://e.org/a_(b)">x</a>'],
  ["a link with quotes", '[x](<https://e.org/"&>)', '<a href="https://e.org/&quot;&amp;">x</a>'],
  ["a bare address", "see https://e.org.", 'see <a href="https://e.org">https://e.org</a>.'],
  ["a link that may run something", "[x](javascript:go)", "x (javascript:go)"],
  ["a link to a place on the page", "[x](#there)", "x (#there)"],
  ["a picture", "![a cat](https://e.org/c.png)", '<a href="https://e.org/c.png">a cat</a>'],
  ["a picture written in the address", "![a cat](data:image/png;base64,AAAA)", "a cat"],
  ["code with a language", "```ts\nif (a < b) {}\n```", '<pre><code class="language-ts">if (a &lt; b) {}</code></pre>'],
  ["code without one", "```\na\n\nb\n```", "<pre>a\n\nb</pre>"],
  [
    "code that holds a fence",
    "````md\n```js\n1\n```\n````",
    '<pre><code class="language-md">```js\n1\n```</code></pre>',
  ],
  ["code without an end", "```\na", "<pre>a</pre>"],
  ["indented code", "a:\n\n    b", "a:\n\n<pre>b</pre>"],
  ["points", "- a\n- b\n  - c\n    - d\n- e", "• a\n• b\n  • c\n    • d\n• e"],
  ["numbers", "3. a\n4. b\n   - c", "3. a\n4. b\n   • c"],
  ["points set apart", "- a\n\n  more\n\n- b", "• a\n\n  more\n\n• b"],
  ["tasks", "- [x] done\n- [ ] open", "☑ done\n☐ open"],
  ["tasks set apart", "- [x] done\n\n- [ ] open", "☑ done\n\n☐ open"],
  ["code in a point", "1. do:\n   ```\n   x\n   ```\n2. then", "1. do:\n<pre>x</pre>\n2. then"],
  ["points right below words", "Take:\n- a\n- b", "Take:\n• a\n• b"],
  ["a quote", "> a\n> **b**\n\nc", "<blockquote>a\n<b>b</b></blockquote>\n\nc"],
  ["a quote in a quote", "> a\n>\n> > b", "<blockquote>a\n\n&gt; b</blockquote>"],
  ["a line across", "a\n\n---\n\nb", "a\n\n———\n\nb"],
  ["a heading that is underlined", "Plan\n====\ngo", "<b>Plan</b>\ngo"],
  ["a comment", "a <!-- b --> c\n\n<!-- d\n\ne", "a &lt;!-- b --&gt; c\n\n&lt;!-- d\n\ne"],
  [
    "an element",
    "<details>\n<summary>**s**</summary>\n\nx",
    "&lt;details&gt;\n&lt;summary&gt;<b>s</b>&lt;/summary&gt;\n\nx",
  ],
  ["footnotes", "a[^1]\n\n[^1]: note", "a[^1]\n\n[^1]: note"],
  ["an address given apart", "[a][b]\n\n[b]: /c", "[a][b]\n\n[b]: /c"],
  ["characters by name", "a&nbsp;b &lt;c&gt; &#8364; &amp;amp; &what;", "a\u00a0b &lt;c&gt; € &amp;amp; &amp;what;"],
  ["letters from right to left", "**שלום** עולם", "<b>שלום</b> עולם"],
  ["a family", "👨‍👩‍👧‍👦 **👍🏽**", "👨‍👩‍👧‍👦 <b>👍🏽</b>"],
  ["lines of Windows", "a\r\n\r\n- b\r\n", "a\n\n• b"],
])("%s", (_, markdown, expected) => {
  expect(markup(markdown)).toBe(expected);
});

test("a narrow table stands in columns, numbers at the right", () => {
  expect(markup("| Item | Price |\n|:--|--:|\n| Tea | 3 |\n| 東京 | 12 | extra |")).toBe(
    "<pre>Item  Price\n────  ─────  ─────\nTea       3\n東京     12  extra</pre>",
  );
});
test("a wide table, or one with links, becomes points", () => {
  const wide = `| Name | What it is |\n|---|---|\n| **A** | ${"long ".repeat(12)}|\n| [B](https://b.org) | |`;
  expect(markup(wide)).toBe(
    `<b>Name · What it is</b>\n• <b>A</b>\n  What it is: ${"long ".repeat(12).trim()}\n• <b><a href="https://b.org">B</a></b>`,
  );
});
test("a bar within a cell is escaped, in code as well", () => {
  expect(markup("|a|b|\n|-|-|\n|`x \\| y`|z|")).toBe("<pre>a      b\n─────  ─\nx | y  z</pre>");
});
test("the plain text says the same, and where links lead", () => {
  const [piece] = renderTelegram("# A\n\n**b** [c](https://d.org) <https://e.org>\n\n> `f`\n\n```\n<g>\n```");
  expect(piece?.plain).toBe("A\nb c (https://d.org) https://e.org\n\n> f\n\n<g>");
});
test("what is too long is cut between its blocks", () => {
  const blocks = ["a", "b", "c"].map((word) => `${word} `.repeat(900).trim());
  expect(renderTelegram(blocks.join("\n\n")).map(({ markup }) => markup)).toEqual([
    `${blocks[0]}\n\n${blocks[1]}`,
    blocks[2],
  ]);
});
test("code that is cut goes on as code of its language", () => {
  const lines = Array.from({ length: 400 }, (_, index) => `const a${index} = "<";`);
  const pieces = renderTelegram(`\`\`\`ts\n${lines.join("\n")}\n\`\`\``);
  expect(pieces.length).toBeGreaterThan(1);
  for (const { markup } of pieces)
    expect(markup).toMatch(/^<pre><code class="language-ts">const [\s\S]*;<\/code><\/pre>$/);
  expect(pieces.map(({ plain }) => plain).join("\n")).toBe(lines.join("\n"));
});
test("a table that is cut names its columns again", () => {
  const rows = Array.from({ length: 600 }, (_, index) => `| row ${index} | ${index * 7} |`);
  const pieces = renderTelegram(`| Name | Number |\n|---|---|\n${rows.join("\n")}`);
  expect(pieces.length).toBeGreaterThan(1);
  for (const { markup } of pieces) expect(markup).toMatch(/^<pre>Name +Number\n─+ {2}─+\nrow [\s\S]*<\/pre>$/);
});
test("a quote that is cut goes on as a quote", () => {
  const pieces = renderTelegram(`> ${"word ".repeat(2_000)}`);
  expect(pieces.length).toBeGreaterThan(1);
  for (const { markup } of pieces) expect(markup).toMatch(/^<blockquote>word [^<]* word<\/blockquote>$/);
});
test("bold words that are cut are bold in both messages", () => {
  const pieces = renderTelegram(`**${"word ".repeat(380).trim()}** ${"x".repeat(4_000)}`);
  for (const { markup } of pieces) expect(markup.split("<b>").length).toBe(markup.split("</b>").length);
});
test("a family and a flag are never torn apart", () => {
  for (const character of ["👨‍👩‍👧‍👦", "🇵🇹", "e\u0301"]) {
    for (const { markup } of renderTelegram(character.repeat(3_000))) {
      expect(markup.replaceAll(character, "")).toBe("");
    }
  }
});
test("a heading goes with what it is the heading of", () => {
  const pieces = renderTelegram(`${"word ".repeat(700)}\n\n## Next\n\n${"more ".repeat(300)}`);
  expect(pieces.map(({ markup }) => markup.startsWith("<b>Next</b>"))).toEqual([false, true]);
});
test("the same text gives the same pieces", () => {
  const text = "- **a** `b`\n".repeat(900);
  expect(renderTelegram(text)).toEqual(renderTelegram(text));
});
