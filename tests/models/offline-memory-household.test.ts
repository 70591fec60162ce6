// Questions of a household in other words than those of the notes, and what is told where nothing answers.
import { expect, test } from "vitest";
import { writeFinds } from "../../src/contract/memory/found-words.ts";
import type { MemoryFind } from "../../src/contract/memory/memory-place.ts";
import type { ModelMessage } from "../../src/contract/model.ts";
import { converse } from "../scenes/converse-with-rules.ts";

const facts = [
  "Julia's birthday is 14 March",
  "Anna is allergic to nuts",
  "the kindergarten closes at 4 pm on Fridays",
  "the vacuum cleaner has a warranty until May 2028",
  "der Müll wird dienstags abgeholt",
  "the kids' school is called Volksschule Neubau",
  "Minka [the cat] gets half a tablet every morning",
  "the spare keys are in the blue drawer",
  "my dentist appointment is on 5 December at 14:00",
  "my dentist is Dr. Weiss",
  "Bruno, he is a beagle",
  "Oma hat am 5. Mai Geburtstag",
  "pick up Lena at 3 pm on Friday",
  "the rent is due on the first",
  "tires changed on October 20",
  "my boss is called Martin Huber",
  "the plumber is Mr. Novak, 01 555 23 23",
  "my favorite wine is Grüner Veltliner",
  "the wifi password is [redacted:password]",
];
const noted = file(facts.map((fact) => `- 2026-11-02: ${fact}`));

test.each<[question: string, words: string]>([
  ["When was Julia born?", "Julia's birthday is 14 March"],
  ["any allergies in the family?", "Anna is allergic to nuts"],
  ["who in the family is allergic?", "Anna is allergic to nuts"],
  ["until when is the kindergarten open on Fridays?", "the kindergarten closes at 4 pm on Fridays"],
  ["how late is the kindergarten open on Friday?", "the kindergarten closes at 4 pm on Fridays"],
  ["how long is the warranty on the hoover?", "the vacuum cleaner has a warranty until May 2028"],
  ["is there still warranty on the vacuum cleaner?", "the vacuum cleaner has a warranty until May 2028"],
  ["do we still have warranty for the hoover?", "the vacuum cleaner has a warranty until May 2028"],
  ["wann kommt der Müll?", "der Müll wird dienstags abgeholt"],
  ["when is the garbage collected?", "der Müll wird dienstags abgeholt"],
  ["which day is trash pickup?", "der Müll wird dienstags abgeholt"],
  ["which school do the kids go to?", "the kids' school is called Volksschule Neubau"],
  ["what medicine does the cat need?", "Minka [the cat] gets half a tablet every morning"],
  ["what does Minka take?", "Minka [the cat] gets half a tablet every morning"],
  ["where did I put the extra house keys?", "the spare keys are in the blue drawer"],
  ["wo sind die Ersatzschlüssel?", "the spare keys are in the blue drawer"],
  ["when do I have to go to the dentist?", "my dentist appointment is on 5 December at 14:00"],
  ["what's the name of my dentist?", "my dentist is Dr. Weiss"],
  ["wie heißt mein Zahnarzt?", "my dentist is Dr. Weiss"],
  ["what breed is Bruno?", "Bruno, he is a beagle"],
  ["what kind of dog is Bruno?", "Bruno, he is a beagle"],
  ["when is grandma's birthday?", "Oma hat am 5. Mai Geburtstag"],
  ["when do I need to pick up Lena on Friday?", "pick up Lena at 3 pm on Friday"],
  ["when do I have to pay the rent?", "the rent is due on the first"],
  ["when did I last change the tyres?", "tires changed on October 20"],
  ["what's the name of my manager?", "my boss is called Martin Huber"],
  ["who's my supervisor?", "my boss is called Martin Huber"],
  ["who do I call when the sink leaks?", "the plumber is Mr. Novak, 01 555 23 23"],
  ["who can fix a blocked drain?", "the plumber is Mr. Novak, 01 555 23 23"],
  ["which wine do I like best?", "my favorite wine is Grüner Veltliner"],
])("“%s” is answered with “%s”", async (question, words) => {
  expect(await ask(question)).toMatch(
    new RegExp(`^On 2 November you wrote: “${words.replace(/[[\]().]/g, "\\$&")}” \\([^\n]*$`),
  );
});

test.each(["wifi?", "what's the internet password?", "what is the wifi password?"])(
  "“%s” does not tell a line whose secret was taken out",
  async (question) => {
    expect(await ask(question)).toMatch(
      /^A line in your notes speaks of it, but is hidden from me[^\n]*line 19[^\n]*$/,
    );
  },
);

