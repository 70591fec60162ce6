// What was only looked up or done goes by itself, and what was asked and answered stays.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { emptyConversation } from "../../src/contract/conversation/conversation.ts";
import { foldConversation } from "../../src/contract/conversation/fold-conversation.ts";
import type { Mention } from "../../src/contract/wire/methods/memory.ts";
import { checkStore } from "../../src/store/doctor/check-store.ts";
import { eventually } from "../scenes/eventually.ts";
import { auditProblems, filesWith, forgetScene } from "../scenes/memory/forget-scene.ts";
import { type ScriptedAnswer, scriptedModel } from "../scenes/scripted-model.ts";
import { conversation } from "../scenes/stores.ts";
import { testTool } from "../scenes/tools.ts";

const word = "quincebramble";
const missing = "notice: Something was forgotten here, for good.";
const note = (value: string) => ({ text: "", calls: [{ tool: "note", arguments: { value } }] });
type Assistant = Awaited<ReturnType<typeof forgetScene>>;

/** One turn for each message; the tool answers with the word when it is asked for `page`. */
async function talk(turns: Record<string, readonly ScriptedAnswer[]>, reasoning?: string) {
  const plan = Object.values(turns).flat();
  const script = scriptedModel(() => plan.shift() ?? { text: "Later." });
  const model = { ...script, stream };
  async function* stream(...asked: Parameters<typeof script.stream>): ReturnType<typeof script.stream> {
    for await (const event of script.stream(...asked))
      yield event.type === "final" && event.text === "Jazz is music." && reasoning ? { ...event, reasoning } : event;
  }
  const run = async (value: string) => (value === "page" ? `first line\na page about ${word}\nlast` : `did ${value}`);
  const assistant = await forgetScene({ model, tools: [testTool({ run })] });
  for (const [index, message] of Object.keys(turns).entries()) {
    await assistant.say(message);
    await assistant.until("turn.finished", index + 1);
  }
  return { ...assistant, model };
}

async function mentionsOf(assistant: Assistant): Promise<Mention[]> {
  return ((await assistant.call("memory.mentions", { about: word })) as { mentions: Mention[] }).mentions;
}

async function forget(assistant: Assistant, mentions: readonly Mention[], about: string | undefined = word) {
  const messages = mentions.map(({ sessionKey, seq }) => ({ sessionKey, seq }));
  const answer = await assistant.call("memory.forget", { messages, ...(about && { about }) });
  await assistant.until("conversation.forgotten");
  return answer;
}

async function shownOf(assistant: Assistant, live = false): Promise<string[]> {
  const events = (await assistant.events()).filter((event) => event.conversation === conversation);
  const before = live ? events.filter(({ type }) => type !== "messages.forgotten") : [];
  const folded = foldConversation(foldConversation(emptyConversation(conversation), before), events);
  return folded.items.flatMap((item) => {
    if (item.kind === "cost") return [];
    return [`${item.kind}: ${item.kind === "tool" ? (item.output ?? "") : "text" in item ? item.text : ""}`];
  });
}

async function expectWhole(assistant: Assistant): Promise<void> {
  await eventually(() => filesWith(word, assistant.home), []);
  expect(await auditProblems(assistant)).toEqual([]);
  await assistant.store.flush();
  expect((await checkStore(assistant.home)).filter((finding) => !finding.ok)).toEqual([]);
}

test("of what a tool has read by the way only its output goes, and the question and the answer stay", async () => {
  const assistant = await talk({
    "what about jazz": [note("page"), note("plum"), { text: "Jazz is music." }],
    "and rock": [note("page"), { text: "Rock is music too." }],
  });
  const mentions = await mentionsOf(assistant);
  expect(mentions.map(({ text }) => text)).toEqual(Array(2).fill(`(looked up or done) a page about ${word}`));
  const outputs = (await assistant.until("tool.returned")).filter(({ output }) => output.includes(word));
  expect(mentions.map(({ seq }) => seq).sort()).toEqual(outputs.map(({ seq }) => seq).sort());
  const before = (await assistant.events()).length;
  expect(await forget(assistant, mentions)).toEqual({ lines: 0, messages: 2, earlierVersions: 0, stayed: [] });
  const gone = (await assistant.events()).flatMap((event) => (event.type === "messages.forgotten" ? event.seqs : []));
  expect(gone).toEqual(outputs.map(({ seq }) => seq));
  expect((await assistant.events()).slice(0, before).map(({ type }) => type)).not.toContain("messages.forgotten");
  expect(await assistant.replies()).toEqual(["Jazz is music.", "Rock is music too."]);
  const jazz = ["person: what about jazz", missing, "tool: ", "tool: did plum", "answer: Jazz is music."];
  expect(await shownOf(assistant)).toEqual([
    ...jazz,
    ...["person: and rock", missing, "tool: ", "answer: Rock is music too."],
  ]);
  await expectWhole(assistant);
  const transcript = await readFile(join(assistant.home, "data/sessions", `${conversation}.jsonl`), "utf8");
  for (const kept of ["what about jazz", "Jazz is music.", "did plum"]) expect(transcript).toContain(kept);
  expect(await mentionsOf(assistant)).toEqual([]);
});

