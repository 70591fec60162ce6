import { expect, test } from "vitest";
import { toMarkdown } from "./to-markdown.ts";

const options = {
  baseUrl: "https://site.example/folder/page",
  named: (name: string) => ({ hellip: "…", eacute: "é" })[name],
  dropped: new Set<string>(),
  maxCharacters: 10_000,
};
const markdown = (html: string) => toMarkdown(html, options).text;

test.each([
  ["headings", "<h1>One</h1><h3>Three <em>em</em></h3>", "# One\n\n### Three *em*"],
  ["paragraphs", "<p>one\n  two<p>three", "one two\n\nthree"],
  ["emphasis", "a<b> bold </b>b <i>it</i> <del>no</del> <q>said</q>", 'a **bold** b *it* ~~no~~ "said"'],
  ["nested emphasis", "<b>bold <i>both</b> it</i>", "**bold *both*** it"],
  ["emphasis across paragraphs", "<b><p>one<p>two</b>", "**one**\n\n**two**"],
  ["line breaks", "one<br>two <br/> three", "one\ntwo\nthree"],
  ["code in a line", "use <code>a</code> or <kbd>`b`</kbd>", "use `a` or `` `b` ``"],
  ["entities", "&lt;caf&eacute;&gt; &amp; &hellip; &#65;&#x42; &#146; &nosuch; AT&T", "<café> & … AB ’ &nosuch; AT&T"],
  [
    "images as their description",
    'See <img src="x.png" alt="A cat"><img src="y.png" alt=""><img src=z>',
    "See [image: A cat]",
  ],
  ["rules", "a<hr>b", "a\n\n---\n\nb"],
  ["definitions", "<dl><dt>Mill<dd>Grinds<dt>Dam<dd>Holds</dl>after", "Mill\n\n: Grinds\n\nDam\n\n: Holds\n\nafter"],
])("%s", (_case, html, expected) => {
  expect(markdown(html)).toBe(expected);
});

test.each([
  ["relative", '<a href="../up?a=1&amp;b=2">up</a>', "[up](https://site.example/up?a=1&b=2)"],
  ["to another site", "<a href=//other.example/x>x</a>", "[x](https://other.example/x)"],
  ["with brackets", '<a href="/a_(b)">a</a>', "[a](https://site.example/a_%28b%29)"],
  ["inside the page", '<a href="#top">top</a>', "top"],
  ["to a script", '<a href="javascript:alert(1)">click</a>', "click"],
  ["without words", '<a href="/x"><img src="i.png"></a>', ""],
  [
    "around whole blocks",
    '<a href="/x"><h2>Head</h2><p>text</p></a>',
    "## [Head](https://site.example/x)\n\n[text](https://site.example/x)",
  ],
  ["from another base", '<base href="https://cdn.example/"><a href="x">x</a>', "[x](https://cdn.example/x)"],
])("links %s", (_case, html, expected) => {
  expect(markdown(html)).toBe(expected);
});

test("lists keep their nesting and numbers, also where ends are left out", () => {
  expect(
    markdown("<ul><li>one<li>two<ol start=3><li>a</li><li><p>b</p><p>more</p></li></ol><li>three</ul><ul><li>new</ul>"),
  ).toBe("- one\n- two\n  3. a\n  4. b\n\n     more\n- three\n\n- new");
});

test("quotes hold paragraphs, lists and other quotes", () => {
  expect(markdown("<blockquote><p>one</p><ul><li>a<li>b</ul><blockquote>inner</blockquote></blockquote>after")).toBe(
    "> one\n>\n> - a\n> - b\n>\n> > inner\n\nafter",
  );
});

test("code keeps its blanks and its language, and a fence in it does not end it", () => {
  expect(markdown('<pre><code class="hl language-ts">\nif (a &lt; b) {\n  <span>go</span>();\n}\n</code></pre>')).toBe(
    "```ts\nif (a < b) {\n  go();\n}\n```",
  );
  expect(markdown("<pre>a\n```\nb</pre>")).toBe("````\na\n```\nb\n````");
});

test("a table becomes a pipe table, with or without the ends of its cells", () => {
  const expected =
    "| Name | Use |\n| --- | --- |\n| **mill** | grinds a\\|b |\n| dam | holds [water](https://site.example/w) |";
  expect(
    markdown(
      "<table><thead><tr><th>Name</th><th>Use</th></tr></thead><tbody><tr><td><b>mill</b></td><td><p>grinds a|b</p></td></tr><tr><td>dam</td><td>holds <a href=/w>water</a></td></tr></tbody></table>",
    ),
  ).toBe(expected);
  expect(
    markdown(
      "<table><tr><th>Name<th>Use<tr><td><b>mill</b><td>grinds a|b<tr><td>dam<td>holds <a href=/w>water</a></table>",
    ),
  ).toBe(expected);
});

test("a table that only arranges the page is read as the page it is", () => {
  expect(
    markdown("<table><tr><td>Menu<td><h2>News</h2><p>First</p><table><tr><td>a<td>b</table><p>Last</p></table>after"),
  ).toBe("Menu\n\n## News\n\nFirst\n\n| a | b |\n| --- | --- |\n\nLast\n\nafter");
  expect(markdown("<table><tr><td>only<tr><td>column</table>")).toBe("only\n\ncolumn");
});

test("what nobody sees is not read", () => {
  expect(
    markdown(
      "<style>p{}</style><script>if (a</p>) x</script><!-- c --><p hidden>1<p>seen</p><div style='color:red;display :none'>2<div>3</div></div><svg><title>4</title></svg><select><option>5</select><template><p>6</template><p>end",
    ),
  ).toBe("seen\n\nend");
});

test("the title is told apart from the text", () => {
  expect(toMarkdown("<head><title>A &amp;\n B</title></head><p>text", options)).toEqual({
    title: "A & B",
    text: "text",
    isCut: false,
  });
});

test.each([
  ["a lone bracket", "a < b and c > d", "a < b and c > d"],
  ["a tag that never ends", "text <a href='x", "text"],
  ["a quote that never ends", "text <a href='x>link</a> more", "text"],
  ["a comment that never ends", "text <!-- more", "text"],
  ["a script that never ends", "text <script> more", "text"],
  ["ends without beginnings", "</b></table></li>text</p></ul>", "text"],
  ["odd attributes", '<p =x "y" a=b c = d / e>text', "text"],
  ["nothing", "", ""],
])("broken mark-up: %s", (_case, html, expected) => {
  expect(markdown(html)).toBe(expected);
});

test("a text that is too long is cut, and says so", () => {
  const cut = toMarkdown(`<p>${"word ".repeat(5000)}`, { ...options, maxCharacters: 1000 });
  expect(cut.isCut).toBe(true);
  expect(cut.text).toHaveLength(1000);
});
