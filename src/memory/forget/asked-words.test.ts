import { expect, test } from "vitest";
import { readAsked } from "./asked-words.ts";

test.each([
  ["Anna", "anna said", 1],
  ["anna's dentist", "Anna, who is a dentist", 2],
  ["dentist", "two DENTISTS and a dentist", 2],
  ["berry", "berries", 1],
  ["café", "the cafe", 1],
  ["Лиссабон", "лиссабон", 1],
  ["東京", "東京に行く", 1],
  ["dentist Zoé", "only the dentist", 0],
  ["ann", "anna", 0],
  ["the", "the one and the other", 2],
  ['"the old dentist"', "THE  OLD\ndentist", 1],
  ['"old dentist" zoe', "Zoé's old dentist", 2],
  ['"old dentist" zoe', "the dentist of old Zoe", 0],
  ["!?", "!?", 0],
])("asked for %s, in %s it is found %i times", (about, text, times) => {
  const speaksOf = readAsked(about);
  expect(speaksOf.times(text)).toBe(times);
  if (times > 0) expect(speaksOf.mayHold(JSON.stringify({ text }))).toBe(true);
});
