import { expect, test } from "vitest";
import { type Case, callOf, guardWith } from "../../tests/scenes/guard/guarded-call.ts";
import { Settings } from "../contract/settings.ts";

const web = ["web"];
const open = (url: string, given: Partial<Case>): Case => ({
  effects: ["reads"],
  tells: [{ kind: "address", url }],
  ...given,
});
const search = (text: string): Case => ({
  effects: ["reads"],
  tells: [{ kind: "words", text }],
  trustedText: "find BIG, grey cats",
});
const links = new Set(["https://site.test/next", "https://site.test/other"]);

test.each<[string, Case, "allow" | "ask"]>([
  ["a page of a site the owner named", open("https://site.test/a", { trustedText: "read site.test" }), "allow"],
  ["one that could carry something", open("https://site.test/?q=secret", { trustedText: "read site.test" }), "ask"],
  [
    "a search while only the owner has spoken",
    { effects: ["reads"], tells: [{ kind: "words", text: "cats" }] },
    "allow",
  ],
])("while nothing untrusted was read, %s", async (_what, given, verdict) => {
  const decision = await guardWith("ask").decide(callOf(given));
  expect(decision.verdict).toBe(verdict);
  expect(decision).not.toHaveProperty("bits");
});

test.each<[string, Case, "allow" | "ask"]>([
  ["the address the owner wrote", open("https://site.test/a", { trustedText: "read https://site.test/a." }), "allow"],
  ["another page of that site", open("https://site.test/b", { trustedText: "read https://site.test/a" }), "ask"],
  [
    "that address with more behind it",
    open("https://site.test/a?x", { trustedText: "read https://site.test/a" }),
    "ask",
  ],
  ["a link as it stood", open("https://site.test/next", { told: { links } }), "allow"],
  ["a link with another place on it", open("https://site.test/next#secret", { told: { links } }), "ask"],
  [
    "a page without the place on it",
    open("https://site.test/a", { trustedText: "see https://site.test/a#b" }),
    "allow",
  ],
  ["a place the owner wrote", open("https://site.test/a#b", { trustedText: "see https://site.test/a#b" }), "allow"],
  ["a link in another spelling of its path", open("https://site.test/NEXT", { told: { links } }), "ask"],
  ["a link with a port", open("https://site.test:444/next", { told: { links } }), "ask"],
  ["a link with a name before it", open("https://secret@site.test/next", { told: { links } }), "ask"],
  ["a link when the turn has told enough", open("https://site.test/next", { told: { links, turn: 63 } }), "ask"],
  ["a link when the conversation has", open("https://site.test/next", { told: { links, conversation: 255 } }), "ask"],
  ["words of the owner", search("BIG, grey cats"), "allow"],
  ["words of the owner in small letters", search("big grey cats"), "allow"],
  ["words of the owner as a sentence begins", search("Big grey"), "allow"],
  ["other words", search("grey secrets"), "ask"],
  ["words of the owner in capitals of its own", search("gReY cats"), "ask"],
  ["words of the owner with more between them", search("big  grey"), "ask"],
  ["words of the owner with a sign behind them", search("grey cats;"), "ask"],
  ["words of the owner with what is no word", search("grey \u{1f642} cats"), "ask"],
  ["no words at all", search("\u{1f642}\u{1f643}"), "ask"],
  ["no words where the owner said none", { ...search("?!"), trustedText: "" }, "ask"],
  ["a scroll", { effects: ["reads"], tells: [{ kind: "choice", of: 20_000 }] }, "allow"],
  ["a place of the settings", open("https://team.test/any?x=1", {}), "allow"],
])("once untrusted text was read, %s", async (_what, given, verdict) => {
  const settings = Settings.parse({ guard: { trustedDestinations: ["https://team.test"] } }).guard;
  const decision = await guardWith("auto", { settings }).decide(callOf({ ...given, labels: web }));
  expect(decision.verdict).toBe(verdict);
});

test("what may leave is counted, and the question says how much", async () => {
  const given = open("https://site.test/next", { labels: web, told: { links, nowMs: 6_000 } });
  // one of two or none, in one of eight seconds
  expect(await guardWith("ask").decide(callOf(given))).toEqual({ verdict: "allow", bits: 4.6 });
  const asked = await guardWith("ask").decide(callOf({ ...given, told: { ...given.told, turn: 60.5 } }));
  expect(asked).toMatchObject({ verdict: "ask", rule: "untrusted text and an address" });
  expect(asked).toMatchObject({
    reason: expect.stringContaining("up to about 1 letter (4.6 bits), and the free amount is used up"),
  });
  expect(asked).toMatchObject({
    reason: expect.stringContaining("64 bits a turn are free (60.5 used) and 256 a conversation"),
  });
});
