import { describe, expect, test } from "vitest";
import { renderDiscord } from "../../src/channels/discord/render.ts";
import { renderEmail } from "../../src/channels/email/render.ts";
import { renderNtfy } from "../../src/channels/ntfy/render.ts";
import { renderSlack } from "../../src/channels/slack/render.ts";
import { renderTelegram } from "../../src/channels/telegram/render.ts";
import type { RenderedPiece } from "../../src/contract/channel/outgoing-message.ts";
import { heapOfMarks, wellFormedAnswer } from "../scenes/channels/well-formed-markdown.ts";
import { cpuMsOf } from "../scenes/cpu-time.ts";

const characters = (text: string) => text.length;
const bytes = (text: string) => Buffer.byteLength(text);
const platforms = {
  telegram: {
    render: renderTelegram,
    most: 4_096,
    size: (markup: string) => withoutTags(markup).length,
    plain: characters,
  },
  slack: { render: renderSlack, most: 3_500, size: characters, plain: characters },
  discord: { render: renderDiscord, most: 2_000, size: characters, plain: characters },
  ntfy: { render: renderNtfy, most: 4_096, size: bytes, plain: bytes },
  email: { render: renderEmail, most: Number.POSITIVE_INFINITY, size: characters, plain: characters },
};
type PlatformName = keyof typeof platforms;

describe.each(Object.keys(platforms) as PlatformName[])("on %s", (name) => {
  const { render } = platforms[name];

  test("every word of an answer arrives in its order", () => {
    for (let seed = 1; seed <= 25; seed += 1) {
      const { markdown, words } = wellFormedAnswer(seed);
      const pieces = render(markdown);
      expect(faultsOf(name, pieces), `seed ${seed}`).toEqual([]);
      expect(firstLost(words, pieces.map(({ markup }) => readable(markup)).join("\n")), `markup, seed ${seed}`).toBe(
        undefined,
      );
      expect(firstLost(words, pieces.map(({ plain }) => plain).join("\n")), `plain, seed ${seed}`).toBe(undefined);
    }
  });
  test("a heap of marks becomes messages that the platform takes", () => {
    for (let seed = 1; seed <= 700; seed += 1) {
      expect(faultsOf(name, render(heapOfMarks(seed))), `seed ${seed}`).toEqual([]);
    }
  });
  test.each(Object.entries(hostileTexts(24_000)))("%s take no longer than their length", async (_, text) => {
    let pieces: readonly RenderedPiece[] = [];
    const short = await cpuMsOf(() => render(text.slice(0, text.length / 4)));
    const long = await cpuMsOf(() => {
      pieces = render(text);
    });
    expect(faultsOf(name, pieces)).toEqual([]);
    // four times the text in sixteen times the time would be the square of it; the rest is room for a busy machine
    expect(long).toBeLessThan(12 * short + 1_500);
  });
});

function hostileTexts(length: number): Record<string, string> {
  const of = (part: string) => part.repeat(Math.ceil(length / part.length)).slice(0, length);
  return {
    "quotes in quotes": `${">".repeat(5_000)} deep\n\n${of("> ")}`,
    brackets: of("["),
    "beginnings of links": of("[a]("),
    "one long word": of("a"),
    "marks without an end": of("*a _b ~~c `d "),
    "marks in marks": of("*_"),
    "mail addresses": of("a.b@"),
    "lines of a point": `- a\n${of("b\n")}`,
    "points in points": Array.from({ length: 200 }, (_, index) => `${" ".repeat(2 * index)}- a`).join("\n"),
    fences: of("```\n"),
    "beginnings of comments": of("<!-- "),
    families: of("👨‍👩‍👧‍👦"),
    "marks piled on one letter": `a${of("\u0301")}`,
    "rows of a table": `|a|b|\n|-|-|\n${of("|x|y|\n")}`,
    "columns of a table": `|${of("a|")}\n|${of("-|")}\n`,
    "bold letters": of("**言**語"),
  };
}

function faultsOf(name: PlatformName, pieces: readonly RenderedPiece[]): string[] {
  const { most, size, plain: plainSize } = platforms[name];
  const faults: string[] = [];
  if (pieces.length === 0) faults.push("no piece");
  for (const { markup, plain } of pieces) {
    if (size(markup) > most) faults.push(`${size(markup)} of markup`);
    if (plainSize(plain) > most) faults.push(`${plainSize(plain)} of plain text`);
    if (!markup.isWellFormed() || !plain.isWellFormed()) faults.push("half a character");
    if (pieces.length > 1 && (plain.trim() === "" || markup.trim() === "")) faults.push("an empty piece");
    faults.push(...markFaults[name](markup), ...pingFaults(name, markup), ...pingFaults(name, plain));
  }
  return faults;
}

const markFaults: Record<PlatformName, (markup: string) => string[]> = {
  telegram: (markup) =>
    bytes(markup) > 9_000 ? ["too many bytes"] : tagFaults(markup, /^(?:b|i|s|a|code|pre|blockquote)$/),
  email: (markup) =>
    tagFaults(markup, /^(?:p|h[1-6]|ul|ol|li|blockquote|pre|code|table|tr|th|td|a|strong|em|s|br|hr)$/),
  slack: fenceFaults,
  discord: fenceFaults,
  ntfy: fenceFaults,
};

function tagFaults(markup: string, allowed: RegExp): string[] {
  const open: string[] = [];
  for (const [tag, slash, name = ""] of markup.matchAll(/<(\/?)([^\s>]*)[^>]*>/g)) {
    if (!allowed.test(name)) return [`a tag ${tag}`];
    if (name === "br" || name === "hr") continue;
    if (slash === "") open.push(name);
    else if (open.pop() !== name) return [`${tag} closes nothing`];
  }
  return open.length > 0 ? [`<${open.at(-1)}> is left open`] : [];
}

function fenceFaults(markup: string): string[] {
  return (markup.match(/^```/gm)?.length ?? 0) % 2 === 0 ? [] : ["code is left open"];
}

function pingFaults(name: PlatformName, text: string): string[] {
  if (name === "discord") return /@everyone|@here|<@/.test(text) ? ["a ping"] : [];
  return name === "slack" && /<[!@#]/.test(text) ? ["a ping"] : [];
}

function firstLost(words: readonly string[], text: string): string | undefined {
  let at = 0;
  for (const word of words) {
    const found = text.indexOf(word, at);
    if (found < 0) return word;
    at = found + word.length;
  }
  return undefined;
}

function withoutTags(markup: string): string {
  return markup.replace(/<[^>]*>/g, "").replace(/&(?:amp|lt|gt|quot);/g, "&");
}

function readable(markup: string): string {
  return markup.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&").replaceAll("\u200b", "");
}
