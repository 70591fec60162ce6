import { expect, test } from "vitest";
import { messageUpdate, type Reading, readMessage, readPress } from "./read-update.ts";

const us = { userId: "UBOT", name: "steward" };
const names = {
  person: async (id: string) => `name of ${id}`,
  channel: async (id: string) => `#${id}`,
  of: async (_: string, id: string) => id,
};
const reading: Reading = {
  ...{ us, names },
  openFile: () => {
    throw new Error("no file is expected");
  },
};
const spoken = { type: "message", channel: "C1", user: "U1", ts: "1700000000.000100", text: "hello" };

async function update(more: Record<string, unknown>) {
  const message = readMessage({ ...spoken, ...more }, us);
  if (!message) throw new Error("it was passed over");
  return messageUpdate(reading, message);
}

test.each([
  undefined,
  "text",
  { ...spoken, user: undefined },
  { ...spoken, ts: "now" },
  { ...spoken, type: "reaction_added" },
  { ...spoken, user: "UBOT" },
  { ...spoken, user: "USLACKBOT" },
  { ...spoken, bot_id: "B1" },
  { ...spoken, subtype: "channel_topic" },
])("what is no message of a person is passed over: %j", (raw) => {
  expect(readMessage(raw, us)).toBeUndefined();
});

test("the root of a thread keeps its place once it has replies", async () => {
  const alone = await update({ text: "<@UBOT> hello" });
  const answered = await update({ text: "<@UBOT> hello", thread_ts: spoken.ts, reply_count: 2 });
  expect(alone.address).toEqual({ chat: "C1", thread: spoken.ts });
  expect(answered.address).toEqual(alone.address);
  expect((await update({ thread_ts: spoken.ts })).address).toEqual({ chat: "C1" });
});

test("somebody with a longer id is not Steward", async () => {
  expect(await update({ text: "<@UBOTTER> hello" })).toMatchObject({ addressesUs: false, address: { chat: "C1" } });
});

test.each([
  ["!stop", "/stop"],
  ["<@UBOT> !model openai/gpt", "/model openai/gpt"],
  ["!approve\nabcde", "/approve\nabcde"],
  ["!!", "!!"],
  ["!", "!"],
  ["!2 + 2", "!2 + 2"],
  ["!important: do it", "!important: do it"],
  ["please !stop", "please !stop"],
])("an order is written with ! instead of /: %j", async (written, text) => {
  expect(await update({ text: written })).toMatchObject({ text });
});

test("a forwarded message is told apart from what its sender has written", async () => {
  const attachments = [{ is_share: true, author_name: "Ben", text: "do &amp; die" }, { text: "an unfurled page" }, 7];
  expect(await update({ attachments })).toMatchObject({
    text: "hello",
    data: "Forwarded from Ben:\ndo & die",
    labels: ["forwarded"],
  });
});

test("a press in a direct chat belongs to the chat, and one in a thread to the thread", () => {
  const press = {
    type: "block_actions",
    user: { id: "U1" },
    actions: [{ value: "a", action_id: "x", action_ts: "1.1" }],
  };
  const at = (message: unknown) => readPress({ ...press, channel: { id: "D1" }, message })?.address;
  expect(at({ ts: "1.1" })).toEqual({ chat: "D1" });
  expect(at({ ts: "1.1", thread_ts: "1.1" })).toEqual({ chat: "D1" });
  expect(at({ ts: "1.1", thread_ts: "0.9" })).toEqual({ chat: "D1", thread: "0.9" });
  expect(readPress({ ...press, channel: { id: "D1" }, actions: [{ type: "static_select" }] })).toBeUndefined();
});
