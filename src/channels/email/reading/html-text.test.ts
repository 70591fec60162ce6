import { expect, test } from "vitest";
import { cpuMsOf } from "../../../../tests/scenes/cpu-time.ts";
import { htmlText } from "./html-text.ts";

test("paragraphs, lists, links and entities stay readable", () => {
  const html = `<!doctype html><head><title>x</title></head><body><p>One&nbsp;&lt;two&gt;</p><ul><li>a<li>b</ul>
    <p>See <a href="https://example.com/a?b=1&amp;c=2">this</a><br>now</p></body>`;
  expect(htmlText(html)).toBe("One <two>\n\n- a\n- b\n\nSee this (https://example.com/a?b=1&c=2)\nnow");
});

test("what nobody sees is left out", () => {
  expect(htmlText("<style>p{}</style>a<script>alert(1)</script><!-- b -->c")).toBe("ac");
});

test("quoted history is marked as such", () => {
  expect(htmlText("<div>Yes</div><blockquote><div>Shall we?</div></blockquote>")).toBe("Yes\n\n> Shall we?");
});

test.each(["<", "<a ", "<!--", "<a href='", "&", "<blockquote>", "<li>", "<a href=https://x.y>z</a>"])(
  "no mail makes it slow: %s",
  async (piece) => {
    const long = piece.repeat(Math.floor(1_600_000 / piece.length));
    const quarterMs = await cpuMsOf(() => htmlText(long.slice(0, long.length / 4)));
    expect(await cpuMsOf(() => htmlText(long))).toBeLessThan(10 * quarterMs + 500);
  },
);
