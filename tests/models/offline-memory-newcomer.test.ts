// What somebody asks in their first hour, with the notes they have made by then.
import { expect, test } from "vitest";
import { writeFinds } from "../../src/contract/memory/found-words.ts";
import type { MemoryFind } from "../../src/contract/memory/memory-place.ts";
import { converse } from "../scenes/converse-with-rules.ts";

const noted = file("MEMORY.md", [
  "# Memory",
  "",
  "What I want to keep, one line each, with the date. Old lines that are no longer true are corrected or removed.",
  "- 2026-11-02: the bins go out on Tuesday",
  "- 2026-11-02: my sister Anna's birthday is on 14 March",
  "- 2026-11-02: I am allergic to peanuts",
  "- 2026-11-02: mum's phone number is 0171 5550123",
  "- 2026-11-02: the wifi password of the cabin is sunflower42",
  "- 2026-11-02: Tom hates coriander",
  "- 2026-11-02: we fly to Lisbon on 12 June with TAP, seat 14C",
  "- 2026-11-02: my car's licence plate is B-XY 1234",
  "- 2026-11-02: my wife's name is Claudia",
  "- 2026-11-02: Ben has 3 cats: Milo, Luna and Pip",
  "- 2026-11-02: Opa am 3. Mai Geburtstag hat",
  "- 2026-11-02: der Hausmeister Herr Krause heißt",
  "- 2026-11-02: Emma lives in Ghent and works as a vet",
  "- 2026-11-02: I take my coffee black",
  "- 2026-11-02: the safe combination is 12-34-56",
  "- 2026-11-02: the car insurance is with Allianz and costs 480 € a year",
  "- 2026-11-02: Max is vegan",
  "- 2026-11-02: I lent the drill to Bob",
  "- 2026-11-02: the plumber is Mr. Novak",
  "- 2026-11-02: to buy milk",
  "- 2026-11-02: my dentist is Dr. Weiss",
  "- 2026-11-05: my dentist is now Dr. Schwarz",
  "- 2026-11-02: 京都の旅館は川のそば",
]);
const people = file("memory/people.md", [
  "# Jonas",
  "Lives in Bonn, 2 kids.",
  "",
  "# Priya",
  "Vegetarian. Likes ferns.",
  "",
  "| Name | Birthday | Gift idea |",
  "|---|---|---|",
  "| Leo | 9 September | Lego train |",
  "| Marta | 3 December | tea |",
  "",
  "# Rosa",
  "Plays the cello. Lives in Ghent.",
]);
const helped: MemoryFind = {
  ...{ sessionKey: "cli--main", fromSeq: 3, toSeq: 9, date: "2026-11-14", score: 0.9, why: [], labels: [] },
  speakers: ["Steward"],
  text: [
    "when is my house key due?",
    "Steward: I am the built-in offline model, a set of plain rules. No language model is connected.",
    "2. Set ANTHROPIC_API_KEY or OPENAI_API_KEY in the environment and start me again.",
    '- write "buy milk" to todo.txt',
    "- 2026-11-02: Peter's birthday is on 1 May",
    "Steward: Peter lives in Oslo and his house key is red.",
  ].join("\n"),
};
const everything = [helped, noted, people];

