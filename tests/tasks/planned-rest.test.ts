import { expect, test } from "vitest";
import type { PlannedTask, TaskRun } from "../../src/contract/wire/methods/tasks.ts";
import { readEvents } from "../fakes/event-source.ts";
import { eventually } from "../scenes/eventually.ts";
import type { RestScene } from "../scenes/gateway/rest-scene.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { knock, openTaskScene, signed } from "../scenes/tasks/hook-scene.ts";
import { testTool } from "../scenes/tools.ts";

type Made = PlannedTask & { path?: string; secret?: string };
const daily = { prompt: "Look at the sales.", when: "every day at 9am" };
const answering = (text = "All is well.") => scriptedModel([{ text }]);

async function plan(scene: RestScene, body: object, headers: Record<string, string> = {}): Promise<Made> {
  const answered = await scene.send("POST", "/api/tasks", body, { headers });
  expect([answered.status, answered.body]).toEqual([201, answered.body]);
  return answered.body as Made;
}

async function post<Answer>(scene: RestScene, path: string): Promise<Answer> {
  const { status, body } = await scene.send("POST", path);
  expect([status, body]).toEqual([200, body]);
  return body as Answer;
}

const listed = async (scene: RestScene, query: string) =>
  ((await scene.send("GET", `/api/tasks${query}`)).body as { tasks: { id: string; state: string }[] }).tasks;

test("a task with times is planned with every choice, found, listed and told apart from those done once", async () => {
  const scene = await openTaskScene({ model: answering() });
  const choices = { title: "Sales", until: "sold out", deliverTo: "main", missed: "skip", overlap: "wait" };
  const task = await plan(scene, { ...daily, ...choices, budgetUsd: 2, agentId: "main", timeZone: "Europe/Berlin" });
  expect(task).toMatchObject({
    ...{ ...choices, budgetUsd: 2, agent: "main", state: "active", action: { kind: "do", prompt: daily.prompt } },
    trigger: { kind: "cron", timeZone: "Europe/Berlin" },
  });
  expect((await scene.send("GET", `/api/tasks/${task.id}`)).body).toMatchObject({ id: task.id, title: "Sales" });
  const once = (await scene.send("POST", "/api/tasks", { prompt: "now" })).body as { id: string };
  const ids = async (query: string) => (await listed(scene, query)).map(({ id }) => id);
  expect(await ids("")).toEqual([once.id]);
  expect(await ids("?kind=planned")).toEqual([task.id]);
  expect(await ids("?kind=all")).toEqual([task.id, once.id]);
  expect(await ids("?kind=planned&state=paused")).toEqual([]);
});

test("a reminder needs no model, and what does not go together is refused with the reason", async () => {
  const scene = await openTaskScene({ model: answering() });
  const reminder = await plan(scene, { prompt: "Stretch.", when: "every Monday at 9am", remind: true });
  expect(reminder.action).toEqual({ kind: "say", text: "Stretch." });
  const refused = async (body: object) => {
    const answered = await scene.send("POST", "/api/tasks", body);
    return [answered.status, (answered.body as { error: { message: string } }).error.message];
  };
  expect(await refused({ prompt: "x", until: "y" })).toEqual([400, "until: goes with when or trigger only."]);
  expect(await refused({ ...daily, trigger: { kind: "webhook" } })).toEqual([400, expect.stringContaining("not both")]);
  expect(await refused({ ...daily, sessionKey: "api--x" })).toEqual([400, expect.stringContaining("sessionKey")]);
  expect(await refused({ prompt: "x", when: "when pigs fly" })).toEqual([400, expect.any(String)]);
  const remindingHook = { prompt: "x", remind: true, trigger: { kind: "webhook" } };
  expect(await refused(remindingHook)).toEqual([400, "remind: goes with when only."]);
  const groups = { prompt: "x", group: "family" };
  expect(await refused({ ...groups, trigger: { kind: "webhook" } })).toEqual([400, "group: goes with when only."]);
  expect(await refused({ ...groups, when: "every day at 9" })).toEqual([404, expect.stringContaining("no group")]);
  expect((await listed(scene, "?kind=planned")).length).toBe(1);
});

