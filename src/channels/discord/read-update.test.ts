import { expect, test } from "vitest";
import {
  idAt,
  isOfAPerson,
  type Reading,
  readDiscordMessage,
  readDiscordPress,
  readWords,
  timeOf,
} from "./read-update.ts";

const bo = { id: "11", username: "bo_99", global_name: "Bo" };
const reading: Reading = {
  place: { address: { chat: "5" }, isDirect: false, title: "Home #general", ownRoleId: "77" },
  ownId: "10",
  channelName: (id) => (id === "5" ? "general" : undefined),
  fetchFile: async () => new Uint8Array(),
};

function read(content: string, more: Record<string, unknown> = {}) {
  const mentions = [
    { id: "10", username: "Steward", bot: true },
    { id: "12", username: "eve", global_name: null },
  ];
  const message = readDiscordMessage({
    id: "175928847299117063",
    channel_id: "5",
    type: 0,
    author: bo,
    content,
    mentions,
    ...more,
  });
  return message && readWords(reading, message);
}

test.each([
  ["<@10> what is up?", "what is up?"],
  ["<@!10>  <@&77> what is up?", "what is up?"],
  ["what does <@10> say?", "what does @Steward say?"],
  ["<@10>", "@Steward"],
])("%s names Steward, and reads %s", (content, text) => {
  expect(read(content)).toMatchObject({ text, addressesUs: true });
});

test.each([
  ["ask <@12> in <#5> <:hat:123>", "ask @eve in #general :hat:"],
  ["ask <@99> in <#6> or <@&78>", "ask <@99> in <#6> or <@&78>"],
])("%s reads %s", (content, text) => {
  expect(read(content)).toMatchObject({ text });
  expect(read(content)).not.toHaveProperty("addressesUs");
});

test("a nickname goes before the name, and that before the name of the account", () => {
  expect(read("hi", { member: { nick: "Bobby" } })?.from).toEqual({ id: "11", name: "Bobby" });
  expect(read("hi")?.from.name).toBe("Bo");
  expect(read("hi", { author: { id: "11", username: "bo_99" } })?.from.name).toBe("bo_99");
});

test("a sticker is named, and a long quotation is cut", () => {
  expect(read("", { sticker_items: [{ id: "1", name: "Wave" }] })?.text).toBe("[sticker: Wave]");
  const quoted = { content: "x".repeat(5_000), author: { id: "12", username: "eve" } };
  expect(read("so?", { type: 19, referenced_message: quoted })?.data).toMatch(
    /^It answers this message of .+:\nx{1000}$/,
  );
});

test("one part of a message that has another shape does not take the rest with it", () => {
  const odd = {
    attachments: [{ url: 7 }, { url: "https://cdn.discordapp.com/a" }],
    mentions: "?",
    flags: "?",
    member: 7,
  };
  expect(read("hi", odd)).toMatchObject({
    text: "hi",
    files: [{ name: "file", mediaType: "application/octet-stream" }],
  });
  expect(read("hi", { author: "?" })).toBeUndefined();
  expect(readDiscordPress({ type: 3, data: {} })).toBeUndefined();
});

test("a deleted message that is answered counts for nothing", () => {
  const message = read("yes", { type: 19, referenced_message: null });
  expect(message).not.toHaveProperty("data");
  expect(message).not.toHaveProperty("addressesUs");
});

test("only people count", () => {
  const base = { id: "1", channel_id: "5", type: 0, author: bo, content: "x" };
  const isOfOne = (more: Record<string, unknown>) => {
    const message = readDiscordMessage({ ...base, ...more });
    return message !== undefined && isOfAPerson(message);
  };
  expect(isOfOne({})).toBe(true);
  expect(isOfOne({ type: 19 })).toBe(true);
  expect(isOfOne({ type: 6 })).toBe(false);
  expect(isOfOne({ author: { ...bo, bot: true } })).toBe(false);
  expect(isOfOne({ webhook_id: "9" })).toBe(false);
});

test("an id tells when it was made", () => {
  expect(new Date(timeOf("175928847299117063")).toISOString()).toBe("2016-04-30T11:18:25.796Z");
  expect(timeOf(idAt(1_700_000_000_123))).toBe(1_700_000_000_123);
});
