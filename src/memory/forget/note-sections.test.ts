import { expect, test } from "vitest";
import { readAsked } from "./asked-words.ts";
import { blanksLeftOver, linesOfIt } from "./note-sections.ts";

const note = [
  ...["# People", "", "## Priya", "", "Vegetarian.", "", "Birthday: 7 July 1990.", "### At work", "a desk", ""],
  ...["## Tom", "knows Priya", "", "## Priya's sister", "```", "# no heading", "```", "a cat"],
];

function linesAbout(about: string, lines: readonly string[] = note): readonly number[] {
  return linesOfIt(lines, readAsked(about)).map(({ line }) => line);
}

/** What is left of the note. */
function without(gone: readonly number[], lines: readonly string[] = note): readonly string[] {
  const all = new Set([...gone, ...blanksLeftOver(lines, new Set(gone))]);
  return lines.filter((_, index) => !all.has(index + 1));
}

test("a heading that speaks of somebody brings all that stands below it, down to the next one of its level or a higher one", () => {
  expect(linesAbout("Priya")).toEqual([3, 5, 7, 8, 9, 12, 14, 15, 16, 17, 18]);
  expect(linesAbout("work")).toEqual([8, 9]);
  expect(linesAbout("people")).toHaveLength(note.filter((line) => line !== "").length);
  expect(linesAbout("vegetarian")).toEqual([5]);
});

test("a heading inside another that speaks of it too ends nothing", () => {
  expect(linesAbout("Priya", ["# Priya", "## Priya's cat", "grey", "## Food", "rice", "# Tom"])).toEqual([
    1, 2, 3, 4, 5,
  ]);
});

test("no empty lines are left over from a section, and one gap stays between its neighbours", () => {
  const [first, last] = [
    ["# Priya", "", "Vegetarian.", ""],
    ["# Tom", "tall"],
  ];
  expect(without([1, 3], [...first, ...last])).toEqual(last);
  expect(without([3, 5], [...last, ...first])).toEqual(last);
  expect(without([4, 6], ["# Ann", "short", "", ...first, ...last])).toEqual(["# Ann", "short", "", ...last]);
  expect(without([3, 5], ["# Ann", "short", ...first, ...last])).toEqual(["# Ann", "short", "", ...last]);
  expect(without([1, 3, 5], ["# Priya", "", "Vegetarian.", "", "# Priya"])).toEqual([]);
});

test("around single lines every empty line stays", () => {
  expect(without([3], ["a", "", "b", "", "c"])).toEqual(["a", "", "", "c"]);
});

test("an item of a list goes whole, with what is noted below it, and a sub-item by itself", () => {
  const list = [
    "- Anna moved to",
    "  Rome with her",
    "  dog Rex",
    "- Tom",
    "  - tall",
    "  - knows Anna",
    "    well",
    "- Eve",
  ];
  expect(linesAbout("Anna", list)).toEqual([1, 2, 3, 6, 7]);
  expect(linesAbout("Rex", list)).toEqual([1, 2, 3]);
  expect(linesAbout('"Rome with her dog"', list)).toEqual([1, 2, 3]);
  expect(linesAbout("Tom", list)).toEqual([4, 5, 6, 7]);
  expect(linesAbout("tall", list)).toEqual([5]);
});

test("a heading that is underlined is one", () => {
  expect(linesAbout("Anna", ["Anna", "====", "tall", "", "Tom", "===", "short"])).toEqual([1, 2, 3]);
  expect(linesAbout("Anna", ["Anna", "----", "tall", "# Tom"])).toEqual([1, 2, 3]);
  expect(linesAbout("Anna", ["Anna", "", "----", "tall"])).toEqual([1]);
});
