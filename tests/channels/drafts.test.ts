// What a chat shows while a turn goes on, and that nothing of it is left when the answer is there.
import { expect, test } from "vitest";
import { anna, openChat } from "../scenes/channels/chat-scene.ts";
import { eventually } from "../scenes/eventually.ts";
import { type ScriptedModel, scriptedModel } from "../scenes/scripted-model.ts";

/** A model whose words come when the test says so. */
function slowModel() {
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  return { promise, finish };
}

const long = "These are the first words of an answer that takes a while to be written.";

async function withSlowAnswer() {
  const slow = slowModel();
  const model: ScriptedModel = {
    ...scriptedModel([]),
    async *stream() {
      yield { type: "text", delta: long };
      await slow.promise;
      yield { type: "text", delta: " The end." };
      const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
      const text = `${long} The end.`;
      yield { type: "final", model: "scripted/one", text, toolCalls: [], finish: "stop", usage, costUsd: 0 };
    },
  };
  return { ...(await openChat({ model })), finish: slow.finish };
}

test("the answer takes the place of what was streamed, and one message is left", async () => {
  const chat = await withSlowAnswer();
  chat.telegram.say(anna.id, "tell me");
  await chat.until(() => chat.shown().some((text) => text.includes("first words")));
  chat.finish();
  await chat.untilEvent("reply.delivered");
  expect(chat.shown()).toEqual([`${long} The end.`]);
  expect(chat.telegram.messages(anna.id).at(-1)?.buttons).toEqual([]);
});

test("a message that waits behind a turn gets a sign that it was seen, and one that does not gets none", async () => {
  const chat = await withSlowAnswer();
  chat.telegram.say(anna.id, "tell me");
  await chat.untilEvent("turn.started");
  const waits = chat.telegram.say(anna.id, "and this");
  await eventually(() => chat.telegram.asked("setMessageReaction").length, 1);
  chat.finish();
  await chat.until(() => chat.shown().some((text) => text.endsWith("The end.")));
  expect(chat.telegram.asked("setMessageReaction")).toMatchObject([
    { body: { message_id: waits, reaction: [{ type: "emoji", emoji: "👀" }] } },
  ]);
});

test("a change of the draft that is on its way does not come after the answer", async () => {
  const chat = await withSlowAnswer();
  chat.telegram.say(anna.id, "tell me");
  // the first message of the draft is taken, and its answer is lost: nobody knows what it is called
  chat.telegram.fail("sendMessage", { kind: "drop", when: "after" });
  await eventually(() => chat.telegram.asked("sendMessage").length > 0);
  chat.finish();
  await chat.until(() => chat.shown().some((text) => text.endsWith("The end.")));
  await chat.untilEvent("reply.delivered");
  expect(chat.shown().at(-1)).toBe(`${long} The end.`);
});

test("what an earlier process has left in a chat is removed by the next one, and answers are not", async () => {
  const chat = await withSlowAnswer();
  chat.telegram.say(anna.id, "tell me");
  await chat.untilEvent("draft.shown");
  await chat.close();
  expect(chat.shown()).toHaveLength(1);
  const { home, telegram } = chat;
  const next = await openChat({ home, telegram, script: [{ text: "All of it." }] });
  await next.until(() => next.shown().includes("All of it."));
  await eventually(() => next.shown(), ["All of it."]);
});

test("after a question was answered the chat shows again what is being done", async () => {
  const chat = await openChat({
    script: [
      { text: "", calls: [{ tool: "write", arguments: { path: "a.txt", content: "milk" } }] },
      { hangsAfter: `${long} And on it goes.` },
    ],
  });
  chat.telegram.say(anna.id, "write it down");
  await chat.untilEvent("reply.delivered");
  chat.telegram.say(anna.id, "yes");
  const stop = () =>
    chat.telegram.messages(anna.id).find(({ buttons }) => buttons.flat().some(({ text }) => text === "Stop"));
  await chat.until(stop);
  expect(stop()?.text).toContain("first words");
});

test("an answer that stands in the place of a draft stands there once, also if Steward ends before it knows", async () => {
  const chat = await withSlowAnswer();
  chat.telegram.say(anna.id, "tell me");
  await chat.untilEvent("draft.shown");
  // the answer is there, and nobody hears so
  chat.telegram.fail("editMessageText", { kind: "drop", when: "after" }, 50);
  chat.finish();
  await chat.until(() => chat.shown().includes(`${long} The end.`));
  await chat.close();
  chat.telegram.mend();
  // what the next one would like to remove it cannot
  chat.telegram.fail("deleteMessage", { kind: "refuse", status: 500, description: "Internal Server Error" }, 50);
  const { home, telegram } = chat;
  const next = await openChat({ home, telegram, script: [] });
  await next.untilEvent("reply.delivered");
  expect(next.shown()).toEqual([`${long} The end.`]);
});
