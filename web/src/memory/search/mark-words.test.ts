import { expect, test } from "vitest";
import { markWords } from "./mark-words.ts";

const marked = (text: string, query: string) =>
  markWords(text, query).flatMap((piece) => (piece.isMarked ? [piece.text] : []));

test("the words of the query are marked in the forms they have in the text", () => {
  expect(marked("She gardens; her garden was gardened.", "What about gardening?")).toEqual([
    "gardens",
    "garden",
    "gardened",
  ]);
  expect(marked("Two cities, one city.", "city")).toEqual(["cities", "city"]);
  expect(marked("Those days, that day; they move.", "When was the day he moved?")).toEqual(["days", "day", "move"]);
  expect(marked("not a note", "notebook")).toEqual([]);
});

test("small words of a question are not marked, unless it has no others", () => {
  expect(marked("What the cat did", "what did the cat do")).toEqual(["cat"]);
  expect(marked("who is who", "who")).toEqual(["who", "who"]);
});

test("scripts without spaces are marked within what looks like one word", () => {
  expect(marked("我的猫喜欢鱼", "猫")).toEqual(["猫"]);
});

test("the pieces together are the text", () => {
  const text = "Anna’s e-mail: anna@example.org\n\n- moved to Berlin";
  expect(
    markWords(text, "Anna Berlin")
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
  expect(marked(text, "Anna Berlin")).toEqual(["Anna", "anna", "Berlin"]);
});
