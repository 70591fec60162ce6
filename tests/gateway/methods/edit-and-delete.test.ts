import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkStore } from "../../../src/store/doctor/check-store.ts";
import { openAssistant } from "../../scenes/assistant.ts";
import { scriptedModel } from "../../scenes/scripted-model.ts";
import { conversation } from "../../scenes/stores.ts";

const seqOf = (sent: unknown) => (sent as { seq: number }).seq;

async function assistantWithTwoTurns() {
  const model = scriptedModel([{ text: "one" }, { text: "two" }, { text: "other" }]);
  const assistant = await openAssistant({ model });
  await assistant.say("first");
  await assistant.until("turn.finished", 1);
  const second = await assistant.say("second");
  await assistant.until("turn.finished", 2);
  const edit = (message: string, replaces: number, idempotencyKey = "e") =>
    assistant.call("chat.send", { sessionKey: conversation, message, replaces, idempotencyKey });
  return { assistant, model, edit, second: seqOf(second) };
}

test("an edited message takes the place of the old one and of everything after it", async () => {
  const { assistant, model, edit, second } = await assistantWithTwoTurns();
  await edit("changed", second);
  await assistant.until("turn.finished", 3);
  const told = JSON.stringify(model.requests.at(-1)?.messages);
  expect([told.includes("first"), told.includes("second"), told.includes("two"), told.includes("changed")]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  const { messages } = (await assistant.call("chat.history", { sessionKey: conversation })) as {
    messages: { content: string }[];
  };
  expect(messages.map(({ content }) => content)).toEqual(["first", "one", "changed", "other"]);
});

test("a key belongs to its conversation, and to the words that were first said with it", async () => {
  const assistant = await openAssistant({ model: scriptedModel([{ text: "one" }, { text: "two" }]) });
  const here = await assistant.say("mine", conversation, "1");
  const there = await assistant.say("yours", "web--other", "1");
  expect(seqOf(there)).not.toBe(seqOf(here));
  expect(await assistant.say("mine", conversation, "1")).toEqual(here);
  await expect(assistant.say("other words", conversation, "1")).rejects.toMatchObject({ code: "conflict" });
  const received = await assistant.until("message.received", 2);
  expect(received.map(({ text }) => text)).toEqual(["mine", "yours"]);
});

test("the same edit sent twice happens once", async () => {
  const { assistant, edit, second } = await assistantWithTwoTurns();
  const [once, twice] = [await edit("changed", second), await edit("changed", second)];
  expect(twice).toEqual(once);
  await assistant.until("turn.finished", 3);
  expect((await assistant.events()).filter((event) => event.type === "conversation.rewound")).toHaveLength(1);
});

test("what is no message of this conversation cannot be edited", async () => {
  const { edit } = await assistantWithTwoTurns();
  await expect(edit("changed", 9999)).rejects.toThrow("There is no message 9999");
  await expect(edit("changed", 2, "f")).rejects.toThrow("There is no message 2");
});

test("while an answer is being written nothing is edited", async () => {
  const assistant = await openAssistant({ model: scriptedModel([{ hangsAfter: "a" }]) });
  const sent = await assistant.say("first");
  await assistant.until("turn.started");
  await expect(
    assistant.call("chat.send", { sessionKey: conversation, message: "x", replaces: seqOf(sent) }),
  ).rejects.toThrow("still answering");
});

test("a message that has been summarised cannot be edited any more", async () => {
  const model = scriptedModel((request) => ({ text: request.system[0]?.text.startsWith("Summarise") ? "sum" : "yes" }));
  const assistant = await openAssistant({ model, settings: { session: { maxHistoryMessages: 10 } } });
  const first = await assistant.say("message 1");
  for (let n = 2; n <= 6; n++) {
    await assistant.until("turn.finished", n - 1);
    await assistant.say(`message ${n}`);
  }
  await assistant.until("turn.finished", 6);
  await expect(
    assistant.call("chat.send", { sessionKey: conversation, message: "x", replaces: seqOf(first) }),
  ).rejects.toThrow("summarised already");
});

test("a deleted conversation leaves no words in the database or the transcript, and the log still adds up", async () => {
  const model = scriptedModel([{ text: "the answer is plum" }]);
  const assistant = await openAssistant({ model });
  await assistant.say("my secret fruit");
  await assistant.until("turn.finished");
  await assistant.call("sessions.delete", { sessionKey: conversation });
  const words = JSON.stringify(await assistant.events());
  expect(words).not.toMatch(/secret fruit|plum/);
  expect(await assistant.call("sessions.list", {})).toEqual({ sessions: [] });
  await assistant.store.flush();
  const transcript = await readFile(join(assistant.home, "data", "sessions", `${conversation}.jsonl`), "utf8");
  expect(transcript).not.toMatch(/secret fruit|plum/);
  expect(transcript).toContain("conversation.deleted");
  const { rows } = (await assistant.call("usage.get", {})) as { rows: unknown[] };
  expect(rows).toHaveLength(1);
  await assistant.close();
  const database = await readFile(join(assistant.home, "data", "steward.db"), "latin1");
  expect(database).not.toMatch(/secret fruit|plum/);
  expect((await checkStore(assistant.home)).filter((finding) => !finding.ok)).toEqual([]);
});

test("a conversation that begins again under a deleted key knows nothing of the old one", async () => {
  const model = scriptedModel([{ text: "plum" }, { text: "what fruit?" }]);
  const assistant = await openAssistant({ model });
  await assistant.say("my secret fruit");
  await assistant.until("turn.finished");
  await assistant.call("sessions.delete", { sessionKey: conversation });
  await assistant.say("hello");
  await assistant.until("turn.finished", 2);
  expect(model.requests.at(-1)?.messages).toHaveLength(1);
});

test("a conversation in which something goes on is not deleted", async () => {
  const assistant = await openAssistant({ model: scriptedModel([{ hangsAfter: "a" }]) });
  await assistant.say("first");
  await assistant.until("turn.started");
  await expect(assistant.call("sessions.delete", { sessionKey: conversation })).rejects.toThrow("Stop it first");
});
