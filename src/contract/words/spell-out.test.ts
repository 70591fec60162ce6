import { describe, expect, test } from "vitest";
import { cpuMsOf } from "../../../tests/scenes/cpu-time.ts";
import { shortenQuestion, spellOut, spellOutQuestion } from "./spell-out.ts";

const every = (property: string) => {
  const pattern = new RegExp(`^\\p{${property}}$`, "u");
  return Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((one) => pattern.test(one));
};

describe("of all code points", () => {
  test.each([
    "C",
    "Z",
    "Default_Ignorable_Code_Point",
    "Bidi_Control",
    "White_Space",
    "Variation_Selector",
    "Join_Control",
  ])(
    "each one with the property %s is spelled out after a letter, but for line breaks, tabs and spaces",
    (property) => {
      const all = every(property);
      const shown = spellOut(`a${all.join("a")}`);
      expect([all.length > 0, new RegExp(`(?![\\n\\t ])\\p{${property}}`, "u").exec(shown)]).toEqual([true, null]);
    },
  );

  test("no mark stands alone, and letters, figures, signs and emoji of every script stay as they are", () => {
    expect(/\p{M}/u.exec(spellOut(` ${every("M").join(" ")}`))).toBe(null);
    const emptyGlyphs = ["\ufffc", "\u2800", "\u{13441}", "\u{13442}", "\u{1d159}"];
    const ignorable = new Set([...emptyGlyphs, ...every("Default_Ignorable_Code_Point")]);
    const letters = ["L", "N", "P", "S"].flatMap(every).filter((one) => !ignorable.has(one));
    expect(spellOut(letters.join("")) === letters.join("")).toBe(true);
  });
});

test.each([
  ["rm\u3164-rf", "rm\\u{3164}-rf"],
  [
    "a\u115f\u1160\uffa0\u2800\u034f\u17b4\u180b\ufe0f\u{e0100}\u{e0041}b",
    "a\\u{115f}\\u{1160}\\u{ffa0}\\u{2800}\\u{34f}\\u{17b4}\\u{180b}\\u{fe0f}\\u{e0100}\\u{e0041}b",
  ],
  ["safe\rrm -rf", "safe\\rrm -rf"],
  ["one\u00a0word\u2003here\u3000now", "one\\u{a0}word\\u{2003}here\\u{3000}now"],
  ["a\u202etxt.exe\u2028b\u0085c\u001b[2K", "a\\u{202e}txt.exe\\u{2028}b\\u{85}c\\u{1b}[2K"],
  ["half \ud83d of one", "half \\u{d83d} of one"],
  // a joiner in a picture is as invisible as any other, and a person who decides must not have to know which it is
  ["👩‍🚀 ❤️ 1️⃣", "👩\\u{200d}🚀 ❤\\u{fe0f} 1\\u{fe0f}\\u{20e3}"],
  ["é e\u0301 हिन्दी ไม่ ក្ក", "é e\u0301 हिन्दी ไม่ ក្ក"],
  [`z${"\u0335".repeat(6)}`, `z${"\u0335".repeat(4)}\\u{335}\\u{335}`],
  ["a\u17d2b", "a\\u{17d2}b"],
])("%j is shown as %j", (text, shown) => {
  expect(spellOut(text)).toBe(shown);
  expect(spellOut(shown)).toBe(shown);
});

test.each([
  ["Fetch https://аpple.com/a", "Fetch https://\\u{430}pple.com (xn--pple-43d.com)/a"],
  ["https://пример.рф/", "https://пример.рф (xn--e1afmkfd.xn--p1ai)/"],
  ["https://bank.com\u2044login.evil.com/", "https://bank.com\u2044login.evil.com (bank.xn--comlogin-g03d.evil.com)/"],
  ["https://bank.com@evil.com:8443/x", "https://bank.com@evil.com:8443 (evil.com)/x"],
  ["http://2130706433/ http://0x7f.1:80/", "http://2130706433 (127.0.0.1)/ http://0x7f.1:80 (127.0.0.1)/"],
  ["http://%D0%B0pple.com", "http://%D0%B0pple.com (xn--pple-43d.com)"],
  ["http://exa\u200bmple.com", "http://exa\\u{200b}mple.com (example.com)"],
  ["ssh://git@höst|x", "ssh://git@höst|x (no valid host)"],
  [
    "https://Example.com:443/é?q=ж https://[::1]:80/ https://$HOST/",
    "https://Example.com:443/é?q=ж https://[::1]:80/ https://$HOST/",
  ],
])("%j says which host it means", (text, shown) => {
  expect(spellOutQuestion(text)).toBe(shown);
});

test("letters of another alphabet are spelled out where they pass for Latin ones, and nowhere else", () => {
  expect(spellOutQuestion("сurl раypal")).toBe("\\u{441}url \\u{440}\\u{430}ypal");
  expect(spellOutQuestion("curl аррӏе.com")).toBe("curl \\u{430}\\u{440}\\u{440}\\u{4cf}\\u{435}.com");
  expect(spellOutQuestion("отчёт.txt wi-fi кабель ухо αβγ.pdf")).toBe("отчёт.txt wi-fi кабель ухо αβγ.pdf");
});

test("blanks that would push the rest out of view are counted, and ordinary ones stay", () => {
  expect(spellOutQuestion(`ls${" ".repeat(1200)}; rm -rf ~`)).toBe("ls[1,200 spaces]; rm -rf ~");
  expect(spellOutQuestion(`a${"\n".repeat(201)}b`)).toBe("a\n[200 blank lines]\nb");
  expect(spellOutQuestion(`${"\n".repeat(9)}b`)).toBe("[9 blank lines]\nb");
  expect(spellOutQuestion("a\n \n\t\n\n\n\nb")).toBe("a\n[1 space]\n\\t\n[3 blank lines]\nb");
  expect(spellOutQuestion(`a${" \t".repeat(7)}b`)).toBe(`a${" \\t".repeat(7)}b`);
  expect(spellOutQuestion("if (x) {\n\t\t\treturn;\n\n\n}")).toBe("if (x) {\n\t\t\treturn;\n\n\n}");
});

test("what is shortened says how much is left out", () => {
  expect(shortenQuestion("ls\n-la", 20)).toEqual({ text: "ls ⏎ -la", isWhole: true });
  const long = shortenQuestion(`${"x".repeat(20_000)}\u200b`, 100);
  expect(long).toEqual({ text: `${"x".repeat(100)}… (19,908 more characters)`, isWhole: false });
});

test.each(["a", " ", "\n", " \n", "\t ", "а", "\u0301", "://а", "аb.", "[", "()"])(
  "a long text of %j takes no more time than its length",
  async (piece) => {
    const text = piece.repeat(200_000 / piece.length);
    expect(await cpuMsOf(() => spellOutQuestion(text))).toBeLessThan(3_000);
  },
);
