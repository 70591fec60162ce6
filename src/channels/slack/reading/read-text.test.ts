import { expect, test } from "vitest";
import { escapeText, readText } from "./read-text.ts";

const nameOf = async (kind: string, id: string) => (kind === "person" ? `name of ${id}` : `#${id}`);
const read = (text: string) => readText(nameOf, text, "UBOT");

test.each([
  ["<@UBOT> hello", "hello"],
  [" <@UBOT|steward>: hello", "hello"],
  ["hello <@UBOT>", "hello @name of UBOT"],
  ["<@UBOT>", "@name of UBOT"],
  ["<@UBOTTER> hello", "@name of UBOTTER hello"],
  ["<@U1|ada> and <#C1|general> and <#C2>", "@ada and #general and #C2"],
  ["<!here> <!subteam^S1|@team> <!date^1^{date}|noon>", "@here @team noon"],
  ["<https://x.org/?a=1&amp;b=2|a text> <https://x.org>", "a text (https://x.org/?a=1&b=2) https://x.org"],
  ["<mailto:a@x.org|a@x.org> <tel:123|123>", "a@x.org 123"],
  ["&lt;@U1&gt; &amp;amp; 1 < 2", "<@U1> &amp; 1 < 2"],
  ["a < b\n> c", "a < b\n> c"],
])("what Slack writes as %s reads as it was meant", async (raw, text) => {
  expect(await read(raw)).toBe(text);
});

test("escaped words come back as they were", async () => {
  const words = "<@UBOT> & <!channel> &lt; <https://x.org|y>";
  expect(await read(`x ${escapeText(words)}`)).toBe(`x ${words}`);
});
