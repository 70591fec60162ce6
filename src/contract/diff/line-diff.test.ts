import { expect, test } from "vitest";
import { diffLines } from "./line-diff.ts";

const numbered = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `line ${from + index}`);
const text = (lines: readonly string[]) => `${lines.join("\n")}\n`;

test("a changed line is shown between its neighbours, and the rest is counted", () => {
  const before = numbered(1, 21);
  const after = before.with(9, "another");
  expect(diffLines(text(before), text(after))).toEqual({
    removed: 1,
    added: 1,
    text: [
      ...["  … 6 lines as before", "  line 7", "  line 8", "  line 9", "- line 10", "+ another"],
      ...["  line 11", "  line 12", "  line 13", "  … 7 lines as before"],
    ].join("\n"),
  });
});

test("everything goes when nothing is left", () => {
  expect(diffLines("a\nb\n", "")).toEqual({ removed: 2, added: 0, text: "- a\n- b" });
});

test("a line end that is lost at the end of the file is told", () => {
  expect(diffLines("a\n", "a").text).toBe("- a\n+ a (without a line end)");
  expect(diffLines("a", "b").text).toBe("- a\n+ b");
});

test("of very many lines that go the first are shown, and how many more", () => {
  const { removed, text: shown } = diffLines(text(numbered(0, 1_000)), "new\n");
  expect(removed).toBe(1_000);
  expect(shown.split("\n").slice(-3)).toEqual(["- line 199", "- … and 800 more lines that go", "+ new"]);
});

// whatever two texts are, what stays and comes is the new one, and what stays and goes is the old one
test.each(Array.from({ length: 60 }, (_, seed) => seed))("lines of random texts add up (%i)", (seed) => {
  let state = seed + 1;
  const random = (most: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * most);
  };
  const some = () => Array.from({ length: random(9) }, () => "abcd"[random(4)] ?? "");
  const [before, after] = [some(), some()];
  // no more lines than the context keeps, so that nothing is hidden
  const lines = diffLines(before.length > 0 ? text(before) : "", after.length > 0 ? text(after) : "").text.split("\n");
  const side = (signs: string) => lines.flatMap((line) => (signs.includes(line[0] ?? "x") ? [line.slice(2)] : []));
  if (before.join() === after.join() || lines.some((line) => line.includes("…"))) return;
  expect([side("- "), side("+ ")]).toEqual([before, after]);
});

test("two long texts with nothing in common take no longer than both are long", () => {
  const [before, after] = [numbered(0, 20_000), numbered(30_000, 50_000)];
  expect(diffLines(text(before), text(after))).toMatchObject({ removed: 20_000, added: 20_000 });
});
