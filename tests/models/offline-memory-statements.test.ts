// What people state without asking for anything: their own is noted, what is true for everybody is offered.
import { expect, test } from "vitest";
import type { ModelMessage } from "../../src/contract/model.ts";
import { converse } from "../scenes/converse-with-rules.ts";
import { cpuMsOf } from "../scenes/cpu-time.ts";

const noNotes = "     1\t# Memory";

test.each([
  "I put my passport in the grey box under the bed",
  "I left the car at the station",
  "we moved the router to the attic",
  "I lent my ladder to Peter",
  "Anna's address is Lindengasse 7, 1070 Vienna",
  "Anna's birthday is June 12",
  "Ben's teacher is Mrs. Wagner",
  "Lena's ballet class is on Wednesdays at 4",
  "Emma lives in Ghent",
  "Lena is allergic to cats",
  "the plumber is Mr. Novak, 01 555 23 23",
  "The electrician is Max Power, 0664 123456",
  "the kids' school is called Volksschule Neubau",
  "the spare key is under the mat",
  "the train leaves at 7:32",
  "we have a parents' evening next Thursday at 6 pm",
  "we are flying to Rome on July 3",
  "our anniversary is on 3 June",
  "Ich habe den Impfpass in die Schublade im Büro gelegt",
  "Wir haben am Montag einen Termin bei der Bank",
  "Omas Telefonnummer ist 01 555 12",
  "Bens Lehrerin heißt Frau Wagner",
  "Die Kita schließt um 16 Uhr",
  "Wir fliegen am 3. Juli nach Rom",
  "the water meter is in the cellar",
])("“%s” is noted", async (sentence) => {
  const { steps, text } = await note(sentence);
  expect(steps.at(-1)).toEqual(["remember", { text: sentence }]);
  expect(text).toBe(`I will remember: ${sentence}`);
});

test.each(["the wifi password is sunflower42", "the password of the router is abc123xyz"])(
  "why “%s” is not noted is told in the words of the tool",
  async (sentence) => {
    const refused = "It was not written down: it seems to hold a password or a key, and notes must never hold one.";
    const { steps, text } = await converse(sentence, [{ failed: refused }]);
    expect(steps).toEqual([["remember", { text: sentence }]]);
    expect(text).toContain(refused);
  },
);

test.each([
  "the sky is blue",
  "Paris is the capital of France",
  "Berlin is the capital of Germany",
  "the earth is round",
  "Vienna has 2 million inhabitants",
  "cats are mammals",
])("“%s” is offered in one line", async (sentence) => {
  const { steps, text } = await converse(sentence, []);
  expect(steps).toEqual([]);
  expect(text).toBe("Shall I remember that? Say “remember that”.");
});

test.each(["remember that", "yes", "yes please"])("after the offer, “%s” notes the sentence", async (sentence) => {
  const earlier = [said("Paris is the capital of France"), answered("Shall I remember that? Say “remember that”.")];
  const { steps } = await converse(sentence, ["Written down in MEMORY.md: x"], { earlier });
  expect(steps).toEqual([["remember", { text: "Paris is the capital of France" }]]);
});

test.each([
  "I love you",
  "I am tired",
  "I think you are great",
  "I want a pizza",
  "I have a question",
  "I need help",
  "that is great",
  "it is raining",
  "it is cold today",
  "this is due on Monday",
  "I changed my mind",
  "book a table for two",
])("“%s” is no note", async (sentence) => {
  const { steps } = await converse(sentence, []);
  expect(steps).toEqual([]);
});

test.each([
  ["Bitte merke dir: der Müll wird dienstags abgeholt", "der Müll wird dienstags abgeholt"],
  ["merk dir bitte: Tante Eva mag keine Rosen", "Tante Eva mag keine Rosen"],
  ["merk dir, dass Oma am 5. Mai Geburtstag hat", "Oma hat am 5. Mai Geburtstag"],
  ["merk dir, dass der Hausmeister Herr Krause heißt", "der Hausmeister heißt Herr Krause"],
  ["Bitte merk dir, dass Anna in Graz wohnt", "Anna wohnt in Graz"],
  ["merke dir dass wir am Freitag um 9 beim Arzt sind", "wir sind am Freitag um 9 beim Arzt"],
  ["merk dir, dass Eva kommt, wenn es regnet", "Eva kommt, wenn es regnet"],
])("“%s” is noted as a sentence of its own", async (sentence, fact) => {
  expect((await note(sentence)).steps.at(-1)).toEqual(["remember", { text: fact }]);
});

test("what answers a question of the rules is no note", async () => {
  const earlier = [said("remind me tomorrow at 5pm"), answered("What shall I remind you of? Say “to call mum”.")];
  const { steps } = await converse("the rent is due on the first", ["Planned."], { earlier });
  expect(steps.map(([tool]) => tool)).not.toContain("remember");
});

test.each([
  ["a long subject", `the ${"very ".repeat(60)}thing`],
  ["many verbs", `my ${"is ".repeat(95)}`],
  ["many names", "Anna's ".repeat(42)],
  ["many blanks", `I put${" x".repeat(140)}`],
  ["many days", `no, on ${"Monday at 9, ".repeat(600)}x`],
  ["many changes", `change ${"the x to ".repeat(800)}`],
  ["a wide return", `Tom gave ${"the drill ".repeat(700)}`],
  ["a long German fact", `merk dir, dass ${"Oma am 5. Mai ".repeat(500)} hat`],
  ["a long fact with days", `remember that my dentist is on ${"5 December at ".repeat(500)}`],
])("%s cannot keep the rules busy", async (_name, sentence) => {
  const written = "Written down in MEMORY.md: x";
  const many = Array.from(
    { length: 2000 },
    (_, at) => `     ${at}\t- on Monday at 9 is ${"the x is ".repeat(20)}`,
  ).join("\n");
  expect(await cpuMsOf(() => converse(sentence, [many, written, written]))).toBeLessThan(1500);
});

/** With notes that hold nothing yet, whether they are read first or not. */
async function note(sentence: string) {
  const [first] = (await converse(sentence, [noNotes, "Written down in MEMORY.md: x"])).steps;
  const written = "Written down in MEMORY.md: x";
  return await converse(sentence, first?.[0] === "read" ? [noNotes, written] : [written]);
}

function said(text: string): ModelMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

function answered(text: string): ModelMessage {
  return { role: "assistant", text, toolCalls: [], model: "offline/rules" };
}

test.each([
  ...["Run ls now", "read notes.txt now", "Show my tasks now", "stop now", "actually, show me the files"],
  ...["Actually, delete that file", "sorry, I was late", "my computer is broken, can you help"],
  ...["My printer is not working. How do I fix it", "delete everything of it"],
])("“%s” is no fact, and nothing is noted or forgotten", async (sentence) => {
  const notes = '"MEMORY.md" lines 1-1 of 1\n1\t- 2026-11-02: the bins go out on Tuesday';
  const { steps } = await converse(sentence, [notes, "done", "done"]);
  for (const [tool] of steps) expect(["read", "bash", "memory_search", "list_tasks", "list"]).toContain(tool);
});

test("what is said over and over is looked at in no time", async () => {
  const sentence = `remember ${"alles".repeat(2_000)}x`;
  expect(await cpuMsOf(() => converse(sentence, ["Written down in MEMORY.md."]))).toBeLessThan(1_500);
});
