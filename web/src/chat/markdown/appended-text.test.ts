import { expect, test } from "vitest";
import { appendedText } from "./appended-text.ts";

test("words added to a paragraph are found", () => {
  expect(appendedText("<p>One</p>\n", "<p>One two</p>\n")).toEqual({ text: " two", within: ["p"] });
});
test("words added to the last point of a list are found within it", () => {
  expect(appendedText("<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n", "<ul>\n<li>a</li>\n<li>bc</li>\n</ul>\n")).toEqual({
    text: "c",
    within: ["ul", "li"],
  });
});
test("text that repeats itself is still added at the end", () => {
  expect(appendedText("<p>ha</p>\n", "<p>haha</p>\n")).toEqual({ text: "ha", within: ["p"] });
});
test.each([
  ["something else before", "<p>One</p>\n", "<p>Two and</p>\n"],
  ["a tag", "<p>One</p>\n", "<p>One<br>two</p>\n"],
  ["a character reference", "<p>One</p>\n", "<p>One&lt;</p>\n"],
  ["a new element", "<p>One</p>\n", "<h2>One</h2>\n"],
  ["words that became bold", "<p>One **two</p>\n", "<p>One <strong>two</strong></p>\n"],
  ["words behind a closed element", "<p>One <em>two</em></p>\n", "<p>One <em>two</em> three</p>\n"],
  ["words in an attribute", '<p><a href="x', '<p><a href="xy'],
  ["a new point", "<ul>\n<li>a</li>\n</ul>\n", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"],
  ["nothing", "<p>One</p>\n", "<p>One</p>\n"],
  ["less", "<p>One</p>\n", "<p>On</p>\n"],
  ["words in an element that was empty", "<ul>\n<li></li>\n</ul>\n", "<ul>\n<li>a</li>\n</ul>\n"],
])("%s is not taken for added words", (_, before, after) => {
  expect(appendedText(before, after)).toBeUndefined();
});
