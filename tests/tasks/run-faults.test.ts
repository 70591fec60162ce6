// What goes wrong around runs: a disk that fails, a clock that lies, a model that is away, a secret in an error.
import { expect, test } from "vitest";
import { z } from "zod";
import type { NewEvent } from "../../src/contract/event.ts";
import { defineTool, textResult } from "../../src/contract/tool.ts";
import { openOfflineModel } from "../../src/models/offline/open-offline-model.ts";
import { planAnew } from "../../src/tasks/run/plan-anew.ts";
import { eventually } from "../scenes/eventually.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { calling, modelThat, openPlanner } from "../scenes/tasks/planner-scene.ts";
import { saidTimes, taskClock } from "../scenes/tasks/task-clock.ts";
import { testTool } from "../scenes/tools.ts";

const here = "terminal--default";
const startAt = "2026-11-16T12:00:00Z";
const [minute, day] = [60_000, 86_400_000];
const daily = { when: "every day at 9am", action: { kind: "do", prompt: "Look." } };
type Made = { task: { id: string } };

test("after a write that failed a task is found again and comes at its next time", async () => {
  const start = Date.UTC(2027, 7, 1);
  const clock = await taskClock(start);
  const task = await clock.make({ kind: "every", everyMs: day, fromMs: start });
  clock.failNextPlanning();
  await clock.set(start + day);
  await eventually(() => clock.troubles().length === 1);
  await clock.planned(task.id);
  await clock.set(start + 2 * day);
  expect(saidTimes(await clock.events(), task)).toEqual([start + day, start + 2 * day]);
});

test("a clock that was years ahead leaves no task waiting for years once it is right", async () => {
  const start = Date.UTC(2027, 7, 1);
  const clock = await taskClock(start);
  const task = await clock.make({ kind: "cron", expression: "0 9 * * *", timeZone: "UTC" });
  await clock.set(Date.UTC(2031, 0, 1, 12));
  await clock.set(start + minute);
  // as it does when the clock has been so for an hour
  await planAnew(clock.deps());
  await clock.runTo(start + 2 * day);
  const nine = start + 9 * 60 * minute;
  expect(saidTimes(await clock.events(), task).slice(1)).toEqual([nine, nine + day]);
});

test("what a failed run says is masked, in the chat and in its history", async () => {
  const model = scriptedModel([{ unavailable: "credentials", message: "bad key sk-secret-12345" }]);
  const environment = { PROVIDER_API_KEY: "sk-secret-12345" };
  const scene = await openPlanner({ model, environment, startAt });
  const { task } = (await scene.call("tasks.create", daily)) as Made;
  // the fourth try is the last
  for (const [tries, time] of ["09:00:01", "09:11:00", "10:12:00", "16:13:00"].entries()) {
    await scene.leapTo(`2026-11-17T${time}Z`);
    await scene.settledRuns(task.id, tries + 1);
  }
  expect(await scene.toldIn(here)).toEqual([expect.stringMatching(/^This could not be done: bad key (?!sk-)/)]);
  expect(JSON.stringify(await scene.runs(task.id))).not.toContain("sk-secret");
});

test("a time that a later one has followed is not tried again", async () => {
  let isAway = true;
  const model = scriptedModel(() =>
    isAway ? { unavailable: "network", message: "no model is there" } : { text: "Here it is." },
  );
  const scene = await openPlanner({ model, startAt });
  const { task } = (await scene.call("tasks.create", { ...daily, when: "every 5 minutes" })) as Made;
  await scene.leapTo("2026-11-16T12:05:01Z");
  await scene.settledRuns(task.id, 1);
  isAway = false;
  await scene.leapTo("2026-11-16T12:10:01Z");
  await scene.settledRuns(task.id, 2);
  // the first time would be tried again now
  await scene.leapTo("2026-11-16T12:15:10Z");
  await scene.settledRuns(task.id, 3);
  expect((await scene.runs(task.id)).map(({ settled }) => settled)).toEqual(["delivered", "delivered", "retried"]);
});

test("that something cannot be done is told once a day", async () => {
  const model = scriptedModel([{ text: "dear" }]);
  const scene = await openPlanner({ model, settings: { budgets: { perDayUsd: 0.000_001 } }, startAt });
  const { task } = (await scene.call("tasks.create", { ...daily, when: "every hour" })) as Made;
  for (const hour of [13, 14, 15]) {
    await scene.leapTo(`2026-11-16T${hour}:00:01Z`);
    await scene.settledRuns(task.id, hour - 12);
  }
  expect(await scene.toldIn(here)).toHaveLength(1);
  await scene.leapTo("2026-11-17T16:30:01Z");
  await scene.settledRuns(task.id, 4);
  expect(await scene.toldIn(here)).toHaveLength(2);
});

