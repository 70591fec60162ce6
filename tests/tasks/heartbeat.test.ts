import { expect, test } from "vitest";
import { heartbeatConversation } from "../../src/contract/task/task.ts";
import { eventually } from "../scenes/eventually.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { hour, minute, noon, quiet, openHeartbeatScene as scene } from "../scenes/tasks/heartbeat-scene.ts";
import { pageTool, testTool } from "../scenes/tools.ts";

test("a look with nothing to tell says nothing to anybody", async () => {
  const { beat, told, looks } = await scene([quiet]);
  expect((await beat())?.how).toBe("quiet");
  expect(await told()).toEqual([]);
  const [look] = await looks();
  expect(look).toMatchObject({ sender: { kind: "system", id: "heartbeat" }, run: { task: "heartbeat" } });
  expect(look?.text).toContain("- Has the post come?");
});

test("what needs attention is told where the owner last spoke, once a day", async () => {
  const { beat, told, say, until } = await scene([{ text: "hello" }, { text: "The post has come." }]);
  await say("hello", "web--one");
  await until("turn.finished");
  expect((await beat())?.how).toBe("delivered");
  expect((await beat())?.how).toBe("repeated");
  await say("hello", "web--two");
  await until("turn.finished", 4);
  expect((await beat())?.how).toBe("repeated");
  expect(await told()).toEqual(["web--one: The post has come."]);
  expect((await beat(24 * hour))?.how).toBe("delivered");
  expect(await told()).toEqual(["web--one: The post has come.", "web--two: The post has come."]);
});

test.each([
  ["main", "terminal--default"],
  ["web", "web--one"],
  ["web--other", "web--other"],
  ["web--deleted", "web--one"],
  ["nowhere", "web--one"],
  ["task--t1", "web--one"],
])("with heartbeat.deliverTo %s it is told in %s", async (deliverTo, to) => {
  const { beat, told, say, until, troubles } = await scene([{ text: "The post has come." }], {
    settings: { deliverTo },
  });
  await say("hello", "web--other");
  await until("turn.finished");
  await say("hello", "web--one");
  await until("turn.finished", 2);
  await beat();
  expect(await told()).toEqual([`${to}: The post has come.`]);
  const isKnown = deliverTo !== "nowhere" && deliverTo !== "task--t1";
  expect(troubles.map(String)).toEqual(
    isKnown ? [] : [expect.stringContaining(`heartbeat.deliverTo is “${deliverTo}”, and there is no such place`)],
  );
});

test("with heartbeat.deliverTo none it stays with the heartbeat", async () => {
  const { beat, told, call } = await scene([{ text: "The post has come." }], { settings: { deliverTo: "none" } });
  expect((await beat())?.how).toBe("kept");
  expect(await told()).toEqual([]);
  expect(await call("heartbeat.get", {})).toMatchObject({ lastRun: { answer: "The post has come." } });
});

test("while HEARTBEAT.md asks for nothing, nothing is written and no model is asked", async () => {
  const { call, events, model, write } = await scene([quiet], { written: "# Heartbeat\n<!-- look\n-->\n-\n" });
  const before = (await events()).length;
  expect(await call("heartbeat.beat", {})).toEqual({ words: expect.stringContaining("asks for nothing") });
  expect([(await events()).length, model.requests.length]).toEqual([before, 0]);
  await write("look at the plants");
  expect(await call("heartbeat.beat", {})).toHaveProperty("run");
});

test("without a language model nobody looks, and the status says so", async () => {
  const offline = scriptedModel([quiet]);
  const rules = { name: "offline/rules", contextTokens: 9, maxOutputTokens: 9, source: "built in" };
  const model = { ...offline, choose: async () => [rules], list: async () => [rules] };
  const { call, offered } = await scene([], { model });
  expect(await call("heartbeat.beat", {})).toEqual({ words: expect.stringContaining("No language model") });
  expect((await offered.status()).tasks).toContain("no language model is connected");
});

test("the cheapest model of the provider looks, and thinks as little as it can", async () => {
  const plain = scriptedModel([quiet]);
  const [one] = await plain.list();
  if (!one) throw new Error("the scripted model lists itself");
  const small = { ...one, name: "scripted/small", price: { input: 0.1, output: 0 } };
  const model = { ...plain, list: async () => [one, small] };
  const { beat, until } = await scene([], { model });
  await beat();
  await beat();
  const configured = await until("conversation.configured");
  expect(configured.map(({ model: name, thinking }) => [name, thinking])).toEqual([["scripted/small", "off"]]);
});

test("its time comes, also when Steward was not there at that moment, and comes once", async () => {
  const first = await scene([quiet]);
  expect((await first.offered.status()).tasks).toContain("heartbeat every 30 min from 8 to 21, next 12:30");
  await first.close();
  const { home } = first;
  const second = await scene([quiet], { home, at: noon + 22 * minute });
  await second.until("task.settled");
  await second.close();
  const third = await scene([quiet], { home, at: noon + 23 * minute });
  expect((await third.looks()).map(({ run }) => run?.dueAtMs)).toEqual([noon + 20 * minute]);
  expect((await third.offered.status()).tasks).toContain("next 13:00");
});

