// What is no longer true: the note gives way, or the other one is named beside it, and the last change can be taken back.
import { expect, test } from "vitest";
import type { ModelMessage } from "../../src/contract/model.ts";
import { converse } from "../scenes/converse-with-rules.ts";

const dentist = "my dentist appointment is on 3 December at 14:00";
const boss = "my boss is called Martin Huber";

test.each<[sentence: string, old: string, now: string]>([
  ["the dentist appointment was moved to December 5 at 9", dentist, "my dentist appointment is on December 5 at 9"],
  ["my dentist appointment has been postponed to Friday", dentist, "my dentist appointment is on Friday at 14:00"],
  ["the dentist appointment is on December 5 at 9", dentist, "the dentist appointment is on December 5 at 9"],
  ["no, the dentist appointment is on December 5", dentist, "the dentist appointment is on December 5"],
  ["remember that the dentist appointment is on 5 December", dentist, "the dentist appointment is on 5 December"],
  ["change my boss to Claudia Berger", boss, "my boss is called Claudia Berger"],
  ["my boss is Claudia Berger", boss, "my boss is Claudia Berger"],
  ["remember that my boss is Claudia Berger", boss, "my boss is Claudia Berger"],
  ["actually, Ben's teacher is Mr. Adler", "Ben's teacher is Mrs. Wagner", "Ben's teacher is Mr. Adler"],
  ["change the bins to Wednesday", "the bins go out on Tuesday", "the bins go out on Wednesday"],
  ["Nein, Omas Geburtstag ist am 6. Mai", "Oma hat am 5. Mai Geburtstag", "Omas Geburtstag ist am 6. Mai"],
  ["the spare keys are in the garage", "the spare keys are in the blue drawer", "the spare keys are in the garage"],
  ["I put my passport in the safe", "I put my passport in the grey box", "I put my passport in the safe"],
  ["Max is no longer vegan", "Max is vegan", "Max is no longer vegan"],
  [
    "the parents' evening was postponed to Friday at 7 pm",
    "we have a parents' evening on Thursday at 6 pm",
    "we have a parents' evening on Friday at 7 pm",
  ],
])("“%s” takes the place of “%s”", async (sentence, old, now) => {
  const { steps, text } = await converse(sentence, [notes(old), "Edited MEMORY.md."]);
  expect(steps.at(-1)).toEqual(["edit", expect.objectContaining({ path: "MEMORY.md" })]);
  expect(JSON.stringify(steps.at(-1))).toContain(`- 2026-11-15: ${now}"`);
  expect(text).toBe(`I will remember: ${now}\nIt replaces “${old}”. Say “undo” to take that back.`);
});

test.each<[sentence: string, noted: string, now: string]>([
  ["no, on Mondays", "the bins go out on Tuesday", "the bins go out on Mondays"],
  ["no, at 9", "Lena's class begins on Tuesday at 8", "Lena's class begins on Tuesday at 9"],
  [
    "sorry, December 6",
    "our dentist appointment is on December 5 at 9",
    "our dentist appointment is on December 6 at 9",
  ],
  ["no, it's Claudia Berger", boss, "my boss is called Claudia Berger"],
])("right after a note, “%s” mends it", async (sentence, noted, now) => {
  const earlier = [said(`remember that ${noted}`), answered(`I will remember: ${noted}`)];
  const { text } = await converse(sentence, [notes(noted), "Edited MEMORY.md."], { earlier });
  expect(text).toContain(`I will remember: ${now}\nIt replaces “${noted}”.`);
});

test.each([
  ["my sister is Julia", "my sister is Anna"],
  ["the meeting is tomorrow at 9", "the meeting is on Friday at 8"],
  ["the kindergarten closes at 5 pm on Mondays", "the kindergarten closes at 4 pm on Fridays"],
])("“%s” may be true beside “%s”, which is said", async (sentence, old) => {
  const { text } = await converse(sentence, [notes(old), "Written down in MEMORY.md: x"]);
  expect(text).toContain(`I will remember: ${sentence}\nYour notes also say “${old}”`);
});

test("what is said of another side of a thing stands beside it without a word", async () => {
  const { text } = await converse("the rent is due on the first", [
    notes("the rent is 950 euros"),
    "Written down in x",
  ]);
  expect(text).toBe("I will remember: the rent is due on the first");
});

test("of several notes that may be meant, the person is asked in one line", async () => {
  const shown = notes("Anna's class is on Monday", "Anna's class trip is on Friday");
  const { steps, text } = await converse("Anna's class was moved to Thursday", [shown]);
  expect(steps).toHaveLength(1);
  expect(text).toMatch(/^Several notes fit: “Anna's class is on Monday”, “Anna's class trip is on Friday”\.[^\n]*$/);
});

test.each([
  ["Tom gave the drill back", "I lent the drill to Tom"],
  ["Peter returned my ladder", "I lent my ladder to Peter"],
  ["I got the drill back from Tom", "I lent the drill to Tom"],
  ["Tom hat die Bohrmaschine zurückgegeben", "ich habe Tom die Bohrmaschine geliehen"],
])("“%s” names the note that is over", async (sentence, old) => {
  const { text } = await converse(sentence, [notes(old)]);
  expect(text).toBe(`Your notes say “${old}”. If that is over, say “forget ${old}”.`);
});

test.each([
  ["forget the wifi password", "wifi password"],
  ["forget my old address", "my old address"],
])("“%s”, of which no note speaks, offers to look further instead of doing it", async (sentence, thing) => {
  const { steps, text } = await converse(sentence, [notes("the bins go out on Tuesday")]);
  expect(steps.map(([tool]) => tool)).toEqual(["read"]);
  expect(text).toBe(
    `Nothing about “${thing}” is in your notes. To remove what was said of it, too, say “forget everything about ${thing}”.`,
  );
});

test.each([
  ["forget everything about den Impfpass", "Impfpass"],
  ["vergiss alles über die Bohrmaschine", "Bohrmaschine"],
  ["forget everything about I lent the drill to Tom", "drill Tom"],
])("“%s” goes to the tool by the name of the thing", async (sentence, about) => {
  expect((await converse(sentence, ["Gone."])).steps).toEqual([["forget", { about }]]);
});

test("undo takes back the last change, also after two questions", async () => {
  const change = "I will remember: my boss is Claudia\nIt replaces “my boss is Martin”. Say “undo” to take that back.";
  const between = [said("when is it?"), answered("I find nothing about “it”."), said("and now?"), answered("It is 9.")];
  const earlier = [said("my boss is Claudia"), answered(change), ...between];
  const { steps, text } = await converse("undo", [notes("my boss is Claudia"), "Edited MEMORY.md."], { earlier });
  expect(JSON.stringify(steps.at(-1))).toContain("my boss is Martin");
  expect(text).toBe("Taken back; your notes say again: “my boss is Martin”.");
});

test("what was taken back is not taken back twice", async () => {
  const earlier = [answered("I will remember: tea"), said("undo"), answered("Taken back: “tea”."), said("hm")];
  const { steps, text } = await converse("undo", [], { earlier });
  expect(steps).toEqual([]);
  expect(text).toContain("I know of nothing to take back here.");
});

function notes(...facts: readonly string[]): string {
  const lines = [
    "# Memory",
    "",
    "- 2026-11-01: the cat is called Minka",
    ...facts.map((fact) => `- 2026-11-02: ${fact}`),
  ];
  return lines.map((line, at) => `${String(at + 1).padStart(6)}\t${line}`).join("\n");
}

function said(text: string): ModelMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

function answered(text: string): ModelMessage {
  return { role: "assistant", text, toolCalls: [], model: "offline/rules" };
}
