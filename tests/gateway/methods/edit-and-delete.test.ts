import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkStore } from "../../../src/store/doctor/check-store.ts";
import { openAssistant } from "../../scenes/assistant.ts";
import { scriptedModel } from "../../scenes/scripted-model.ts";
import { conversation } from "../../scenes/stores.ts";

const seqOf = (sent: unknown) => (sent as { seq: number }).seq;

async function houseWithTwoTurns() {
  const model = scriptedModel([{ text: "one" }, { text: "two" }, { text: "other" }]);
  const house = await openAssistant({ model });
  await house.say("first");
  await house.until("turn.finished", 1);
  const second = await house.say("second");
  await house.until("turn.finished", 2);
  const edit = (message: string, replaces: number, idempotencyKey = "e") =>
    house.call("chat.send", { sessionKey: conversation, message, replaces, idempotencyKey });
  return { house, model, edit, second: seqOf(second) };
}

test("an edited message takes the place of the old one and of everything after it", async () => {
  const { house, model, edit, second } = await houseWithTwoTurns();
  await edit("changed", second);
  await house.until("turn.finished", 3);
  const told = JSON.stringify(model.requests.at(-1)?.messages);
  expect([told.includes("first"), told.includes("second"), told.includes("two"), told.includes("changed")]).toEqual([
    true,
    false,
    false,
    true,
  ]);
  const { messages } = (await house.call("chat.history", { sessionKey: conversation })) as {
    messages: { content: string }[];
  };
  expect(messages.map(({ content }) => content)).toEqual(["first", "one", "changed", "other"]);
});

test("the same edit sent twice happens once", async () => {
  const { house, edit, second } = await houseWithTwoTurns();
  const [once, twice] = [await edit("changed", second), await edit("changed", second)];
  expect(twice).toEqual(once);
  await house.until("turn.finished", 3);
  expect((await house.events()).filter((event) => event.type === "conversation.rewound")).toHaveLength(1);
});

test("what is no message of this conversation cannot be edited", async () => {
  const { edit } = await houseWithTwoTurns();
  await expect(edit("changed", 9999)).rejects.toThrow("There is no message 9999");
  await expect(edit("changed", 2, "f")).rejects.toThrow("There is no message 2");
});

test("while an answer is being written nothing is edited", async () => {
  const house = await openAssistant({ model: scriptedModel([{ hangsAfter: "a" }]) });
  const sent = await house.say("first");
  await house.until("turn.started");
  await expect(
    house.call("chat.send", { sessionKey: conversation, message: "x", replaces: seqOf(sent) }),
  ).rejects.toThrow("still answering");
});

test("a message that has been summarised cannot be edited any more", async () => {
  const model = scriptedModel((request) => ({ text: request.system[0]?.text.startsWith("Summarise") ? "sum" : "yes" }));
  const house = await openAssistant({ model, settings: { session: { maxHistoryMessages: 10 } } });
  const first = await house.say("message 1");
  for (let n = 2; n <= 6; n++) {
    await house.until("turn.finished", n - 1);
    await house.say(`message ${n}`);
  }
  await house.until("turn.finished", 6);
  await expect(
    house.call("chat.send", { sessionKey: conversation, message: "x", replaces: seqOf(first) }),
  ).rejects.toThrow("summarised already");
});

test("a deleted conversation leaves no words in the database or the transcript, and the log still adds up", async () => {
  const model = scriptedModel([{ text: "the answer is plum" }]);
  const house = await openAssistant({ model });
  await house.say("my secret fruit");
  await house.until("turn.finished");
  await house.call("sessions.delete", { sessionKey: conversation });
  const words = JSON.stringify(await house.events());
  expect(words).not.toMatch(/secret fruit|plum/);
  expect(await house.call("sessions.list", {})).toEqual({ sessions: [] });
  await house.store.flush();
  const transcript = await readFile(join(house.home, "data", "sessions", `${conversation}.jsonl`), "utf8");
  expect(transcript).not.toMatch(/secret fruit|plum/);
  expect(transcript).toContain("conversation.deleted");
  const { rows } = (await house.call("usage.get", {})) as { rows: unknown[] };
  expect(rows).toHaveLength(1);
  await house.close();
  const database = await readFile(join(house.home, "data", "steward.db"), "latin1");
  expect(database).not.toMatch(/secret fruit|plum/);
  expect((await checkStore(house.home)).filter((finding) => !finding.ok)).toEqual([]);
});

test("a conversation that begins again under a deleted key knows nothing of the old one", async () => {
  const model = scriptedModel([{ text: "plum" }, { text: "what fruit?" }]);
  const house = await openAssistant({ model });
  await house.say("my secret fruit");
  await house.until("turn.finished");
  await house.call("sessions.delete", { sessionKey: conversation });
  await house.say("hello");
  await house.until("turn.finished", 2);
  expect(model.requests.at(-1)?.messages).toHaveLength(1);
});

test("a conversation in which something goes on is not deleted", async () => {
  const house = await openAssistant({ model: scriptedModel([{ hangsAfter: "a" }]) });
  await house.say("first");
  await house.until("turn.started");
  await expect(house.call("sessions.delete", { sessionKey: conversation })).rejects.toThrow("Stop it first");
});