test("the same Idempotency-Key plans once", async () => {
  const scene = await openTaskScene({ model: answering() });
  const headers = { "idempotency-key": "sales" };
  const [one, two] = [await plan(scene, daily, headers), await plan(scene, daily, headers)];
  expect(two.id).toBe(one.id);
  expect((await scene.send("POST", "/api/tasks", { ...daily, prompt: "Other." }, { headers })).status).toBe(409);
});

test("a webhook's address and secret are in the answer that made it, and work", async () => {
  const scene = await openTaskScene({ model: answering("Seen.") });
  const {
    id,
    path = "",
    secret = "",
  } = await plan(scene, { prompt: "Look.", trigger: { kind: "webhook", name: "a" } });
  expect((await knock(scene, path, "{}", signed(secret, "{}"))).status).toBe(202);
  await scene.until("task.settled");
  const again = (await scene.send("GET", `/api/tasks/${id}`)).body as Made;
  expect([again.path, again.secret, again.lastRun?.answer]).toEqual([undefined, undefined, "Seen."]);
});

test("pause, resume, run and cancel; runs are listed and each is a task of its own", async () => {
  const scene = await openTaskScene({ model: answering() });
  const { id } = await plan(scene, daily);
  const act = (verb: string) =>
    post<{ task: PlannedTask; run: string; ok: boolean }>(scene, `/api/tasks/${id}/${verb}`);
  expect((await act("pause")).task).toMatchObject({ state: "paused" });
  expect((await act("pause")).task.nextAtMs).toBeUndefined();
  expect((await act("resume")).task).toMatchObject({ state: "active", nextAtMs: expect.any(Number) });
  const { run } = await act("run");
  await scene.until("task.settled");
  const { runs } = (await scene.send("GET", `/api/tasks/${id}/runs?limit=5`)).body as { runs: TaskRun[] };
  expect(runs).toMatchObject([{ id: run, state: "done", cause: "asked", answer: "All is well.", costUsd: 0.001 }]);
  expect((await scene.send("GET", `/api/tasks/${run}`)).body).toMatchObject({ state: "completed" });
  expect(await act("cancel")).toMatchObject({ ok: true, task: { state: "ended", ended: "cancelled" } });
  expect(await act("cancel")).toMatchObject({ ok: false });
  expect((await scene.send("POST", `/api/tasks/${id}/run`)).status).toBe(409);
  expect((await scene.send("POST", "/api/tasks/none/pause")).status).toBe(404);
});

test("the stream of a planned task tells all its runs, goes on after a break, and ends with the task", async () => {
  const note = testTool({ effects: ["sends"], class: "unsafe" });
  const model = scriptedModel([
    ...[{ text: "One." }, { text: "", calls: [{ tool: "note", arguments: { value: "x" } }] }],
    { text: "Two." },
  ]);
  const scene = await openTaskScene({ model, tools: [note] });
  const { id } = await plan(scene, daily);
  const first = readEvents(await scene.request(`/api/tasks/${id}/events`));
  const typesOf = (reader: typeof first) => reader.events.map(({ data }) => (data as { type: string }).type);
  await post(scene, `/api/tasks/${id}/run`);
  await first.until(() => typesOf(first).includes("completed"));
  await first.stop();
  await scene.until("task.settled");
  await post(scene, `/api/tasks/${id}/run`);
  const headers = { "last-event-id": first.lastId() };
  const second = readEvents(await scene.request(`/api/tasks/${id}/events`, { headers }));
  await second.until(() => typesOf(second).includes("approval_request"));
  const [asked] = await scene.until("approval.asked");
  await scene.send("POST", `/api/approvals/${asked?.callId}`, { decision: "approved" });
  await second.until(() => typesOf(second).includes("completed"));
  await scene.until("task.settled", 2);
  await post(scene, `/api/tasks/${id}/cancel`);
  await second.ended;
  const told = JSON.stringify(second.events);
  expect([told.includes("One."), told.includes("Two.")]).toEqual([false, true]);
  expect(second.events.at(-1)?.data).toEqual({ type: "status", message: "The task was cancelled." });
  const over = { "last-event-id": second.lastId() };
  expect((await scene.request(`/api/tasks/${id}/events`, { headers: over })).status).toBe(204);
  const whole = readEvents(await scene.request(`/api/tasks/${id}/events`));
  await whole.ended;
  expect(whole.events.map(({ id }) => id)).toEqual([...first.events, ...second.events].map(({ id }) => id));
});

