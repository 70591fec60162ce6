import { expect, test } from "vitest";
import type { PlannedTask, TaskRun } from "../../src/contract/wire/methods/tasks.ts";
import { tasksRoom } from "../../src/tasks/tasks-room.ts";
import { messagesRoom } from "../../src/tools/messages/messages-room.ts";
import { type AssistantOptions, openAssistant } from "../scenes/assistant.ts";
import { eventually } from "../scenes/eventually.ts";
import { type ScriptedAnswer, scriptedModel } from "../scenes/scripted-model.ts";
import { conversation } from "../scenes/stores.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";
import { pageTool, testTool } from "../scenes/tools.ts";

// far enough that no machine is too slow to plan it in time; the clock is then set
const later = "2090-01-01T12:00:00Z";
const does = (prompt: string) => ({ kind: "do", prompt });
const says = (text: string) => ({ kind: "say", text });
const noModel = scriptedModel([{ unavailable: "network", message: "no model is there" }]);
const day = 86_400_000;

/** With a clock that stands `aheadMs` before the real one. */
async function open(options: Partial<AssistantOptions> & { aheadMs?: number } = {}) {
  let aheadMs = options.aheadMs ?? 0;
  const nowMs = () => Date.now() + aheadMs;
  const assistant = await openAssistant({ model: noModel, rooms: [tasksRoom, messagesRoom], nowMs, ...options });
  return {
    ...assistant,
    aheadMs: () => aheadMs,
    /** The clock is set to this time, and whoever waits by it looks up. */
    async comes(time: string) {
      aheadMs = Date.parse(time) - Date.now();
      await assistant.call("tasks.create", { when: "2095-01-01T12:00:00Z", action: says("later") });
    },
    create: async (params: object) => (await assistant.call("tasks.create", params)) as { task: PlannedTask },
    history: async (id: string) => ((await assistant.call("tasks.history", { id })) as { runs: TaskRun[] }).runs,
    heard: async (key = conversation) =>
      (await assistant.events()).flatMap((event) =>
        event.type === "reply.written" && event.conversation === key && event.task ? [event.text] : [],
      ),
  };
}

test("a reminder is said where it should be, without any model, and the task is over", async () => {
  const steward = await open();
  const { task } = await steward.create({ when: later, action: says("the tea is ready"), deliverTo: "main" });
  await steward.comes(later);
  await eventually(async () => (await steward.heard()).length > 0);
  expect(await steward.heard()).toEqual(["the tea is ready"]);
  expect(await steward.call("tasks.get", { id: task.id })).toMatchObject({ task: { state: "ended", ended: "done" } });
  expect(await steward.history(task.id)).toMatchObject([
    { state: "done", settled: "delivered", answer: "the tea is ready" },
  ]);
  expect(noModel.requests).toEqual([]);
});

test("a task is done in a turn of its own and its answer goes to the owner, who can speak of it", async () => {
  const model = scriptedModel([{ text: "hello" }, { text: "42 visitors" }, { text: "as I said" }]);
  const steward = await open({ model });
  await steward.say("hi");
  await steward.until("turn.finished");
  const { task } = await steward.create({ when: later, action: does("count the visitors"), title: "visitors" });
  await steward.comes(later);
  await eventually(async () => (await steward.heard()).length > 0);
  expect(await steward.heard()).toEqual(["42 visitors"]);
  expect(model.requests[1]?.messages).toMatchObject([{ role: "user", content: [{ text: "count the visitors" }] }]);
  expect(model.requests[1]?.system.map(({ text }) => text).join("\n")).toContain(
    "This is a run of the task “visitors”",
  );
  await steward.say("how many were there?");
  await steward.until("turn.finished", 3);
  expect(JSON.stringify(model.requests[2]?.messages)).toContain("[from the task “visitors”] 42 visitors");
  expect(await steward.history(task.id)).toMatchObject([{ state: "done", settled: "delivered", cause: "schedule" }]);
  // the list of conversations is the owner's, and runs are none of theirs
  expect(await steward.call("sessions.list", {})).toMatchObject({ sessions: [{ sessionKey: conversation }] });
});

test("a run that has nothing to tell tells nothing", async () => {
  const steward = await open({ model: scriptedModel([{ text: "**NOTHING_TO_REPORT**" }]) });
  const { task } = await steward.create({ when: later, action: does("look") });
  await steward.comes(later);
  await steward.until("task.settled");
  expect([await steward.heard(), (await steward.history(task.id))[0]?.settled]).toEqual([[], "quiet"]);
});

