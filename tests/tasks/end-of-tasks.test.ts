// Holding, ending and deleting: what was to be done is not done, what was begun is stopped, and nothing else breaks.
import { expect, test } from "vitest";
import { checkStore } from "../../src/store/doctor/check-store.ts";
import { readEvents } from "../fakes/event-source.ts";
import { eventually } from "../scenes/eventually.ts";
import type { RestScene } from "../scenes/gateway/rest-scene.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { knock, makeHook, openTaskScene } from "../scenes/tasks/hook-scene.ts";
import { calling, modelThat, openPlanner, type Planner } from "../scenes/tasks/planner-scene.ts";
import { testTool } from "../scenes/tools.ts";

const here = "terminal--default";
const problems = async (home: string) => (await checkStore(home)).filter((finding) => !finding.ok);
const daily = { when: "every day at 9am", action: { kind: "do", prompt: "Write the report." }, deliverTo: "main" };

/** Something else is due at the same time; once it is said, that time has come and gone. */
async function letPass(scene: Planner, time: string): Promise<void> {
  const text = `It is ${time}.`;
  await scene.call("tasks.create", { when: time, action: { kind: "say", text }, deliverTo: "main" });
  await scene.leapTo(time.replace(":00Z", ":01Z"));
  await eventually(async () => (await scene.toldIn(here)).includes(text));
}

test("pause, resume and cancel in words: nothing runs while it is held, and what passed meanwhile is not made up for", async () => {
  const model = modelThat(({ words, step }) => {
    const [, verb] = /^(pause|resume|cancel) the report/.exec(words) ?? [];
    if (verb === undefined) return { text: "The report." };
    return step === 0 ? calling(`${verb}_task`, { id: "report" }) : { text: `${verb} done` };
  });
  const scene = await openPlanner({ model, startAt: "2026-11-16T12:00:00Z" });
  const { task } = (await scene.call("tasks.create", daily)) as { task: { id: string } };
  const ask = async (words: string, finished: number) => {
    await scene.say(words);
    await scene.until("turn.finished", finished);
    return (await scene.call("tasks.get", { id: task.id })) as { task: { state: string; nextAtMs?: number } };
  };
  expect((await ask("pause the report", 1)).task).toMatchObject({ state: "paused" });
  await letPass(scene, "2026-11-18T09:00:00Z");
  expect(await scene.runs(task.id)).toEqual([]);
  const resumed = (await ask("resume the report", 2)).task;
  expect(resumed).toMatchObject({ state: "active", nextAtMs: Date.parse("2026-11-19T09:00:00Z") });
  await scene.leapTo("2026-11-19T09:00:01Z");
  await scene.settledRuns(task.id, 1);
  expect((await ask("cancel the report", 4)).task).toMatchObject({ state: "ended", ended: "cancelled" });
  await letPass(scene, "2026-11-21T09:00:00Z");
  expect((await scene.runs(task.id)).map(({ state }) => state)).toEqual(["done"]);
  expect(await problems(scene.home)).toEqual([]);
});

test("cancelling stops the run under way and takes back those that wait", async () => {
  const scene = await openTaskScene({ model: scriptedModel([{ hangsAfter: "Let me" }]) });
  const { task, path } = await makeHook(scene, { signed: false });
  await knock(scene, path, "one");
  await scene.until("turn.started");
  await knock(scene, path, "two");
  await knock(scene, path, "three");
  expect(await scene.call("tasks.cancel", { id: task.id })).toEqual({ ok: true });
  await scene.until("turn.finished");
  const { runs } = (await scene.call("tasks.history", { id: task.id })) as { runs: { state: string }[] };
  expect(runs.map(({ state }) => state)).toEqual(["stopped", "stopped", "stopped"]);
  expect((await scene.until("turn.started")).length).toBe(1);
  expect((await scene.until("message.withdrawn")).length).toBe(2);
  await scene.until("task.settled");
  expect((await scene.events()).some((event) => event.type === "reply.written" && event.task)).toBe(false);
  await scene.close();
  expect(await problems(scene.home)).toEqual([]);
});

test("cancelling a run that waits for an answer withdraws the question", async () => {
  const note = testTool({ effects: ["sends"], class: "unsafe" });
  const model = scriptedModel([{ text: "", calls: [{ tool: "note", arguments: { value: "x" } }] }]);
  const scene = await openTaskScene({ model, tools: [note] });
  const { task, path } = await makeHook(scene, { signed: false });
  await knock(scene, path, "one");
  await scene.until("turn.waiting");
  await scene.call("tasks.cancel", { id: task.id });
  await scene.until("turn.finished");
  expect(await scene.call("approvals.list", {})).toEqual({ approvals: [] });
  expect(note.runs).toEqual([]);
});

