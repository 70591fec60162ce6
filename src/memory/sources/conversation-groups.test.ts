import { expect, test } from "vitest";
import {
  indexOver,
  saidMessage as message,
  writtenReply as reply,
} from "../../../tests/scenes/memory/conversation-index.ts";
import { conversationAt } from "../../contract/channel/address.ts";
import { GroupOptions } from "../../contract/channel/group.ts";
import { installationKey, type NewEvent } from "../../contract/event.ts";

const owner = { kind: "owner", id: "owner" } as const;

const chatOf = (chat: string, more: object = {}, thread?: string) => {
  const address = { chat, ...(thread !== undefined && { thread }) };
  const key = conversationAt("telegram", address);
  const met = { type: "chat.met", conversation: key, channel: "telegram", address, isDirect: false, title: chat };
  return { key, met: { ...met, ...more } as NewEvent };
};
const register = (group: string, chat: string, more: object = {}): NewEvent => ({
  ...{ type: "group.registered", conversation: installationKey, group, title: group, channel: "telegram" },
  ...{ address: { chat }, options: GroupOptions.parse({}), by: owner, ...more },
});
const remove = (group: string): NewEvent => ({
  type: "group.removed",
  conversation: installationKey,
  group,
  by: owner,
});
const inGroup = (text: string, key: string) =>
  message(text, { conversation: key, sender: { kind: "group", id: "9", name: "Bob" } });

test("what is said in a group is the group's alone, in its threads too", async () => {
  const index = await indexOver();
  const [family, thread, work] = [chatOf("-1"), chatOf("-1", {}, "5"), chatOf("-2")];
  await index.add(family.met, thread.met, work.met, register("family", "-1"), register("work", "-2"), message("mine"));
  await index.add(inGroup("ours", family.key), inGroup("in a thread", thread.key), inGroup("at work", work.key));
  await index.add(reply("to the family", { conversation: family.key }));
  expect(await index.texts()).toEqual(["mine"]);
  expect(await index.texts("family")).toEqual(["ours", "to the family", "in a thread"]);
  expect(await index.texts("work")).toEqual(["at work"]);
});

test("keys that look like a group's belong to no group", async () => {
  const index = await indexOver();
  const [family, direct] = [chatOf("-1"), chatOf("-1--5", { isDirect: true, person: "1" })];
  await index.add(family.met, direct.met, register("family", "-1"), message("mine", { conversation: direct.key }));
  for (const key of [
    `${family.key}--5`,
    `${family.key}5`,
    family.key.toUpperCase(),
    `terminal--${family.key}`,
    "terminal--family",
  ])
    await index.add(message("mine too", { conversation: key }));
  await index.add(chatOf("-1", { channel: "slack", conversation: "slack---1", isDirect: true }).met);
  await index.add(message("mine on another platform", { conversation: "slack---1" }));
  expect(await index.texts("family")).toEqual([]);
  expect(await index.texts()).toHaveLength(7);
});

test("a group that is registered later takes its words out of the owner's memory, once", async () => {
  const index = await indexOver();
  const family = chatOf("-1");
  await index.add(message("mine"), inGroup("before it was met", family.key));
  expect(await index.texts()).toEqual(["mine", "before it was met"]);
  await index.add(family.met, register("family", "-1"), inGroup("after", family.key));
  expect([await index.texts(), await index.texts("family")]).toEqual([["mine"], ["before it was met", "after"]]);
  expect(index.timesAnew()).toBe(1);
  await index.add(inGroup("later", family.key));
  expect(await index.texts("family")).toHaveLength(3);
  expect(index.timesAnew()).toBe(1);
});

test("what a removed group has said is nobody's, until it is registered again", async () => {
  const index = await indexOver();
  const family = chatOf("-1");
  await index.add(family.met, register("family", "-1"), inGroup("ours", family.key), message("mine"));
  expect(await index.texts("family")).toEqual(["ours"]);
  await index.add(remove("family"), inGroup("said meanwhile", family.key));
  expect((await index.held()).map(({ text }) => text)).toEqual(["mine"]);
  await index.add(register("family", "-1"));
  expect(await index.texts("family")).toEqual(["ours", "said meanwhile"]);
});

test("a name that another chat has now shows nothing of the chat that had it before", async () => {
  const index = await indexOver();
  const [old, young] = [chatOf("-1"), chatOf("-2")];
  await index.add(old.met, young.met, register("family", "-1"), inGroup("old secret", old.key));
  await index.held();
  await index.add(register("family", "-2"), inGroup("new", young.key));
  expect(await index.texts("family")).toEqual(["new"]);
  expect(await index.texts()).toEqual([]);
});

test("a group that has moved to another chat keeps what it said before", async () => {
  const index = await indexOver();
  const [old, young] = [chatOf("-1"), chatOf("-2")];
  await index.add(old.met, register("family", "-1"), inGroup("before", old.key));
  await index.held();
  await index.add(register("family", "-2", { movedFrom: { chat: "-1" } }), young.met, inGroup("after", young.key));
  expect(await index.texts("family")).toEqual(["before", "after"]);
});

test("a group that was settled while nobody looked is noticed by the next process", async () => {
  const index = await indexOver();
  const family = chatOf("-1");
  await index.add(inGroup("ours", family.key));
  expect(await index.texts()).toEqual(["ours"]);
  await index.add(family.met, register("family", "-1"));
  index.reopen();
  expect([await index.texts(), await index.texts("family")]).toEqual([[], ["ours"]]);
});

test("mails are nobody's but of whoever is answered there", async () => {
  const index = await indexOver();
  const key = conversationAt("email", { chat: "bob@example.net" });
  const place = { conversation: key, channel: "email" };
  await index.add({ type: "chat.met", ...place, address: { chat: "bob@example.net" }, isDirect: true, title: "Re" });
  await index.add(message("a mail", { ...place, sender: { kind: "stranger", id: "bob@example.net" } }));
  const [held] = await index.held();
  expect(held?.whose).toMatch(/^mail-/);
});