test("at night nothing happens until the hours begin, and what was noted is told then", async () => {
  const night = Date.UTC(2026, 10, 16, 23);
  const { call, home, close, model, store } = await scene([quiet], { at: night, written: "" });
  expect(await call("heartbeat.tell", { text: "The build is red.", kind: "task" })).toEqual({
    words: "Noted. The next look is Tue 17 Nov 08:00 at the latest.",
  });
  await eventually(async () => (await store.database.query("SELECT id FROM jobs WHERE state = 'waiting'")).length, 1);
  await close();
  expect(model.requests).toEqual([]);
  const morning = await scene([{ text: "The build is red!" }], { home, at: night + 9 * hour + 1, written: "" });
  await morning.until("task.settled");
  expect(await morning.told()).toEqual(["terminal--default: The build is red!"]);
});

test("a time that comes too late, when the hours are over, is left out", async () => {
  const first = await scene([quiet], { at: Date.UTC(2026, 10, 16, 20, 10) });
  await first.close();
  const late = await scene([quiet], { home: first.home, at: Date.UTC(2026, 10, 16, 23) });
  await eventually(late.jobs, ["done", "waiting"]);
  expect([await late.looks(), late.model.requests]).toEqual([[], []]);
});

test("a time that is nearly the next one is left to it", async () => {
  const first = await scene([quiet]);
  await first.close();
  const late = await scene([quiet], { home: first.home, at: noon + 46 * minute });
  await eventually(late.jobs, ["done", "waiting"]);
  expect(await late.looks()).toEqual([]);
});

test("a wish for a look now is heard at night too", async () => {
  const { call, until } = await scene([quiet], { at: Date.UTC(2026, 10, 16, 23), written: "" });
  expect(await call("heartbeat.tell", { text: "Is the door locked?", now: true })).toHaveProperty("run");
  expect((await until("task.settled"))[0]?.how).toBe("quiet");
});

test("a look that comes while another is under way follows it", async () => {
  const { call, until, looks, clock, queue, model } = await scene([{ hangsAfter: "I look" }, quiet]);
  await call("heartbeat.beat", {});
  await eventually(() => model.requests.length, 1);
  clock.nowMs += minute;
  expect(await call("heartbeat.beat", {})).toEqual({ words: expect.stringContaining("under way") });
  expect(await looks()).toHaveLength(1);
  await queue.stop(heartbeatConversation, { kind: "owner", id: "owner" });
  await until("task.settled", 2);
  expect(await looks()).toHaveLength(2);
});

test("one that is cut off in the middle goes on after the start, and is told once", async () => {
  const first = await scene([{ hangsAfter: "The post" }]);
  await first.call("heartbeat.beat", {});
  await first.until("turn.started");
  await first.close();
  const second = await scene([{ text: "The post has come." }], { home: first.home, at: noon + minute });
  await second.until("task.settled");
  await second.close();
  const third = await scene([{ text: "The post has come." }], { home: first.home, at: noon + 2 * minute });
  expect(await third.told()).toEqual(["terminal--default: The post has come."]);
  expect(await third.looks()).toHaveLength(1);
});

test("switched off, it has no time to come and takes no notes", async () => {
  const on = await scene([quiet]);
  await on.close();
  const off = await scene([quiet], { home: on.home, settings: { enabled: false }, at: noon + hour });
  expect((await off.offered.status()).tasks).toContain("heartbeat off");
  expect(await off.store.database.query("SELECT id FROM jobs WHERE state = 'waiting'")).toEqual([]);
  await expect(off.call("heartbeat.tell", { text: "x" })).rejects.toThrow("The heartbeat is off");
  expect(await off.looks()).toEqual([]);
});

test("whose words one look has read clings to what it says, and not to the next look", async () => {
  const page = pageTool("read", "The shop is closed.", ["web:shop.example"]);
  const reads = { text: "", calls: [{ tool: "read", arguments: {} }] };
  const { beat, events } = await scene([reads, { text: "The shop is closed." }, { text: "The post has come." }], {
    ...{ tools: [page], settings: { deliverTo: "main" } },
  });
  await beat();
  await beat();
  const spoken = (await events()).flatMap((event) =>
    event.type === "reply.written" && event.task ? [[event.text, event.labels]] : [],
  );
  expect(spoken).toEqual([
    ["The shop is closed.", ["web:shop.example"]],
    ["The post has come.", []],
  ]);
});

test("a tool that neither looks nor is named in HEARTBEAT.md is not there", async () => {
  const tools = ["read", "bash", "write"].map((name) => pageTool(name, "", []));
  const { beat, model } = await scene([quiet], { tools, written: "Look with `bash` at the disk, and write to me." });
  await beat();
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["read", "bash", "schedule_task", "list_tasks"]);
});

test("a look whose question nobody answers for a day is ended, so that others can follow", async () => {
  const asks = { text: "", calls: [{ tool: "read", arguments: { value: "x" } }] };
  const tools = [testTool({ name: "read", effects: ["sends"], class: "unsafe" })];
  const { call, until, told, looks, clock } = await scene([asks, quiet], { tools });
  await call("heartbeat.beat", {});
  await until("turn.waiting");
  await eventually(told, [expect.stringMatching(/^terminal--default: I wait for your answer/)]);
  clock.nowMs += 23 * hour;
  expect(await call("heartbeat.beat", {})).toEqual({ words: expect.stringContaining("under way") });
  clock.nowMs += 2 * hour;
  await call("heartbeat.beat", {});
  await until("task.settled", 2);
  expect((await until("turn.finished", 2)).map(({ ending }) => ending)).toEqual(["stopped", "answered"]);
  expect(await looks()).toHaveLength(2);
});