test("only one turn's work goes when only that is named, and without a word only the one output", async () => {
  const assistant = await talk({
    "what about jazz": [note("page"), note("page"), { text: "Jazz is music." }],
    "and rock": [note("page"), { text: "Rock is music too." }],
  });
  const [newest] = await mentionsOf(assistant);
  await forget(assistant, newest ? [newest] : []);
  const [left] = await mentionsOf(assistant);
  expect(await mentionsOf(assistant)).toHaveLength(1);
  expect(left?.seq).toBeLessThan(newest?.seq ?? 0);
  await forget(assistant, left ? [left] : [], "");
  const outputs = (await assistant.until("tool.returned")).map(({ output }) => output.includes(word));
  expect(outputs.filter(Boolean)).toHaveLength(1);
});

test("what a step has thought or asked for goes with the step, and its answer is still shown and read", async () => {
  const turns = { "what about jazz": [note(word), { text: "Jazz is music." }], "and rock": [{ text: "Rock too." }] };
  const assistant = await talk(turns, `not about ${word}`);
  expect((await assistant.until("step.finished"))[1]?.reasoning).toContain(word);
  const said = ["person: what about jazz", missing, "answer: Jazz is music.", "person: and rock", "answer: Rock too."];
  expect(await forget(assistant, await mentionsOf(assistant))).toMatchObject({ messages: 1 });
  expect(await shownOf(assistant)).toEqual(said);
  expect(await shownOf(assistant, true)).toEqual(said);
  await expectWhole(assistant);
  await assistant.say("what did you say?");
  await assistant.until("turn.finished", 3);
  const read = JSON.stringify(assistant.model.requests.at(-1)?.messages);
  expect(read).toContain("Jazz is music.");
});

test("a model that reads on finds a forgotten output empty, and not unknown", async () => {
  const assistant = await talk({ "what about jazz": [note("page"), { text: "Jazz is music." }] });
  await forget(assistant, await mentionsOf(assistant));
  await assistant.say("go on");
  await assistant.until("turn.finished", 2);
  const read = assistant.model.requests.at(-1)?.messages.filter((message) => message.role === "tool");
  expect(read).toMatchObject([{ output: "", failed: false }]);
});

test("an answer that speaks of it takes along all that was done for it, and the question stays", async () => {
  const assistant = await talk({ "what about jazz": [note("plum"), { text: `Jazz and ${word}.` }] });
  expect(await mentionsOf(assistant)).toMatchObject([{ who: "assistant", text: `Jazz and ${word}.` }]);
  await forget(assistant, await mentionsOf(assistant));
  expect(await shownOf(assistant)).toEqual(["person: what about jazz", missing]);
  await expectWhole(assistant);
});

test("a question that speaks of it takes along what was done for it and speaks of it, and an answer that does not stays", async () => {
  const assistant = await talk({ [`and ${word}?`]: [note("page"), note("plum"), { text: "Nice weather there." }] });
  expect(await mentionsOf(assistant)).toMatchObject([{ who: "person", text: `and ${word}?` }]);
  await forget(assistant, await mentionsOf(assistant));
  expect(await shownOf(assistant)).toEqual([missing, "tool: ", "tool: did plum", "answer: Nice weather there."]);
  await expectWhole(assistant);
});

test("what stands only in the middle of a long output, which was left out, goes with it", async () => {
  const run = async () => `${"long ".repeat(40_000)}${word} ${"long ".repeat(40_000)}`;
  const plan: ScriptedAnswer[] = [note("file"), { text: "Read." }];
  const assistant = await forgetScene({ model: scriptedModel(plan), tools: [testTool({ run })] });
  await assistant.say("read it");
  await assistant.until("turn.finished");
  expect(await filesWith(word, assistant.home)).toEqual([expect.stringMatching(/^data\/outputs\/out_/)]);
  const mentions = await mentionsOf(assistant);
  expect(mentions).toMatchObject([{ text: expect.stringContaining(word) }]);
  await forget(assistant, mentions);
  await eventually(() => filesWith(word, assistant.home), []);
});
