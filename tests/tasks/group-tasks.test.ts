// What the owner plans for a group from a conversation of their own: it belongs to the group, with its rights and no more.
import { expect, test } from "vitest";
import { anna, bert, family } from "../scenes/channels/chat-scene.ts";
import {
  type Call,
  filesIn,
  type GroupChat,
  household,
  openGroupChat,
  put,
  steps,
  work,
} from "../scenes/channels/group-scene.ts";

const later = { when: "2090-01-01T12:00:00Z" };
const list = { ...later, prompt: "write the list", title: "List" };
const plan = (wish: object): Call => ({ tool: "schedule_task", arguments: wish });

/** Nobody has spoken there since it is a group. */
async function openFamily() {
  const chat = await openGroupChat({ registers: false });
  chat.telegram.say(family, "hello", { from: bert });
  await chat.until(() => chat.telegram.pending().length === 0);
  const place = { channel: "telegram", address: { chat: String(family) } };
  const options = { mode: "auto" };
  await chat.call("groups.register", { ...place, title: "Family Chat", name: "household", options });
  return chat;
}

/** The owner says so in their own chat. */
const order = (chat: GroupChat, calls: readonly Call[], text = 'schedule a task for "Family Chat": write the list') =>
  chat.turn({ chat: anna.id, says: { from: anna }, text, calls });

const lastOutput = async (chat: GroupChat) => (await chat.outputs()).at(-1)?.output;

test("a task that the owner plans for a group runs in it, with its folder and its rights, and tells it", async () => {
  const chat = await openFamily();
  await put(chat.workspace, { "diary.md": "walnut" });
  await put(chat.folder(), { "MEMORY.md": "The cat is called Mia." });
  await order(chat, [plan({ ...list, group: "Family Chat" }), plan({ ...later, remind: "Own" })]);
  const made = (await chat.tasks()).find(({ title }) => title === "List");
  expect(made).toMatchObject({ madeIn: household, group: "household", deliverTo: "origin", owner: { kind: "group" } });
  expect(await chat.open()).toEqual([]);
  const asked = chat.asked().length;
  const write = { tool: "write", arguments: { path: "list.md", content: "bread" } };
  const looks = [
    { tool: "read", arguments: { path: "diary.md" } },
    { tool: "list_tasks", arguments: {} },
  ];
  chat.runs.push(...steps([write, ...looks, { tool: "list_groups", arguments: {} }]), { text: "It is written." });
  await chat.call("tasks.run", { id: made?.id });
  await chat.until(() => chat.shown(family).includes("Andy: It is written."));
  expect((await filesIn(chat.folder()))["list.md"]).toBe("bread");
  expect(Object.keys(await filesIn(chat.workspace))).not.toContain("list.md");
  const outputs = (await chat.outputs()).slice(-4);
  expect(outputs.map(({ outcome }) => outcome)).toEqual(["done", "failed", "done", "denied"]);
  expect(outputs[2]?.output).not.toContain("Own");
  const told = chat.asked().slice(asked).join("\n");
  expect(told).toContain("The cat is called Mia.");
  expect(told).not.toContain("walnut");
  expect(chat.shown().some((text) => text.includes("It is written."))).toBe(false);
});

test("the owner's list says to which group a task belongs, and the group's own holds it too", async () => {
  const chat = await openFamily();
  await order(chat, [plan({ ...list, group: "household" }), plan({ ...later, remind: "Own" })], "household, please");
  expect(await lastOutput(chat)).not.toContain("group");
  expect((await chat.outputs())[0]?.output).toContain("For the group household.");
  await order(chat, [{ tool: "list_tasks", arguments: {} }], "what is planned?");
  const lines = (await lastOutput(chat))?.split("\n") ?? [];
  expect(lines.filter((line) => line.endsWith("; group household"))).toEqual([expect.stringContaining("  List — ")]);
  await chat.turn({ calls: [{ tool: "list_tasks", arguments: {} }] });
  expect(await lastOutput(chat)).toMatch(/^t\w+ {2}List — [^;]*$/);
});

test("a group that the owner has not named is asked about before anything is planned for it", async () => {
  const chat = await openFamily();
  chat.begin({ chat: anna.id, says: { from: anna }, text: "plan it", calls: [plan({ ...list, group: "household" })] });
  await chat.until(async () => (await chat.open()).length === 1);
  const [question] = await chat.open();
  expect(question?.display).toContain("For the group: household");
  expect(await chat.tasks()).toEqual([]);
});

test.for([
  [{ ...list, group: "nowhere" }, "There is no group “nowhere”. There are: household."],
  [{ ...list, group: "household", deliver_to: "last" }, "is told in the group"],
  [{ on: "file:inbox", prompt: "look", group: "household" }, "begins at a time only"],
  [{ id: "t1", title: "New", group: "household" }, "stays where it was made"],
] as const)("what cannot be planned for a group is told in words (%#)", async ([wish, words]) => {
  const chat = await openFamily();
  await order(chat, [plan(wish)], "for household or nowhere");
  expect(await lastOutput(chat)).toContain(words);
  expect(await chat.tasks()).toEqual([]);
});

test("nobody plans for another group from within a group, nor does a run", async () => {
  const chat = await openFamily();
  await chat.register(work, "work");
  await chat.answered({ calls: [plan({ ...list, group: "work" })], text: "@Andy plan it for work" });
  expect(await lastOutput(chat)).toContain("only in a conversation of their own");
  const action = { kind: "do", prompt: "plan it for work" };
  await chat.call("tasks.create", { when: later.when, action, title: "Own" });
  chat.runs.push(...steps([plan({ ...list, group: "work" })]), { text: "Done." });
  const [own] = await chat.tasks();
  await chat.call("tasks.run", { id: own?.id });
  await chat.untilEvent("task.settled");
  expect(await lastOutput(chat)).toContain("only in a conversation of their own");
  expect(await chat.tasks()).toHaveLength(1);
});

test("what the owner has planned for a group never gets the owner's rights, also when all of the group is gone", async () => {
  const chat = await openFamily();
  await put(chat.workspace, { "diary.md": "walnut" });
  const planned = (await chat.call("tasks.create", {
    ...{ when: later.when, group: "family chat", action: { kind: "do", prompt: "look" } },
  })) as { task: { id: string } };
  await chat.call("groups.remove", { group: "household" });
  await chat.call("sessions.delete", { sessionKey: household });
  chat.runs.push(...steps([{ tool: "read", arguments: { path: "diary.md" } }]), { text: "Done." });
  await chat.call("tasks.run", { id: planned.task.id });
  await chat.untilEvent("task.settled");
  expect((await chat.outputs()).map(({ outcome }) => outcome)).toEqual(["failed"]);
  expect(JSON.stringify(chat.asked())).not.toContain("walnut");
});

test("a reminder that a client makes for a group is said there, and one that would be told elsewhere is refused", async () => {
  const chat = await openFamily();
  const tea = { when: later.when, action: { kind: "say", text: "Tea is ready." }, group: "household" };
  await expect(chat.call("tasks.create", { ...tea, deliverTo: "main" })).rejects.toThrow("is told in the group");
  await expect(chat.call("tasks.create", { ...tea, group: "work" })).rejects.toThrow("There is no group “work”");
  const { task } = (await chat.call("tasks.create", tea)) as { task: { id: string } };
  await chat.call("tasks.run", { id: task.id });
  await chat.until(() => chat.shown(family).includes("Andy: Tea is ready."));
});
