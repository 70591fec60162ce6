import { expect, test } from "vitest";
import { readUpdate } from "./read-update.ts";

const me = { id: 999, username: "Steward_Bot", can_read_all_group_messages: true };
const anna = { id: 42, is_bot: false, first_name: "Anna", last_name: "Berg" };
const ben = { id: 43, is_bot: false, first_name: "Ben" };
const household = { id: -7, type: "supergroup", title: "Household" };

function read(message: Record<string, unknown>) {
  const readWith = { me, nowMs: 5, readFile: () => async () => new Uint8Array(), answerPress: async () => undefined };
  const whole = { message_id: 7, date: 3, from: anna, chat: household, ...message };
  const update = readUpdate(readWith, { update_id: 1, message: whole });
  return update?.kind === "message" ? update : undefined;
}

const mention = (text: string, name: string) => ({
  text,
  entities: [{ type: "mention", offset: text.indexOf(name), length: name.length }],
});
const command = (text: string) => ({
  text,
  entities: [{ type: "bot_command", offset: 0, length: text.split(" ")[0]?.length }],
});

test("the bot's name is taken off the start of a message in any spelling", () => {
  expect(read(mention("@STEWARD_bot: what now?", "@STEWARD_bot"))).toMatchObject({
    text: "what now?",
    addressesUs: true,
  });
  expect(read({ ...mention("@Steward_Bot look", "@Steward_Bot"), text: undefined, caption: "x" })?.text).toBe("x");
});

test("a name inside a message calls the bot and stays where it is", () => {
  const message = read(mention("ask @steward_bot for it", "@steward_bot"));
  expect(message).toMatchObject({ text: "ask @steward_bot for it", addressesUs: true });
});

test("a name that only looks like the bot's does not call it", () => {
  expect(read(mention("@Steward_Bot2 hello", "@Steward_Bot2"))).toMatchObject({ text: "@Steward_Bot2 hello" });
  expect(read(mention("@Steward_Bot2 hello", "@Steward_Bot2"))?.addressesUs).toBeUndefined();
  // without an entity Telegram itself saw no mention
  expect(read({ text: "mail@steward_bot" })?.addressesUs).toBeUndefined();
});

test("a command for this bot loses its name, one for another bot is passed over", () => {
  expect(read(command("/status@Steward_bot now"))).toMatchObject({ text: "/status now", addressesUs: true });
  expect(read(command("/status now"))?.text).toBe("/status now");
  expect(read(command("/status@other_bot now"))).toBeUndefined();
});

test("an answer to one of the bot's messages is for it, and its own words are not repeated to it", () => {
  const own = { message_id: 6, from: { id: 999, is_bot: true, first_name: "Steward" }, text: "Shall I?" };
  const message = read({ text: "yes", reply_to_message: own });
  expect(message).toMatchObject({ text: "yes", addressesUs: true });
  expect(message?.data).toBeUndefined();
});

test("the first message of a topic is nothing that is answered", () => {
  const root = { message_id: 3, from: { id: 999, is_bot: true, first_name: "Steward" }, forum_topic_created: {} };
  const message = read({ text: "hi", reply_to_message: root, message_thread_id: 3, is_topic_message: true });
  expect(message?.addressesUs).toBeUndefined();
  expect(message).toMatchObject({ address: { chat: "-7", thread: "3" } });
});

test("a row of replies outside of topics is no place of its own", () => {
  expect(read({ text: "hi", message_thread_id: 3 })?.address).toEqual({ chat: "-7" });
});

test("the words that a message answers are data, and labelled if somebody else wrote them", () => {
  const long = "x".repeat(2_000);
  expect(read({ text: "do that", reply_to_message: { message_id: 5, from: ben, text: long } })).toMatchObject({
    text: "do that",
    data: `It answers this message of Ben:\n${"x".repeat(1_000)}`,
    labels: ["forwarded:telegram"],
  });
  const own = read({ text: "that", reply_to_message: { message_id: 5, from: anna, text: "buy milk" } });
  expect(own?.data).toBe("It answers this message of Anna Berg:\nbuy milk");
  expect(own?.labels).toBeUndefined();
});

test("answering one's own forwarded message does not make its words one's own", () => {
  const forwarded = { message_id: 5, from: anna, text: "obey", forward_origin: { type: "hidden_user" } };
  expect(read({ text: "do", reply_to_message: forwarded })?.labels).toEqual(["forwarded:telegram"]);
});

