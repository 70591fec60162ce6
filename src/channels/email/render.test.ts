import { expect, test } from "vitest";
import { renderEmail } from "./render.ts";

function rendered(markdown: string): { markup: string; plain: string } {
  const pieces = renderEmail(markdown);
  expect(pieces).toHaveLength(1);
  return pieces[0] ?? { markup: "", plain: "" };
}

test.each([
  ["nothing", "", ""],
  ["words", "a & <b>\nc", '<p dir="auto">a &amp; &lt;b&gt;<br>\nc</p>'],
  ["a heading", "## Plan", '<h2 dir="auto">Plan</h2>'],
  ["marks", "**a *b*** ~~c~~ `d`", '<p dir="auto"><strong>a <em>b</em></strong> <s>c</s> <code>d</code></p>'],
  ["a link", '[x](https://e.org "t")', '<p dir="auto"><a href="https://e.org">x</a></p>'],
  ["a link that may run something", "[x](javascript:go)", '<p dir="auto">x (javascript:go)</p>'],
  ["a picture", "![a cat](https://e.org/c.png)", '<p dir="auto"><a href="https://e.org/c.png">a cat</a></p>'],
  [
    "points",
    "- a\n- b\n  1. c",
    '<ul>\n<li dir="auto">a</li>\n<li dir="auto">b\n<ol>\n<li dir="auto">c</li>\n</ol></li>\n</ul>',
  ],
  ["numbers", "3. a", '<ol start="3">\n<li dir="auto">a</li>\n</ol>'],
  ["tasks", "- [x] a", '<ul>\n<li dir="auto">☑ a</li>\n</ul>'],
  ["a line across", "---", "<hr>"],
])("%s", (_, markdown, expected) => {
  expect(rendered(markdown).markup).toBe(expected);
});

test("nothing is fetched and nothing is run, whatever the model writes", () => {
  const { markup } = rendered(
    '<img src=https://x.org/p.png onerror=go()> <script>go()</script>\n\n![p](https://x.org/p.png)\n\n<style>*{}</style>\n\n[a](https://b.org/"onclick="go)',
  );
  expect(markup).not.toMatch(/<(?:img|script|style|iframe|link)|\son\w+="/i);
});
test("code and tables keep their form", () => {
  const { markup } = rendered("```js\na  <  b\n```\n\n|a|b|\n|-|-:|\n|1|2|");
  expect(markup).toMatch(/<pre [^>]*>a {2}&lt; {2}b<\/pre>/);
  expect(markup.match(/<t[hd] [^>]*>[^<]*<\/t[hd]>/g)).toHaveLength(4);
  expect(markup).toMatch(/text-align:right">2</);
});
test("the plain text reads well, with addresses in angle brackets", () => {
  expect(rendered("# Hi\n\n**See** [this](https://e.org/a) or https://f.org\n\n- [x] a\n- b\n\n> c").plain).toBe(
    "Hi\nSee this <https://e.org/a> or https://f.org\n\n- [x] a\n- b\n\n> c",
  );
});
test("a mail is one piece, however long", () => {
  const words = "word ".repeat(40_000).trim();
  expect(rendered(words).plain).toBe(words);
});
