// Everyday questions to the built-in rules, with what a search of the memory has found for them.
import { expect, test } from "vitest";
import { writeFinds } from "../../src/contract/memory/found-words.ts";
import type { MemoryFind } from "../../src/contract/memory/memory-place.ts";
import { converse } from "../scenes/converse-with-rules.ts";

const memory = file("MEMORY.md", 1, [
  "# Memory",
  "",
  "- 2026-11-03: the bins go out on Tuesday",
  "- 2026-10-28: Anna's birthday is on 3 May",
  "- 2026-10-28: Anna is allergic to nuts",
  "- 2026-09-01: the spare keys are in the blue drawer under the stairs",
  "- 2025-12-24: my shoe size is 42",
  "- 2026-08-19: the plumber is called Ann Baker, 0171 5550123",
  "- 2026-11-04: I saw the dentist yesterday",
  "- 2026-11-10: my dentist appointment is on 5 December at 14:00",
  "- 2026-07-07: I lent the drill to Bob",
  "- 2026-06-30: my passport expires in March 2029",
  "- 2026-05-02: we have two children, Mia and Leo",
  "- 2026-05-02: I work at the city library",
  "- 2026-04-01: the rent is 950 euros and is due on the first of the month",
  "- 2026-03-15: I live in Elm Street 4",
  "- 2026-02-02: the train to Bern leaves at 7:32",
  "- 2026-02-03: bake the bread for 40 minutes at 230 degrees",
  "- 2026-01-20: my favourite colour is green",
  "- 2026-01-21: the wifi is called Birdsong (from web)",
  "- 2026-01-22: Mia's teacher is Mrs Keller",
  "",
  "## Car",
  "",
  "- 2026-01-23: blue Volvo, plate ZH 1234",
  "- 2026-01-24: tyres changed last Friday",
]);
const diary = file("memory/2026-11-12.md", 1, [
  "Watered the plants on the balcony.",
  "",
  "Had lunch with Peter at the Golden Lion; he is moving to Oslo next month.",
]);
const olderDiary = file("memory/2026-11-05.md", 3, ["Watered the plants."]);
const manual = { ...file("/books/oven.md", 88, ["The oven takes 12 minutes to heat up."]), score: 0.4 };
const talk: MemoryFind = {
  ...{ sessionKey: "telegram--7", fromSeq: 40, toSeq: 42, date: "2026-10-12", score: 0.6, why: [], labels: [] },
  ...{ speakers: ["Steward", "Bob"] },
  text: [
    "I parked the camper behind the barn. When did I park the camper?",
    "Steward: Noted, the camper is behind the barn.",
    "Bob: the bicycle lock code is 4711",
  ].join("\n"),
};
const asides: readonly MemoryFind[] = [
  said("2026-10-13", "I paid the gardener 80 euros"),
  said("2025-08-02", "we went swimming in the lake two days ago"),
  said("2026-11-01", "The quarterly numbers are in the folder called Autumn.", { labels: ["mail"] }),
  said("2026-11-15", "when did I see the optician?"),
  said("2026-11-15", "remember that the violin is at the workshop"),
  said("2026-11-15", "I will remember: the violin is at the workshop", { speakers: ["Steward"] }),
  said("2026-11-14", "On 1 May you wrote: “the boat is red” (MEMORY.md, line 1).", { speakers: ["Steward"] }),
];
const everything = [memory, diary, olderDiary, manual, talk, ...asides];

const bins = "On 3 November you wrote: “the bins go out on Tuesday” (MEMORY.md, line 3).";
const keys = "On 1 September you wrote: “the spare keys are in the blue drawer under the stairs” (MEMORY.md, line 6).";
const birthday = "On 28 October you wrote: “Anna's birthday is on 3 May” (MEMORY.md, line 4).";
const plumber = "On 19 August you wrote: “the plumber is called Ann Baker, 0171 5550123” (MEMORY.md, line 8).";
const dentist = "On 10 November you wrote: “my dentist appointment is on 5 December at 14:00” (MEMORY.md, line 10).";
const volvo = "On 23 January you wrote: “blue Volvo, plate ZH 1234” under “Car” (MEMORY.md, line 25).";
const rent = "On 1 April you wrote: “the rent is 950 euros and is due on the first of the month” (MEMORY.md, line 15).";
const plants = "On 12 November you wrote: “Watered the plants on the balcony.” (memory/2026-11-12.md, line 1).";
const lunch =
  "On 12 November you wrote: “Had lunch with Peter at the Golden Lion; he is moving to Oslo next month.” (memory/2026-11-12.md, line 3); “next month”: that is December.";