test("a task that is cancelled in the middle of a run ends its stream after that run", async () => {
  const scene = await openTaskScene({ model: scriptedModel([{ hangsAfter: "Let me" }]) });
  const { id } = await plan(scene, daily);
  const reader = readEvents(await scene.request(`/api/tasks/${id}/events`));
  await post(scene, `/api/tasks/${id}/run`);
  await scene.until("turn.started");
  await post(scene, `/api/tasks/${id}/cancel`);
  await reader.ended;
  expect(reader.events.at(-1)?.data).toEqual({ type: "error", error: "The task was cancelled." });
});

test("what a reminder says is in its stream, wherever it is said", async () => {
  const scene = await openTaskScene({ model: answering("Hello.") });
  await scene.say("hello", "web--mine");
  await scene.until("turn.finished");
  const { id } = await plan(scene, { prompt: "Stretch.", when: "every Monday at 9am", remind: true });
  await post(scene, `/api/tasks/${id}/run`);
  const reader = readEvents(await scene.request(`/api/tasks/${id}/events`));
  await reader.until((events) => events.length >= 2);
  await post(scene, `/api/tasks/${id}/cancel`);
  await reader.ended;
  expect(reader.events.map(({ data }) => data)).toEqual([
    { type: "agent_message", text: "Stretch." },
    { type: "completed" },
    { type: "status", message: "The task was cancelled." },
  ]);
});

test("only the owner plans; a reader sees, and a token for one conversation sees nothing of it", async () => {
  const scene = await openTaskScene({ model: answering() });
  const { id } = await plan(scene, daily);
  const as = async (scope: "read" | "task") => {
    const { token } = await scene.tokenFor(scope, scope === "task" ? "api--mine" : undefined);
    const headers = { authorization: `Bearer ${token}` };
    return async (method: string, path: string, body?: unknown) =>
      (await scene.send(method, path, body, { headers })).status;
  };
  const paths = [`/api/tasks/${id}`, `/api/tasks/${id}/runs`];
  const [reads, tasks] = [await as("read"), await as("task")];
  expect(await Promise.all(paths.map((path) => reads("GET", path)))).toEqual([200, 200]);
  expect(await Promise.all(paths.map((path) => tasks("GET", path)))).toEqual([404, 403]);
  expect(await tasks("GET", `/api/tasks/${id}/events`)).toBe(404);
  expect(await tasks("POST", `/api/tasks/${id}/cancel`)).toBe(404);
  for (const verb of ["pause", "resume", "run", "cancel"])
    expect(await reads("POST", `/api/tasks/${id}/${verb}`)).toBe(403);
  for (const verb of ["pause", "resume", "run"]) expect(await tasks("POST", `/api/tasks/${id}/${verb}`)).toBe(403);
  expect(await tasks("POST", "/api/tasks", daily)).toBe(403);
  const { token } = await scene.tokenFor("task", "api--mine");
  const seen = await scene.send("GET", "/api/tasks?kind=all", undefined, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(seen.body).toEqual({ tasks: [] });
  await eventually(async () => (await listed(scene, "?kind=planned")).length === 1);
});