test.each<[question: string, words: string]>([
  ["Anna's birthday?", "my sister Anna's birthday is on 14 March"],
  ["tell me Anna's birthday", "my sister Anna's birthday is on 14 March"],
  ["can you tell me when Anna's birthday is?", "my sister Anna's birthday is on 14 March"],
  ["wen is Anna's birthday", "my sister Anna's birthday is on 14 March"],
  ["whose birthday is in March?", "my sister Anna's birthday is on 14 March"],
  ["was weißt du über Anna?", "my sister Anna's birthday is on 14 March"],
  ["what happens on Tuesday?", "the bins go out on Tuesday"],
  ["which day is trash day?", "the bins go out on Tuesday"],
  ["what do you konw about the bins?", "the bins go out on Tuesday"],
  ["waht do you know about the bins", "the bins go out on Tuesday"],
  ["am I allergic to nuts?", "I am allergic to peanuts"],
  ["am I allergic to peanuts?", "I am allergic to peanuts"],
  ["can I eat peanut butter?", "I am allergic to peanuts"],
  ["mom's number?", "mum's phone number is 0171 5550123"],
  ["wifi password", "the wifi password of the cabin is sunflower42"],
  ["what's the wifi password?", "the wifi password of the cabin is sunflower42"],
  ["does Tom like coriander?", "Tom hates coriander"],
  ["what does Tom not like?", "Tom hates coriander"],
  ["what should I cook for Tom tonight?", "Tom hates coriander"],
  ["Lisbon", "we fly to Lisbon on 12 June with TAP, seat 14C"],
  ["tell me about Lisbon", "we fly to Lisbon on 12 June with TAP, seat 14C"],
  ["look up Lisbon in my notes", "we fly to Lisbon on 12 June with TAP, seat 14C"],
  ["find Lisbon", "we fly to Lisbon on 12 June with TAP, seat 14C"],
  ["summarize what you know about Lisbon", "we fly to Lisbon on 12 June with TAP, seat 14C"],
  ["with which airline do we fly?", "we fly to Lisbon on 12 June with TAP, seat 14C"],
  ["what's my license plate number?", "my car's licence plate is B-XY 1234"],
  ["whats my wife's name", "my wife's name is Claudia"],
  ["who is my wife?", "my wife's name is Claudia"],
  ["how many cats does Ben have?", "Ben has 3 cats: Milo, Luna and Pip"],
  ["does Ben have cats?", "Ben has 3 cats: Milo, Luna and Pip"],
  ["wann hat Opa Geburtstag?", "Opa am 3. Mai Geburtstag hat"],
  ["wie heißt der Hausmeister?", "der Hausmeister Herr Krause heißt"],
  ["wo wohnt Emma?", "Emma lives in Ghent and works as a vet"],
  ["what's Emma's profession?", "Emma lives in Ghent and works as a vet"],
  ["any idea where Emma lives?", "Emma lives in Ghent and works as a vet"],
  ["how do I like my coffee?", "I take my coffee black"],
  ["what's the code of the safe?", "the safe combination is 12-34-56"],
  ["I forgot the safe combination", "the safe combination is 12-34-56"],
  ["remind me what the safe combination is", "the safe combination is 12-34-56"],
  ["who insures my car?", "the car insurance is with Allianz and costs 480 € a year"],
  ["is Max vegan?", "Max is vegan"],
  ["what doesn't Max eat?", "Max is vegan"],
  ["any idea who has the drill?", "I lent the drill to Bob"],
  ["what is the plumber's name?", "the plumber is Mr. Novak"],
  ["what should I buy?", "to buy milk"],
  ["京都の旅館", "京都の旅館は川のそば"],
  ["what do you know about Rosa?", "Plays the cello. Lives in Ghent.” under “Rosa"],
  ["does Rosa play the cello?", "Plays the cello. Lives in Ghent.” under “Rosa"],
  ["where does Jonas live?", "Lives in Bonn, 2 kids.” under “Jonas"],
  ["how many kids does Jonas have?", "Lives in Bonn, 2 kids.” under “Jonas"],
  ["is Priya vegetarian?", "Vegetarian. Likes ferns.” under “Priya"],
  ["when is Leo's birthday?", "Leo: Birthday 9 September, Gift idea Lego train"],
  ["what gift for Marta?", "Marta: Birthday 3 December, Gift idea tea"],
])("“%s” is answered with the one line that tells it", async (question, words) => {
  const answer = await ask(question);
  expect(answer).toContain(`“${words}”`);
  expect(answer).not.toContain("\n");
});

test("of two lines about one thing, the newer one is told first", async () => {
  const answer = await ask("who is my dentist?");
  expect(answer).toMatch(/^- .*my dentist is now Dr\. Schwarz.*\n- .*my dentist is Dr\. Weiss/);
});

test.each([
  "when is Peter's birthday?",
  "Anna's address?",
  "Emma's husband?",
  "who is Emma's husband?",
  "what is Tom's phone number?",
  "does Tom like olives?",
  "is Jonas vegan?",
  "where does Peter live?",
  "when is my birthday?",
  "who is Zoe?",
  "my locker code",
  "wann hat Peter Geburtstag?",
  "when is my house key due?",
])("“%s” is not known, which one line says", async (question) => {
  expect(await ask(question)).toMatch(/^I find nothing about “[^”]+” in your notes or conversations\. Say “rem[^\n]*$/);
});

test.each([
  "what is the capital of France?",
  "who is the president of Brazil?",
  "is the sky blue?",
  "can pigs fly?",
  "write me a poem about Lisbon",
  "I love you",
  "change the bins to Wednesday",
  "translate the letter",
])("“%s” is none of the notes' business, which few lines say", async (question) => {
  const answer = await ask(question);
  expect(answer).toContain("That needs a language model");
  expect(answer.split("\n").length).toBeLessThanOrEqual(8);
});

test("what did I say is answered with the asker's own words only", async () => {
  const talk = { ...helped, speakers: ["Bob"], text: "Bob: the boat is red\nthe boat leaks" };
  const best = { text: "the boat leaks", seq: 9 };
  const { text } = await converse("what did I say about the boat?", [writeFinds([{ ...talk, best }])]);
  expect(text).toBe("Yesterday you said: “the boat leaks” (in another conversation).");
});

test("a switched-off memory is told as such where the memory was meant", async () => {
  const off = "The memory is switched off (memory.enabled and memory.search.enabled in the settings).";
  expect((await converse("where is my umbrella?", [writeFinds([], off)])).text).toBe(off);
});

function file(path: string, lines: readonly string[]): MemoryFind {
  const place = { path, startLine: 1, endLine: lines.length };
  return { ...place, score: 0.6, why: [], text: lines.join("\n"), speakers: [], labels: [] };
}

/** The answer after a search that has found all of this, whatever was searched for. */
async function ask(question: string): Promise<string> {
  return (await converse(question, [writeFinds(everything)])).text;
}
