import { expect, test } from "vitest";
import { cpuMsOf } from "../../../tests/scenes/cpu-time.ts";
import { conversation, storeIn } from "../../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import type { EventOf, NewEvent } from "../../contract/event.ts";
import { newInReplies, withoutRepeats } from "./told-by-memory.ts";

const told =
  "MEMORY.md:3-4 · 2026-11-01\nThe dentist is on Tuesday at nine.\nAnna is allergic to nuts! She eats at home.\nYes.";

test.each([
  ["The dentist is on Tuesday at nine.", "", "a line"],
  ["- **The dentist** is on TUESDAY, at nine", "", "the same letters and digits"],
  ["I looked. The dentist is on Tuesday at nine. Shall I remind you?", "I looked. Shall I remind you?", "a sentence"],
  ["You wrote: “Anna is allergic to nuts!” I would ask her.", "You wrote:  I would ask her.", "what is quoted"],
  [
    "Found this:\n> She eats at home.\n\nWrite to her?",
    "Found this:\n\nWrite to her?",
    "a short line that stood there as one",
  ],
  ["Yes.", "", "a word that stood there as a line"],
  ["Nuts.", "Nuts.", "a word that stood there within a line stays"],
  ["The dentist is on Friday at nine.", "The dentist is on Friday at nine.", "what is different stays"],
  ["One\n\n  two: 9:30", "One\n\n  two: 9:30", "what is new stays as it was written"],
])("of %j there is left %j: %s", (text, left) => {
  expect(withoutRepeats(text, [told])).toBe(left);
});

test("what only looks like a text costs no more than one", async () => {
  const long = "memory ".repeat(20_000);
  for (const text of [" ".repeat(8_000), "“".repeat(8_000), ". ".repeat(4_000), ": ".repeat(4_000), "a".repeat(8_000)])
    expect(await cpuMsOf(() => withoutRepeats(text, [long]))).toBeLessThan(1_500);
});

const turn = "t1";
const returned = (tool: string, output: string, more: object = {}): NewEvent =>
  ({ type: "tool.returned", conversation, turn, callId: "c", tool, outcome: "done", output, ...more }) as NewEvent;
const step = (model: string, more: object = {}): NewEvent =>
  ({
    ...{ type: "step.finished", conversation, turn, step: 0, model, text: "", toolCalls: [], finish: "stop" },
    ...{ usage: { inputTokens: 0, outputTokens: 0 }, ...more },
  }) as NewEvent;
const reply = (text: string, more: object = {}): NewEvent =>
  ({ type: "reply.written", conversation, channel: "terminal", text, turn, ...more }) as NewEvent;

/** What is left of each reply; undefined: all of it. */
async function leftOf(...events: NewEvent[]) {
  const { log, database } = await storeIn(await temporaryFolder());
  const { events: written } = await log.append(events);
  const replies = written.filter((event): event is EventOf<"reply.written"> => event.type === "reply.written");
  const found = await newInReplies(database, replies);
  return replies.map(({ seq }) => found.get(seq));
}

test.each(["memory_search", "memory_get"])("a reply loses what %s had returned in its turn", async (tool) => {
  expect(
    await leftOf(returned(tool, told), step("anthropic/claude"), reply("Here: The dentist is on Tuesday at nine.")),
  ).toEqual(["Here:"]);
});

test("what other tools returned, in another turn or only later, does not count", async () => {
  const text = "The dentist is on Tuesday at nine.";
  expect(await leftOf(returned("web_fetch", told), reply(text))).toEqual([undefined]);
  expect(await leftOf(returned("memory_note", told), reply(text))).toEqual([undefined]);
  expect(await leftOf(returned("memory_search", told, { turn: "t0" }), reply(text))).toEqual([undefined]);
  expect(await leftOf(reply(text), returned("memory_search", told))).toEqual([undefined]);
  expect(await leftOf(returned("memory_search", told), reply(text, { turn: undefined }))).toEqual([undefined]);
});

test("what the built-in rules answer is left out whole, and what a model answers is not", async () => {
  const text = "You told me on 1 November.";
  expect(await leftOf(returned("memory_search", told), step("offline/rules"), reply(text))).toEqual([""]);
  expect(await leftOf(returned("memory_search", told), step("anthropic/claude"), reply(text))).toEqual([text]);
  expect(await leftOf(step("offline/rules"), reply(text))).toEqual([""]);
  expect(await leftOf(step("anthropic/claude"), reply(text))).toEqual([undefined]);
  expect(
    await leftOf(
      step("offline/rules"),
      returned("memory_search", told),
      step("anthropic/claude", { step: 1 }),
      reply(text),
    ),
  ).toEqual([text]);
});

test("a reply loses what was recalled from conversations", async () => {
  const recalled = (fromSeq: number, toSeq?: number): NewEvent => ({
    ...{ type: "memory.recalled", conversation, turn, tokens: 9 },
    finds: [{ sessionKey: "terminal--before", fromSeq, ...(toSeq !== undefined && { toSeq }), score: 1, why: [] }],
  });
  const said = reply("The dentist is on Tuesday at nine.", { conversation: "terminal--before", turn: "t0" });
  const again = reply(
    "Remember, the dentist is on Tuesday at nine. The dentist is on Tuesday at nine. Bring the card.",
  );
  expect(await leftOf(said, recalled(1), again)).toEqual([
    undefined,
    "Remember, the dentist is on Tuesday at nine. Bring the card.",
  ]);
  expect(await leftOf(said, recalled(1, 1_000_000_000), again)).toHaveLength(2);
  expect(await leftOf(said, recalled(7), again)).toEqual([undefined, undefined]);
});

test("many replies are looked at together", async () => {
  const events = Array.from({ length: 300 }, (_, at) => [
    returned("memory_search", `${told}\nNumber ${at} of the long list`, { turn: `t${at}` }),
    reply(`Number ${at} of the long list. Fine.`, { turn: `t${at}` }),
  ]).flat();
  expect(await leftOf(...events)).toEqual(Array.from({ length: 300 }, () => "Fine."));
});
