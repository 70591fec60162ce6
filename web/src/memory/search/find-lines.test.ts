import { expect, test } from "vitest";
import { findExcerpt } from "./find-lines.ts";

const texts = (lines: readonly { text: string }[] | undefined) => lines?.map(({ text }) => text);

test("what fits best stands between the line before it and the one after it, below its heading", () => {
  const text = "# Rosa\n- likes figs\n- born in May\n- has a cat\nwhich is old\n- plays the cello\n- hates rain";
  const { before, best, after, whole } = findExcerpt(text, { text: "- has a cat\nwhich is old", startLine: 4 });
  expect(before).toEqual([
    { text: "Rosa", isHeading: true, isBest: false },
    { text: "- born in May", isHeading: false, isBest: false },
  ]);
  expect(best).toBe("- has a cat\nwhich is old");
  expect(texts(after)).toEqual(["- plays the cello"]);
  expect(whole?.length).toBe(7);
});

test("what somebody said is shown without their name, which stands above it", () => {
  const said = { text: "Bob has it", speaker: "Steward", seq: 8 };
  const { before, best, after, whole } = findExcerpt("who has it?\nSteward: Bob has it", said);
  expect([texts(before), best, after, whole]).toEqual([["who has it?"], "Bob has it", [], undefined]);
});

test("without one that fits best all of it is shown, its heading as a heading", () => {
  const { before, best, whole } = findExcerpt("# Rosa\n- likes figs\n- hates rain", undefined);
  expect([texts(before), best, whole]).toEqual([["Rosa"], "- likes figs\n- hates rain", undefined]);
});

test("the line after it is a heading where another part begins", () => {
  expect(findExcerpt("Lisbon\n# Porto\nfish", { text: "Lisbon", startLine: 1 }).after).toEqual([
    { text: "Porto", isHeading: true, isBest: false },
  ]);
});