const plantsBefore = "On 5 November you wrote: “Watered the plants.” (memory/2026-11-05.md, line 3).";
const camper = "“I parked the camper behind the barn. When did I park the camper?” (in another conversation).";

test.each<[question: string, answer: string]>([
  ["what do you know about the bins?", bins],
  ["when do the bins go out?", bins],
  ["do you remember when the bin goes out?", bins],
  ["which day is the trash?", bins],
  ["what do I know about Anna's birthday?", birthday],
  ["when is Anna's birthday?", birthday],
  ["When was Anna born?", birthday],
  ["do you know when Anna's birthday is?", birthday],
  ["what is Anna allergic to?", "On 28 October you wrote: “Anna is allergic to nuts” (MEMORY.md, line 5)."],
  ["where are the spare keys?", keys],
  ["where did I put the spare keys?", keys],
  ["Where are my keys?", keys],
  ["where did we leave the key", keys],
  ["what is my shoe size?", "On 24 December 2025 you wrote: “my shoe size is 42” (MEMORY.md, line 7)."],
  ["who is the plumber?", plumber],
  ["what's the plumber's number?", plumber],
  ["what is the name of the plumber", plumber],
  [
    "when did I last see the dentist?",
    "That is 3 November: on 4 November you wrote “I saw the dentist yesterday” (MEMORY.md, line 9).",
  ],
  [
    "when did I go to the dentist?",
    "That is 3 November: on 4 November you wrote “I saw the dentist yesterday” (MEMORY.md, line 9).",
  ],
  ["when is my dentist appointment?", dentist],
  ["when is my appointment at the dentist?", dentist],
  ["who has my drill?", "On 7 July you wrote: “I lent the drill to Bob” (MEMORY.md, line 11)."],
  ["who did I lend the drill to?", "On 7 July you wrote: “I lent the drill to Bob” (MEMORY.md, line 11)."],
  ["when does my passport expire?", "On 30 June you wrote: “my passport expires in March 2029” (MEMORY.md, line 12)."],
  ["how many kids do I have?", "On 2 May you wrote: “we have two children, Mia and Leo” (MEMORY.md, line 13)."],
  ["where do I work?", "On 2 May you wrote: “I work at the city library” (MEMORY.md, line 14)."],
  ["how much is the rent?", rent],
  ["when is the rent due?", rent],
  ["where do I live?", "On 15 March you wrote: “I live in Elm Street 4” (MEMORY.md, line 16)."],
  ["what is my address?", "On 15 March you wrote: “I live in Elm Street 4” (MEMORY.md, line 16)."],
  [
    "what time does the train to Bern leave?",
    "On 2 February you wrote: “the train to Bern leaves at 7:32” (MEMORY.md, line 17).",
  ],
  [
    "how long do I bake the bread?",
    "On 3 February you wrote: “bake the bread for 40 minutes at 230 degrees” (MEMORY.md, line 18).",
  ],
  [
    "how do I bake the bread?",
    "On 3 February you wrote: “bake the bread for 40 minutes at 230 degrees” (MEMORY.md, line 18).",
  ],
  ["what is my favorite color?", "On 20 January you wrote: “my favourite colour is green” (MEMORY.md, line 19)."],
  ["who is Mia's teacher?", "On 22 January you wrote: “Mia's teacher is Mrs Keller” (MEMORY.md, line 21)."],
  ["what is the number plate of my car?", volvo],
  ["what colour is my car?", volvo],
  [
    "when were the tyres changed?",
    "That is 23 January: on 24 January you wrote “tyres changed last Friday” under “Car” (MEMORY.md, line 26).",
  ],
  [
    "what do you know about the tyres?",
    "On 24 January you wrote: “tyres changed last Friday” under “Car” (MEMORY.md, line 26); “last Friday”: that is 23 January.",
  ],
  ["when did I last water the plants?", plants],
  ["when did I water the plants?", `- ${plants}\n- ${plantsBefore}`],
  ["how often did I water the plants?", `- ${plants}\n- ${plantsBefore}`],
  ["when did I first water the plants?", plantsBefore],
  ["where did I have lunch with Peter?", lunch],
  [
    "how long does the oven take to heat up?",
    "It was written: “The oven takes 12 minutes to heat up.” (/books/oven.md, line 88).",
  ],
  ["where did I park the camper?", `On 12 October you said: ${camper}`],
  ["when did I park the camper?", `On 12 October you said: ${camper}`],
  [
    "what is the code of the bicycle lock?",
    "On 12 October Bob said: “the bicycle lock code is 4711” (in another conversation).",
  ],
  [
    "how much did I pay the gardener?",
    "On 13 October you said: “I paid the gardener 80 euros” (in another conversation).",
  ],
  [
    "when did we go swimming in the lake?",
    "That is 31 July 2025: on 2 August 2025 you said “we went swimming in the lake two days ago” (in another conversation).",
  ],
  [
    "what do you know about swimming?",
    "On 2 August 2025 you said: “we went swimming in the lake two days ago” (in another conversation); “two days ago”: that is 31 July 2025.",
  ],
  ["when did I last have lunch with Peter?", lunch],
  ["whats my shoe size", "On 24 December 2025 you wrote: “my shoe size is 42” (MEMORY.md, line 7)."],
  ["tell me about the plumber", plumber],
  [
    "what do you know about my car?",
    `- On 24 January you wrote: “tyres changed last Friday” under “Car” (MEMORY.md, line 26); “last Friday”: that is 23 January.\n- ${volvo}`,
  ],
  ["what did I write on 10 November?", dentist],
  ["what did I write last Thursday?", `- ${plants}\n- ${lunch}`],
])("“%s” is answered from the memory", async (question, answer) => {
  expect(await ask(question)).toBe(answer);
});

