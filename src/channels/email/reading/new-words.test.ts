import { expect, test } from "vitest";
import { cpuMsOf } from "../../../../tests/scenes/cpu-time.ts";
import { newWords } from "./new-words.ts";

test.each([
  ["history with marks", "Yes.\n\nOn Mon, 16 Nov 2026 at 10:00, Ann <a@b.c> wrote:\n> Shall we?\n> Ann"],
  [
    "history whose first line is broken",
    "Yes.\n\nOn Mon, 16 Nov 2026 at 10:00, Ann Example\n<a@b.c> wrote:\n\n> Shall we?",
  ],
  ["history without marks", "Yes.\n\nAm 16.11.2026 um 10:00 schrieb Ann:\nShall we?"],
  ["history as Outlook writes it", "Yes.\n\n-----Original Message-----\nFrom: Ann\nShall we?"],
  ["a signature", "Yes.\n-- \nAnn, Example Street 1"],
])("%s is left out", (_what, text) => {
  expect(newWords(text)).toBe("Yes.");
});

test("answers between quoted lines are kept", () => {
  expect(newWords("Hi,\nOn Monday, Ann wrote:\n> One?\nYes.\n> Two?\nNo.")).toBe("Hi,\nYes.\nNo.");
});

test("a mail that only quotes is kept whole", () => {
  expect(newWords("> Look at this\n> please")).toBe("> Look at this\n> please");
});

test("words that only look like the beginning of history are kept", () => {
  const text = "On Monday I wrote a letter.\nAm I right?\nYes: I am.";
  expect(newWords(text)).toBe(text);
});

test("a very long mail is cut, and says so", () => {
  const words = newWords("word ".repeat(100_000));
  expect(words.length).toBeLessThan(201_000);
  expect(words).toMatch(/\[The mail goes on; this is its beginning\.\]$/);
});

test.each([
  "On aaaaaaaa\n",
  "On schrieb : ",
  "On aaaa schrieb  :  x\n",
  `On a wrote${" ".repeat(280)}x\n`,
  " ",
  "\n",
  "-",
  "--\n",
])("no mail makes it slow: %j", async (piece) => {
  const long = piece.repeat(Math.floor(200_000 / piece.length));
  const quarterMs = await cpuMsOf(() => newWords(long.slice(0, long.length / 4)));
  expect(await cpuMsOf(() => newWords(long))).toBeLessThan(10 * quarterMs + 500);
});
