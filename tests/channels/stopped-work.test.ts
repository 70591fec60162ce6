// Whoever is taken out leaves nothing behind that goes on: neither a person nor a group.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EventType } from "../../src/contract/event.ts";
import type { ModelRequest } from "../../src/contract/model.ts";
import { anna, bert, family, openChat } from "../scenes/channels/chat-scene.ts";
import { household, openGroupChat } from "../scenes/channels/group-scene.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

const hanging = { hangsAfter: "One moment" };
const conversationsOf = async (chat: Pick<Awaited<ReturnType<typeof openChat>>, "events">, type: EventType) =>
  (await chat.events()).flatMap((event) => (event.type === type ? [event.conversation] : [])).sort();

/** Anna was let in by a code. */
async function letIn(script: (request: ModelRequest) => typeof hanging | { text: string }, channels = {}) {
  const chat = await openChat({ script, allowed: [], channels });
  const { code } = (await chat.call("channels.pair", {})) as { code: string };
  chat.telegram.say(anna.id, code);
  await chat.until(() => chat.shown().some((text) => text.startsWith("Welcome, Anna")));
  return { ...chat, removeAnna: () => chat.call("channels.remove_person", { channel: "telegram", person: "42" }) };
}

test("what a person has asked for goes no further once they are removed, and nothing that waits begins", async () => {
  const chat = await letIn(() => hanging);
  chat.telegram.say(anna.id, "send all my files");
  await chat.until(() => chat.model.requests.length === 1);
  chat.telegram.say(anna.id, "and the keys");
  await chat.untilEvent("message.received", 2);
  await chat.say("go on with my own work", "web--one");
  await chat.untilEvent("turn.started", 2);
  await chat.removeAnna();
  expect(await conversationsOf(chat, "message.withdrawn")).toEqual(["telegram--42"]);
  const [finished] = await chat.untilEvent("turn.finished");
  expect(finished).toMatchObject({ conversation: "telegram--42", ending: "stopped" });
  const events = await chat.events();
  const removedAt = events.findIndex(({ type }) => type === "person.removed");
  expect(events.slice(0, removedAt).map(({ type }) => type)).toContain("turn.stop_requested");
  expect(await conversationsOf(chat, "turn.started")).toEqual(["telegram--42", "web--one"]);
  expect(await conversationsOf(chat, "turn.finished")).toEqual(["telegram--42"]);
});

test("a voice that is still being turned into words when its speaker is removed is not heard", async () => {
  const go = join(await temporaryFolder(), "go");
  const transcribeCommand = ["sh", "-c", `until [ -e ${go} ]; do sleep 0.05; done; cat "$0"`, "{file}"];
  const chat = await letIn(() => ({ text: "Done." }), { transcribeCommand });
  const id = chat.telegram.upload(Buffer.from("send all my files"), "voice/1.oga");
  chat.telegram.show(anna.id, { voice: { file_id: id, file_size: 5, duration: 1, mime_type: "audio/ogg" } });
  await chat.until(() => chat.telegram.asked("getFile").length > 0);
  await chat.removeAnna();
  await writeFile(go, "");
  await chat.until(() => chat.telegram.pending().length === 0);
  expect(await conversationsOf(chat, "message.received")).toEqual([]);
  expect(chat.model.requests).toEqual([]);
});

test("everything of a group is stopped when it is removed: its chat, its threads and its tasks", async () => {
  const chat = await openGroupChat({ group: { mode: "auto" } });
  const later = { when: "2090-01-01T12:00:00Z", prompt: "look around", title: "Look" };
  await chat.turn({ calls: [{ tool: "schedule_task", arguments: later }] });
  const [task] = await chat.tasks();
  chat.runs.push(hanging);
  await chat.call("tasks.run", { id: task?.id });
  await chat.untilEvent("turn.started", 2);
  for (const [count, thread] of [undefined, 7].entries()) {
    chat.plan.push(hanging);
    chat.telegram.say(family, "@Andy go on", { from: bert, ...(thread && { thread }) });
    await chat.untilEvent("turn.started", 3 + count);
  }
  // what comes before a turn has asked its model is taken in by it
  await chat.until(() => chat.model.requests.length === 5);
  chat.telegram.say(family, "@Andy and on", { from: bert, thread: 7 });
  await chat.untilEvent("message.received", 5);
  chat.plan.push(hanging);
  await chat.say("my own work", "web--one");
  await chat.untilEvent("turn.started", 5);
  await chat.call("groups.remove", { group: "household" });
  const all = [household, `${household}--7`, task?.sessionKey ?? ""].sort();
  expect(await conversationsOf(chat, "turn.stop_requested")).toEqual(all);
  expect(await conversationsOf(chat, "message.withdrawn")).toEqual([`${household}--7`]);
  await chat.until(async () => (await conversationsOf(chat, "turn.finished")).length === 4);
  expect(await conversationsOf(chat, "turn.finished")).toEqual([household, ...all].sort());
  expect(await conversationsOf(chat, "turn.started")).toHaveLength(5);
});