async function deleteSession(scene: RestScene | Planner, sessionKey: string): Promise<void> {
  expect(await scene.call("sessions.delete", { sessionKey })).toEqual({ ok: true });
}

test("deleting what the assistant has planned leaves neither the places it names nor the labels", async () => {
  const model = modelThat(({ words, step }) => {
    if (step > 0) return { text: "Planned." };
    const wish = { prompt: "Look at https://quince.example", until: "it is ripe" };
    return calling(
      "schedule_task",
      words.startsWith("plan") ? { ...wish, when: "every day at 9am" } : { ...wish, id: "look" },
    );
  });
  const scene = await openPlanner({ model, startAt: "2026-11-16T12:00:00Z" });
  for (const [index, words] of ["plan a look at quince.example", "change the look at quince.example"].entries()) {
    await scene.say(words);
    await scene.until("turn.finished", index + 1);
  }
  const { id } = await scene.onlyTask();
  await scene.call("tasks.run", { id });
  await scene.settledRuns(id, 1);
  const inTask = async () =>
    JSON.stringify((await scene.events()).filter((event) => event.conversation === `task--${id}`));
  expect(await inTask()).toContain("quince");
  await scene.call("sessions.delete", { sessionKey: `task--${id}` });
  expect(await inTask()).not.toContain("quince");
});

test("deleting the conversation of a task takes the task along, its address and every word, and ends its stream", async () => {
  const scene = await openTaskScene({ model: scriptedModel([{ text: "I saw a quince." }]) });
  const prompt = "Tell me of a quince.";
  const { task, path } = await makeHook(scene, { signed: false, name: "fruit" }, { prompt, deliverTo: "none" });
  await knock(scene, path, "a quince");
  await scene.until("task.settled");
  const reader = readEvents(await scene.request(`/api/tasks/${task.id}/events`));
  await reader.until((events) => events.length > 0);
  await deleteSession(scene, `task--${task.id}`);
  await reader.ended;
  expect(JSON.stringify(await scene.events())).not.toContain("quince");
  expect(await scene.call("tasks.list", { ended: true })).toMatchObject({ total: 0 });
  expect((await knock(scene, path, "a pear")).status).toBe(401);
  expect(await scene.store.database.query("SELECT * FROM task_hooks")).toEqual([]);
  expect((await scene.send("GET", `/api/tasks/${task.id}/events`)).status).toBe(404);
  await scene.close();
  expect(await problems(scene.home)).toEqual([]);
});

test("a conversation with a run under way cannot be deleted", async () => {
  const scene = await openTaskScene({ model: scriptedModel([{ hangsAfter: "Let me" }]) });
  const { task, path } = await makeHook(scene, { signed: false });
  await knock(scene, path, "one");
  await scene.until("turn.started");
  await expect(scene.call("sessions.delete", { sessionKey: `task--${task.id}` })).rejects.toThrow("still going on");
});

test("a task whose own conversation was deleted speaks where the owner spoke last", async () => {
  const model = modelThat(({ words, step }) =>
    words.startsWith("remind") && step === 0
      ? calling("schedule_task", { when: "every day at 9am", remind: "Water the plants." })
      : { text: "All right." },
  );
  const scene = await openPlanner({ model, startAt: "2026-11-16T12:00:00Z" });
  await scene.say("hello", "web--other");
  await scene.until("turn.finished");
  await scene.say("remind me of the plants every day at 9am", "web--plants");
  await scene.until("turn.finished", 2);
  await scene.leapTo("2026-11-17T09:00:01Z");
  await eventually(async () => (await scene.toldIn("web--plants")).length === 1);
  await deleteSession(scene, "web--plants");
  await scene.leapTo("2026-11-18T09:00:01Z");
  await eventually(async () => (await scene.toldIn("web--other")).length === 1);
  const { sessions } = (await scene.call("sessions.list", {})) as { sessions: { sessionKey: string }[] };
  expect(sessions.map(({ sessionKey }) => sessionKey)).toEqual(["web--other"]);
  expect(await scene.onlyTask()).toMatchObject({ state: "active", action: { text: "Water the plants." } });
  await scene.close();
  expect(await problems(scene.home)).toEqual([]);
});