test.each([
  "where is my umbrella?",
  "when did I see the optician?",
  "when is my wedding anniversary?",
  "what is my hat size?",
  "when is my birthday?",
  "what is my name?",
  "what is my phone number?",
  "am I allergic to nuts?",
  "what is my brother's birthday?",
  "who is my dentist's brother?",
  "where did I put the violin?",
  "which boat do I own?",
  "what do you know about the boat?",
  "do you remember Anna's wedding?",
  "when did I lend the ladder to Bob?",
  "how many cats do I have?",
  "what did I say about Berlin?",
])("“%s” is not in the memory, and no other line is told for it", async (question) => {
  const answer = await ask(question);
  expect(answer).toMatch(
    /^I find nothing about “[^”]+” in your notes or conversations\. Say “remember that …” to tell me\.$/,
  );
});

test.each([
  "who is the president of France?",
  "when was the Eiffel tower built?",
  "how tall is Mount Everest?",
  "what is the capital of Peru?",
  "which river flows through Paris?",
  "who wrote Hamlet?",
  "how many people live in Oslo?",
  "what is love?",
  "how do I poach an egg?",
  "what do you think about swimming?",
  "why is the sky blue?",
])("“%s” asks about the world and is answered as ever", async (question) => {
  expect(await ask(question)).toContain("That needs a language model");
});

function file(path: string, startLine: number, lines: readonly string[]): MemoryFind {
  const date = /\d{4}-\d\d-\d\d/.exec(path)?.[0];
  return {
    ...{ path, startLine, endLine: startLine + lines.length - 1, ...(date !== undefined && { date }) },
    ...{ score: 0.6, why: [], text: lines.join("\n"), speakers: [], labels: path === "MEMORY.md" ? ["web"] : [] },
  };
}

function said(date: string, text: string, more: Partial<MemoryFind> = {}): MemoryFind {
  const find = { sessionKey: "cli--main", fromSeq: 7, toSeq: 7, date, score: 0.6, why: [], speakers: [], labels: [] };
  const [name] = more.speakers ?? [];
  return { ...find, ...more, text: name === undefined ? text : `${name}: ${text}` };
}

/** The answer after a search that has found all of this, whatever was searched for. */
async function ask(question: string): Promise<string> {
  return (await converse(question, [writeFinds(everything)])).text;
}
