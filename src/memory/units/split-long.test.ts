import { expect, test } from "vitest";
import { openRandom } from "../../../tests/scenes/sample.ts";
import { splitLong } from "./split-long.ts";
import type { Unit } from "./unit.ts";

const unit = (text: string, place: Partial<Unit> = {}): Unit => {
  const lines = text.split("\n").length;
  return {
    text,
    context: "Garden",
    speaker: "Anna",
    day: "2026-11-15",
    from: 10,
    to: 9 + lines,
    labels: ["web:a.org"],
    ...place,
  };
};

test("what is not long stays as it is", () => {
  const short = unit("x".repeat(1_600));
  expect(splitLong(short)).toEqual([short]);
});

test("each piece keeps heading, speaker, day and source", () => {
  for (const piece of splitLong(unit("A sentence. ".repeat(400))))
    expect(piece).toMatchObject({ context: "Garden", speaker: "Anna", day: "2026-11-15", labels: ["web:a.org"] });
});

test.each([
  ["lines", `${"word ".repeat(19)}word\n`, /word$/],
  ["sentences", `${"word ".repeat(19)}word. `, /word\.$/],
  ["sentences of Japanese", `${"文".repeat(99)}。`, /。$/],
  ["words", "word ", /^word.*word$/s],
])("it is cut between %s", (_, piece, ending) => {
  const pieces = splitLong(unit(piece.repeat(5_000 / piece.length).trim()));
  expect(pieces.length).toBeGreaterThan(2);
  for (const { text } of pieces) expect(text).toMatch(ending);
});

test("what has no place to be cut is cut between characters", () => {
  const pieces = splitLong(unit(`x${"😀".repeat(2_000)}`));
  expect(pieces.every(({ text }) => text.isWellFormed())).toBe(true);
  expect(pieces.map(({ text }) => text).join("")).toBe(`x${"😀".repeat(2_000)}`);
});

test("each piece of a file stands in its lines, and begins and ends with the first and the last of them", () => {
  const random = openRandom();
  for (let round = 0; round < 300; round++) {
    const lines = Array.from({ length: 2 + Math.floor(random() * 60) }, () =>
      random() < 0.3 ? "" : `${"word. ".repeat(Math.floor(random() * 90))}end`,
    );
    const text = lines.join("\n").trim();
    const own = text.split("\n");
    const pieces = splitLong(unit(text));
    for (const piece of pieces) {
      const found = own.slice(piece.from - 10, piece.to - 9);
      expect(found.join("\n")).toContain(piece.text);
      expect(piece.text.split("\n")).toHaveLength(found.length);
    }
    expect(
      pieces
        .map((piece) => piece.text)
        .join("")
        .replace(/\s/g, ""),
    ).toBe(text.replace(/\s/g, ""));
  }
});

test("the pieces of a message are all of that message", () => {
  const pieces = splitLong(unit("One line.\n".repeat(1_000), { from: 7, to: 7 }));
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.every(({ from, to }) => from === 7 && to === 7)).toBe(true);
});