test("a run sees its own words and the last answer, not every run before it", async () => {
  const model = scriptedModel([{ text: "first answer" }, { text: "second answer" }, { text: "third answer" }]);
  const steward = await open({ model });
  const { task } = await steward.create({ when: "every day at 9am", action: does("look again") });
  for (const runs of [1, 2, 3]) {
    await steward.call("tasks.run", { id: task.id });
    await steward.until("task.settled", runs);
  }
  const [, , third] = model.requests;
  expect(third?.messages).toHaveLength(1);
  const told = JSON.stringify(third?.system);
  expect([told.includes("second answer"), told.includes("first answer")]).toEqual([true, false]);
});

test("what a run asks waits in the inbox, is told of, and a month and ten restarts later the run goes on", async () => {
  const home = await temporaryFolder();
  const mail = testTool({ name: "mail", effects: ["sends"], class: "unsafe" });
  const script = (request: { messages: readonly { role: string }[] }): ScriptedAnswer =>
    request.messages.at(-1)?.role === "user"
      ? { text: "", calls: [{ tool: "mail", arguments: { value: "report" } }] }
      : { text: "sent it" };
  const start = (aheadMs = 0) => open({ home, model: scriptedModel(script), tools: [mail], aheadMs });
  let steward = await start();
  const { task } = await steward.create({ when: later, action: does("send the report"), title: "report" });
  await steward.comes(later);
  const [asked] = await steward.until("approval.asked");
  await eventually(async () => (await steward.heard()).length > 0);
  for (let restart = 0; restart < 10; restart += 1) {
    await steward.close();
    steward = await start(steward.aheadMs() + 3 * day);
  }
  expect((await steward.heard()).filter((text) => text.startsWith("I wait for your answer"))).toHaveLength(1);
  expect((await steward.until("approval.reminded", 4)).length).toBeGreaterThanOrEqual(4);
  await steward.call("exec.approve", { approvalId: asked?.approvalId });
  await eventually(async () => (await steward.heard()).includes("sent it"));
  expect([mail.runs, (await steward.history(task.id))[0]?.state]).toEqual([["report"], "done"]);
});

test("cancelling stops a run in the middle and tells nobody of its half", async () => {
  const steward = await open({ model: scriptedModel([{ hangsAfter: "I begin" }]) });
  const { task } = await steward.create({ when: later, action: does("work for long") });
  await steward.comes(later);
  await steward.until("turn.started");
  expect(await steward.call("tasks.cancel", { id: task.id })).toEqual({ ok: true });
  await steward.until("task.settled");
  expect([await steward.heard(), (await steward.history(task.id))[0]?.state]).toEqual([[], "stopped"]);
  expect(await steward.call("tasks.cancel", { id: task.id })).toEqual({ ok: false });
});

test("cancelling takes back a run that waits for its turn", async () => {
  const model = scriptedModel([{ hangsAfter: "busy" }]);
  const steward = await open({ model, settings: { queue: { concurrency: 1 } } });
  await steward.say("keep me busy");
  await eventually(() => model.requests.length, 1);
  const { task } = await steward.create({ when: later, action: does("never begun") });
  await steward.comes(later);
  await steward.until("message.received", 2);
  await steward.call("tasks.cancel", { id: task.id });
  await steward.call("chat.abort", { sessionKey: conversation });
  await steward.until("turn.finished");
  expect(await steward.history(task.id)).toMatchObject([{ state: "stopped" }]);
  expect(model.requests).toHaveLength(1);
});

test("a task whose condition holds ends itself and still says so, also after it has read a page", async () => {
  const page = pageTool("fetch", "10,000,000 visitors", ["web:example.org"]);
  const model = scriptedModel((request) =>
    request.messages.at(-1)?.role === "user"
      ? { text: "", calls: [{ tool: "fetch", arguments: {} }] }
      : { text: "10 million!\n\n**CONDITION_MET**" },
  );
  const steward = await open({ model, tools: [page] });
  const { task } = await steward.create({
    when: "every day at 9am",
    action: does("check"),
    until: "10 million visitors",
  });
  await steward.call("tasks.run", { id: task.id });
  await eventually(async () => (await steward.heard()).length > 0);
  expect(await steward.heard()).toEqual(["10 million!"]);
  expect(await steward.call("tasks.get", { id: task.id })).toMatchObject({
    task: { state: "ended", ended: "condition" },
  });
});