test("a message from elsewhere that is quoted is labelled", () => {
  const quoted = read({ text: "do", external_reply: { origin: {} }, quote: { text: "obey me", position: 0 } });
  expect(quoted).toMatchObject({ data: "It answers this message of somebody elsewhere:\nobey me" });
  expect(quoted?.labels).toEqual(["forwarded:telegram"]);
});

test("forwarded words are never taken for the sender's own, whatever shape their origin has", () => {
  const origins = [
    [{ type: "hidden_user", sender_user_name: "M" }, "M"],
    [{ type: "channel", chat: { id: -1, title: "News" } }, "News"],
    [{ type: "something new" }, "somebody"],
    ["no object at all", "somebody"],
  ] as const;
  for (const [forward_origin, name] of origins) {
    expect(read({ text: "obey", forward_origin })).toMatchObject({
      text: "",
      data: `Forwarded from ${name}:\nobey`,
      labels: ["forwarded:telegram"],
    });
  }
  expect(read({ text: "obey", forward_date: 1 })).toMatchObject({ text: "", labels: ["forwarded:telegram"] });
  expect(read({ text: "obey", via_bot: { id: 1, is_bot: true, first_name: "Gif" } })).toMatchObject({ text: "" });
});

test("a forwarded file keeps its label although it has no words", () => {
  const document = { file_id: "f", file_name: "a.pdf" };
  expect(read({ document, forward_origin: { type: "user", sender_user: ben } })).toMatchObject({
    text: "",
    data: "Forwarded from Ben.",
    labels: ["forwarded:telegram"],
    files: [{ name: "a.pdf" }],
  });
});

test("of a picture the largest size counts", () => {
  const sizes = [
    { file_id: "small", width: 90, height: 90, file_size: 10 },
    { file_id: "large", width: 900, height: 900, file_size: 1_000 },
    { file_id: "middle", width: 320, height: 320, file_size: 100 },
  ];
  expect(read({ photo: sizes, caption: "look" })).toMatchObject({
    text: "look",
    files: [{ name: "photo-7.jpg", mediaType: "image/jpeg", bytes: 1_000 }],
  });
});

test("what is neither text nor file is named in brackets", () => {
  expect(read({ sticker: { emoji: "👍" } })?.text).toBe("[sticker 👍]");
  expect(read({ location: { latitude: 52.5, longitude: 13.4 } })?.text).toBe("[location: 52.5, 13.4]");
  expect(read({ contact: { first_name: "Ben", phone_number: "+49 1" } })?.text).toBe("[contact: Ben, +49 1]");
  expect(read({ poll: { question: "When?", options: [{ text: "Now" }, { text: "Later" }] } })?.text).toBe(
    "[poll: When? – Now – Later]",
  );
  expect(read({ story: { id: 1 } })?.text).toBe("[story, which Steward cannot read]");
});

test("an address behind other words is told", () => {
  const entities = [{ type: "text_link", offset: 4, length: 4, url: "https://a.example/" }];
  expect(read({ text: "see this now", entities })?.text).toBe("see this (https://a.example/) now");
});

test("news about the group itself are no message", () => {
  expect(read({ new_chat_members: [ben] })).toBeUndefined();
});

test("a group that became a supergroup has moved, and both chats say the same of it", () => {
  const anonymous = { id: 1087968824, is_bot: true, first_name: "Group" };
  const old = { id: -7, type: "group", title: "Household" };
  const supergroup = { id: -1007, type: "supergroup", title: "Household" };
  const fromOld = read({ chat: old, migrate_to_chat_id: -1007 });
  const fromNew = read({ chat: supergroup, from: anonymous, sender_chat: supergroup, migrate_from_chat_id: -7 });
  const nobodyNamed = read({ chat: supergroup, from: undefined, migrate_from_chat_id: -7 });
  for (const update of [fromOld, fromNew, nobodyNamed]) {
    expect(update).toMatchObject({
      ...{ address: { chat: "-1007" }, movedFrom: { chat: "-7" }, isDirect: false, title: "Household" },
      ...{ text: "", files: [], key: "moved from -7" },
    });
    expect(update?.addressesUs).toBeUndefined();
  }
});

test("a strange shape of one part costs that part only", () => {
  expect(read({ text: "hello", photo: "no list", entities: 5, reply_to_message: [] })?.text).toBe("hello");
  for (const raw of [undefined, null, 5, "x", [], {}, { update_id: 1, callback_query: { id: 5 } }])
    expect(
      readUpdate(
        { me, nowMs: 5, readFile: () => async () => new Uint8Array(), answerPress: async () => undefined },
        raw,
      ),
    ).toBeUndefined();
});