test("what runs may tell of comes back every day: a page that is read again and again is never asked about", async () => {
  const fetch = defineTool({
    ...{ name: "fetch", description: "Reads a page.", arguments: z.object({ url: z.string() }), result: textResult },
    ...{ effects: ["reads"], class: "read", undo: { kind: "nothing to undo" } },
    tells: ({ url }) => [{ kind: "address", url }],
    formatApproval: ({ url }) => url,
    run: async () => ({ outcome: "done", output: "Nothing new.", labels: ["web:example.org"] }),
  });
  const model = modelThat(({ step }) =>
    step < 2 ? calling("fetch", { url: "https://example.org/price" }) : { text: "NOTHING_TO_REPORT" },
  );
  const scene = await openPlanner({
    model,
    tools: [fetch],
    settings: { guard: { freeBits: { perTurn: 64, perConversation: 8 } } },
    startAt,
  });
  const action = { kind: "do", prompt: "Read https://example.org/price" };
  const { task } = (await scene.call("tasks.create", { ...daily, action })) as Made;
  for (let number = 17; number < 21; number += 1) {
    await scene.leapTo(`2026-11-${number}T09:00:01Z`);
    await scene.settledRuns(task.id, number - 16);
  }
  expect((await scene.runs(task.id)).every(({ state }) => state === "done")).toBe(true);
});

test("without a language model the rules do in a run what they can, and what they cannot is told at once in a sentence", async () => {
  const offline = openOfflineModel({ nowMs: () => Date.parse(startAt), timeZone: "UTC" });
  const model = { ...scriptedModel([]), stream: offline.stream };
  const scene = await openPlanner({ model, startAt });
  for (const [runs, prompt] of ["2 + 2", "Sum up my notes of the week"].entries()) {
    const { task } = (await scene.call("tasks.create", { ...daily, action: { kind: "do", prompt } })) as Made;
    await scene.call("tasks.run", { id: task.id });
    await eventually(async () => (await scene.toldIn(here)).length === runs + 1);
  }
  expect(await scene.toldIn(here)).toEqual([
    "That is 4.",
    expect.stringMatching(/^This could not be done: No language model is connected, and this needs one\..{0,100}$/),
  ]);
});

test("of several calls at once one begins a run, where the others shall be left out", async () => {
  const scene = await openPlanner({ model: scriptedModel([{ hangsAfter: "busy" }]), startAt });
  const { task } = (await scene.call("tasks.create", daily)) as Made;
  const asked = await Promise.allSettled(Array.from({ length: 5 }, () => scene.call("tasks.run", { id: task.id })));
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await scene.runs(task.id)).toHaveLength(1);
});

test("what was said in a run cannot be taken back, for its labels would stay behind", async () => {
  const scene = await openPlanner({ model: scriptedModel([{ text: "Looked." }]), startAt });
  const { task } = (await scene.call("tasks.create", daily)) as Made;
  await scene.call("tasks.run", { id: task.id });
  await scene.settledRuns(task.id, 1);
  const [received] = await scene.until("message.received");
  const edit = { sessionKey: `task--${task.id}`, message: "other words", replaces: received?.seq };
  await expect(scene.call("chat.send", edit)).rejects.toThrow("What was said in a run stays as it was.");
});

test("of what happens while a task waits for an answer a hundred wait, and the rest is shown as left out", async () => {
  const mail = testTool({ name: "mail", effects: ["sends"], class: "unsafe" });
  const model = modelThat(({ step }) => (step === 0 ? calling("mail", { value: "x" }) : { text: "Sent." }));
  const scene = await openPlanner({ model, tools: [mail], startAt });
  const params = { prompt: "Mail it.", trigger: { kind: "command", matching: "build" }, overlap: "wait" };
  const { task } = (await scene.call("tasks.createEventTrigger", params)) as Made;
  await scene.call("tasks.run", { id: task.id });
  await scene.until("turn.waiting");
  const ended = (number: number): NewEvent => ({
    ...{ type: "message.received", conversation: "web--builds", messageId: `m${number}`, channel: "web" },
    ...{ text: `build ${number} has ended`, attachments: [], sender: { kind: "system", id: `process:t:c${number}` } },
  });
  await scene.store.log.append(Array.from({ length: 103 }, (_, number) => ended(number)));
  expect((await scene.runs(task.id)).map(({ state }) => state)).toEqual([...Array(3).fill("skipped"), "waiting"]);
});
