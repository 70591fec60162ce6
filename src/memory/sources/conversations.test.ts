import { expect, test } from "vitest";
import {
  indexOver,
  saidMessage as message,
  writtenReply as reply,
} from "../../../tests/scenes/memory/conversation-index.ts";
import { conversation } from "../../../tests/scenes/stores.ts";
import type { NewEvent } from "../../contract/event.ts";

const owner = { kind: "owner", id: "owner" } as const;
const returned = (labels: readonly string[], more: object = {}): NewEvent =>
  ({
    ...{ type: "tool.returned", conversation, turn: "t1", callId: "c", tool: "web_fetch", outcome: "done" },
    ...{ output: "a page", labels, ...more },
  }) as NewEvent;

test("what was said is held with who said it, when and where", async () => {
  const index = await indexOver();
  await index.add(message("Buy oat milk", { sender: { ...owner, name: "Ada" } }), reply("It is on the list."));
  expect(await index.held()).toMatchObject([
    { whose: "owner", conversation, day: "2026-11-15", speaker: "Ada", seq: 1, text: "Buy oat milk", labels: [] },
    { whose: "owner", conversation, day: "2026-11-15", speaker: "Steward", seq: 2, text: "It is on the list." },
  ]);
});

test("what is said while the index is open comes in as soon as it is said", async () => {
  const index = await indexOver();
  await index.add(message("one"));
  expect(await index.texts()).toEqual(["one"]);
  let news = 0;
  const unsubscribe = index.subscribe(() => (news += 1));
  await index.add(message("two"), reply("three"));
  await index.add({ type: "turn.started", conversation, turn: "t", messages: [] });
  expect(news).toBe(1);
  expect(await index.texts()).toEqual(["one", "two", "three"]);
  unsubscribe();
});

test("a long log is taken in whole, and nothing twice", async () => {
  const index = await indexOver();
  await index.add(...Array.from({ length: 1_000 }, (_, at) => message(`note ${at}`, { messageId: `m${at}` })));
  const texts = await index.texts();
  expect(texts).toHaveLength(1_000);
  expect(new Set(texts).size).toBe(1_000);
});

test("the day is that of the owner's time zone, and a conversation is another session on the next one", async () => {
  const index = await indexOver({ atMs: Date.parse("2026-11-15T22:59:59Z"), timeZone: "Europe/Berlin" });
  await index.add(message("late"));
  index.at(Date.parse("2026-11-15T23:00:00Z"));
  await index.add(message("early"));
  expect((await index.held()).map(({ day, text }) => [day, text])).toEqual([
    ["2026-11-15", "late"],
    ["2026-11-16", "early"],
  ]);
});

test.each([true, false])(
  "what was set aside is gone, and what was said instead is there (read before: %s)",
  async (before) => {
    const index = await indexOver();
    await index.add(message("first plan"), reply("noted"), message("other plan"));
    if (before) await index.held();
    await index.add({ type: "conversation.rewound", conversation, fromSeq: 2, by: owner }, message("better plan"));
    expect(await index.texts()).toEqual(["first plan", "better plan"]);
  },
);

test.each([true, false])("a deleted conversation is gone, and others stay (read before: %s)", async (before) => {
  const index = await indexOver();
  const other = { conversation: "terminal--other" };
  await index.add(message("one"), reply("two"), message("kept", other));
  if (before) await index.held();
  await index.add({ type: "conversation.deleted", conversation, by: owner }, message("new life"));
  expect(await index.texts()).toEqual(["kept", "new life"]);
});

test.each([true, false])(
  "forgotten messages are gone, and those around them stay (read before: %s)",
  async (before) => {
    const index = await indexOver();
    await index.add(message("one"), message("two"), reply("three"), message("four"));
    if (before) await index.held();
    await index.add({ type: "messages.forgotten", conversation, seqs: [2, 3], by: owner });
    expect(await index.texts()).toEqual(["one", "four"]);
  },
);

test("what tasks think, programs send, Steward tells itself and asks, and reminders are not held", async () => {
  const index = await indexOver();
  const run = { task: "x", dueAtMs: 1, cause: "schedule" as const };
  await index.add(
    ...[message("a", { conversation: "task--x" }), reply("b", { conversation: "heartbeat--main" })],
    ...[message("c", { conversation: "api--key", channel: "api" }), reply("d", { conversation: "hook--h" })],
    message("e", { sender: { kind: "system", id: "process:1" } }),
    reply("f", { asks: "approval-1" }),
    reply("g", { task: { id: "x", title: "X", ask: "approval-2" } }),
    reply("h", { task: { id: "x", title: "X", run } }),
    reply("  \n"),
    reply("kept: what a task found out", { task: { id: "x", title: "X" } }),
  );
  expect(await index.texts()).toEqual(["kept: what a task found out"]);
});

test("a message that is long is cut, and what was pasted is held by its beginning", async () => {
  const index = await indexOver();
  await index.add(message("A sentence. ".repeat(2_000)));
  const held = await index.held();
  expect(held.length).toBeGreaterThan(3);
  expect(held.every(({ seq }) => seq === 1)).toBe(true);
  expect(held.map(({ text }) => text).join(" ").length).toBeLessThanOrEqual(8_000);
});

test("a reply bears what the conversation had read by then, and what the owner said bears nothing", async () => {
  const index = await indexOver();
  await index.add(message("look"), reply("clean"), returned(["web:a.org"]), reply("of a"), message("thanks"));
  await index.add(
    returned(["web:b.org"], { turn: "t2" }),
    reply("of both"),
    reply("other", { conversation: "terminal--b" }),
  );
  expect((await index.held()).map(({ text, labels }) => [text, ...labels])).toEqual([
    ...[["look"], ["clean"], ["of a", "web:a.org"], ["thanks"], ["of both", "web:a.org", "web:b.org"], ["other"]],
  ]);
});

test("what was read long before a reply, and right after another one, still clings to it", async () => {
  const index = await indexOver();
  await index.add(reply("clean"), returned(["web:a.org"]));
  await index.add(...Array.from({ length: 150 }, (_, at) => message("so", { messageId: `m${at}` })), reply("of a"));
  const held = await index.held();
  expect([held[0]?.labels, held.at(-1)?.labels]).toEqual([[], ["web:a.org"]]);
});

test("after a conversation was begun anew its replies are clean, and what is read again later says so", async () => {
  const index = await indexOver();
  await index.add(returned(["web:a.org"]), reply("of a"), { type: "conversation.renewed", conversation, by: owner });
  await index.add(reply("clean again"));
  const labels = async () => (await index.held()).map((each) => each.labels);
  expect(await labels()).toEqual([["web:a.org"], []]);
  index.reopen();
  await index.add(returned(["web:b.org"]), reply("of b"));
  expect((await labels()).at(-1)).toEqual(["web:b.org"]);
});

test("words of strangers, of others in a file and of a task bear where they come from", async () => {
  const index = await indexOver();
  await index.add(
    message("hi", { sender: { kind: "stranger", id: "7" } }),
    message("see this", {
      attachments: [{ sha256: "a".repeat(64), name: "bill.pdf", mediaType: "application/pdf", bytes: 1 }],
    }),
    message("look", { data: "a page", labels: ["web:x.org"] }),
    reply("done", { task: { id: "x", title: "X" }, labels: ["mail:bob"] }),
  );
  expect((await index.held()).map(({ text, labels }) => [text, ...labels])).toEqual([
    ...[["hi", "person:7"], ["see this"], ["look"], ["done", "mail:bob"]],
  ]);
});