test.each([
  ["when is the school concert?", "the kids' school is called Volksschule Neubau", 6],
  ["where are the house keys?", "the spare keys are in the blue drawer", 8],
  ["is the rent paid?", "the rent is due on the first", 14],
])("“%s” has no answer, so the closest line is told as such", async (question, words, line) => {
  expect(await ask(question)).toBe(`The closest I find: “${words}” (MEMORY.md, line ${line}, 2 November).`);
});

test.each([
  ["when does my driving licence expire?", "your driving licence"],
  ["what's my mother's maiden name?", "your mother's maiden name"],
  ["Wo wohnt Oma?", "Wo wohnt Oma"],
  ["where did I put the extra charger?", "the extra charger"],
  ["what is the landlord's number?", "the landlord's number"],
  ["when did Ben start school?", "when did Ben start school"],
  ["where is the first aid kit?", "the first aid kit"],
  ["is there anything about the roof?", "the roof"],
])("of “%s” nothing is found, which one line says of “%s”", async (question, thing) => {
  expect(await ask(question)).toBe(
    `I find nothing about “${thing}” in your notes or conversations. Say “remember that …” to tell me.`,
  );
});

test("what was said today or yesterday is told so, and another year by its number", async () => {
  const days = ["2026-11-15", "2026-11-14", "2025-11-14"];
  const answers = await Promise.all(
    days.map(
      async (day) =>
        (await converse("where is the hoover?", [found(file([`- ${day}: the hoover is in the attic`]))])).text,
    ),
  );
  expect(answers.map((answer) => answer.split(" you wrote")[0])).toEqual(["Today", "Yesterday", "On 14 November 2025"]);
});

test("what was said on one day and noted on another is told once, as it was noted", async () => {
  const message = spoken("the hoover is in the attic", { date: "2026-11-09", score: 0.9 });
  const { text } = await converse("where is the hoover?", [
    found(message, file(["- 2026-11-03: the hoover is in the attic"])),
  ]);
  expect(text).toBe("On 3 November you wrote: “the hoover is in the attic” (MEMORY.md, line 1).");
});

test("an order to note something is not told beside the note", async () => {
  const order = spoken("Bitte merke dir: der Müll wird dienstags abgeholt", { date: "2026-11-03", score: 0.9 });
  const { text } = await converse("wann kommt der Müll?", [found(order, noted)]);
  expect(text).toBe("On 2 November you wrote: “der Müll wird dienstags abgeholt” (MEMORY.md, line 5).");
});

test("what was said before the note was corrected is told no more", async () => {
  const before = spoken("my boss is called Claudia Berger", { date: "2026-10-01", score: 0.9 });
  const { text } = await converse("who is my boss?", [found(before, noted)]);
  expect(text).toBe("On 2 November you wrote: “my boss is called Martin Huber” (MEMORY.md, line 16).");
});

test("a secret that was said here is not said to be from elsewhere", async () => {
  const earlier: ModelMessage[] = [
    { role: "user", content: [{ type: "text", text: "the wifi password is sunny-42x" }] },
  ];
  const message = spoken("the wifi password is [redacted:password]", {});
  const { text } = await converse("wifi?", [found(message)], { earlier });
  expect(text).toMatch(/^Something that was said speaks of it, but is hidden .* \(earlier in this conversation\)\.$/);
});

test.each<[earlier: string, place: string]>([
  ["[What was said before, in short]\nThey spoke of the house.", "in a conversation"],
  ["hello\nthe hoover is in the attic", "earlier in this conversation"],
  ["hello", "in another conversation"],
])("after “%s”, it was said %s", async (words, place) => {
  const earlier: ModelMessage[] = [{ role: "user", content: [{ type: "text", text: words }] }];
  const message = spoken("the hoover is in the attic", { date: "2026-11-09" });
  const { text } = await converse("where is the hoover?", [found(message)], { earlier });
  expect(text).toBe(`On 9 November you said: “the hoover is in the attic” (${place}).`);
});

function file(lines: readonly string[]): MemoryFind {
  const place = { path: "MEMORY.md", startLine: 1, endLine: lines.length };
  return { ...place, score: 0.6, why: [], text: lines.join("\n"), speakers: [], labels: [] };
}

function spoken(text: string, more: Partial<MemoryFind>): MemoryFind {
  const place = { sessionKey: "cli--main", fromSeq: 7, toSeq: 7 };
  return { ...place, score: 0.6, why: [], text, speakers: [], labels: [], ...more };
}

function found(...finds: readonly MemoryFind[]): string {
  return writeFinds(finds);
}

/** The answer after a search that has found all notes, whatever was searched for. */
async function ask(question: string): Promise<string> {
  return (await converse(question, [found(noted)])).text;
}