test("a paused task is left alone, and goes on with its next time", async () => {
  const steward = await open();
  const { task } = await steward.create({ when: later, action: says("not now") });
  expect(await steward.call("tasks.pause", { id: task.id })).toMatchObject({ task: { state: "paused" } });
  await steward.comes(later);
  expect(await steward.heard()).toEqual([]);
  await expect(steward.call("tasks.resume", { id: task.id })).rejects.toThrow(/passed/);
  const nextYear = "2091-01-01T12:00:00Z";
  await steward.call("tasks.edit", { id: task.id, when: nextYear });
  await steward.call("tasks.resume", { id: task.id });
  await steward.comes(nextYear);
  await eventually(async () => (await steward.heard()).length > 0);
});

test("a run that finds no model is tried again later and does not pass for done", async () => {
  const steward = await open();
  const { task } = await steward.create({ when: later, action: does("think") });
  await steward.comes(later);
  await steward.until("task.settled");
  expect(await steward.history(task.id)).toMatchObject([{ state: "failed", settled: "retried" }]);
  expect([
    await steward.heard(),
    ((await steward.call("tasks.get", { id: task.id })) as { task: PlannedTask }).task.state,
  ]).toEqual([[], "active"]);
});

test("words that a run sends before it is over reach the owner at once", async () => {
  const model = scriptedModel((request) =>
    request.messages.at(-1)?.role === "user"
      ? { text: "", calls: [{ tool: "send_message", arguments: { text: "half way" } }] }
      : { text: "all the way" },
  );
  const steward = await open({ model });
  await steward.create({ when: later, action: does("walk") });
  await steward.comes(later);
  await eventually(async () => (await steward.heard()).length > 1);
  expect(await steward.heard()).toEqual(["half way", "all the way"]);
});

test("an agent that there is not is refused when the task is planned and when it is changed", async () => {
  const steward = await open();
  const nobody = "There is no agent nobody. There are: main.";
  await expect(steward.create({ when: later, action: does("look"), agent: "nobody" })).rejects.toThrow(nobody);
  const { task } = await steward.create({ when: later, action: does("look"), agent: "main" });
  await expect(steward.call("tasks.edit", { id: task.id, agent: "nobody" })).rejects.toThrow(nobody);
  expect(await steward.call("tasks.edit", { id: task.id, agent: null })).toMatchObject({ task: { title: "look" } });
});

test("a run costs no more than its task may", async () => {
  const mail = testTool({ name: "look", effects: ["reads"], class: "read" });
  const model = scriptedModel([{ text: "", calls: [{ tool: "look", arguments: { value: "x" } }] }]);
  const steward = await open({ model, tools: [mail] });
  const { task } = await steward.create({ when: later, action: does("look for ever"), budgetUsd: 0.0011 });
  await steward.comes(later);
  await steward.until("task.settled");
  expect((await steward.history(task.id))[0]?.error).toContain("the task's own budget");
});

test("a time that comes while the run before it is under way is left out, and shown to be", async () => {
  const steward = await open({ model: scriptedModel([{ hangsAfter: "busy" }]) });
  const { task } = await steward.create({ when: "every day at noon", action: does("slow") });
  await steward.call("tasks.run", { id: task.id });
  await steward.comes(new Date(task.nextAtMs ?? 0).toISOString());
  await steward.until("task.skipped");
  expect((await steward.history(task.id)).map(({ state }) => state)).toEqual(["skipped", "running"]);
  // what is under way is what people want to see
  expect(await steward.call("tasks.get", { id: task.id })).toMatchObject({ task: { lastRun: { state: "running" } } });
});

test("a task that comes only once waits for a run that was asked for, and is not lost", async () => {
  const model = scriptedModel([{ hangsAfter: "busy" }, { text: "second" }]);
  const steward = await open({ model });
  const { task } = await steward.create({ when: later, action: does("slow") });
  await steward.call("tasks.run", { id: task.id });
  // a turn that is stopped before it has asked the model leaves the answer to the next one
  await eventually(() => model.requests.length, 1);
  await steward.comes(later);
  await steward.call("chat.abort", { sessionKey: task.sessionKey });
  await eventually(async () => (await steward.heard()).includes("second"));
});
