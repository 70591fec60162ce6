import { expect, test } from "vitest";
import type { Task } from "../../../src/gateway/rest/tasks/task.ts";
import { readEvents } from "../../fakes/event-source.ts";
import { eventually } from "../../scenes/eventually.ts";
import { openRestScene, type RestScene } from "../../scenes/gateway/rest-scene.ts";
import { scriptedModel } from "../../scenes/scripted-model.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";
import { testTool } from "../../scenes/tools.ts";

const answers = (text: string) => scriptedModel([{ text }]);

const asksFirst = (scriptedText = "Noted it.") => ({
  model: scriptedModel([
    { text: "I will note it.", calls: [{ tool: "note", arguments: { value: "milk" } }] },
    { text: scriptedText },
  ]),
  tools: [testTool({ effects: ["changes"], class: "unsafe" })],
});

async function begin(scene: RestScene, body: object, headers: Record<string, string> = {}): Promise<Task> {
  const { status, body: task } = await scene.send("POST", "/api/tasks", body, { headers });
  expect(status).toBe(202);
  return task as Task;
}

async function settled(scene: RestScene, id: string, state: string): Promise<Task> {
  const look = async () => (await scene.send("GET", `/api/tasks/${id}`)).body as Task;
  return eventually(look, expect.objectContaining({ state }));
}

test("a task is begun, done, and tells what it was answered and what it cost", async () => {
  const scene = await openRestScene({ model: answers("It is Tuesday.") });
  const begun = await begin(scene, { prompt: "What day is it?" });
  expect(begun.sessionKey).toMatch(/^api--/);
  const task = await settled(scene, begun.id, "completed");
  expect(task).toMatchObject({
    prompt: "What day is it?",
    answer: "It is Tuesday.",
    usage: { inputTokens: 10, outputTokens: 5 },
    costUsd: 0.001,
    waitingFor: [],
  });
  expect(task.finishedAtMs).toBeGreaterThanOrEqual(task.createdAtMs);
});

test("the same Idempotency-Key is the same task, also after a restart, and not for other words", async () => {
  const home = await temporaryFolder();
  const first = await openRestScene({ home, model: answers("Done.") });
  const headers = { "idempotency-key": "order-7" };
  const begun = await begin(first, { prompt: "Order tea" }, headers);
  const again = await begin(first, { prompt: "Order tea" }, headers);
  await settled(first, begun.id, "completed");
  await first.close();
  const second = await openRestScene({ home, model: answers("Done.") });
  const later = await begin(second, { prompt: "Order tea" }, headers);
  const other = await second.send("POST", "/api/tasks", { prompt: "Order coffee" }, { headers });
  expect([again.id, later.id, other.status]).toEqual([begun.id, begun.id, 409]);
  expect((await second.until("message.received")).length).toBe(1);
});

test("tasks are listed newest first and by state", async () => {
  const scene = await openRestScene({ model: answers("Yes.") });
  const one = await begin(scene, { prompt: "one" });
  await settled(scene, one.id, "completed");
  const two = await begin(scene, { prompt: "two" });
  await settled(scene, two.id, "completed");
  const ids = async (query: string) =>
    ((await scene.send("GET", `/api/tasks${query}`)).body as { tasks: Task[] }).tasks.map((task) => task.prompt);
  expect(await ids("")).toEqual(["two", "one"]);
  expect(await ids("?limit=1")).toEqual(["two"]);
  expect(await ids("?state=failed")).toEqual([]);
  expect((await scene.send("GET", "/api/tasks?state=lost")).status).toBe(400);
});

test("a task that asks first waits, and goes on when its call is approved by its callId", async () => {
  const scene = await openRestScene(asksFirst());
  const { id } = await begin(scene, { prompt: "note milk" });
  const waiting = await settled(scene, id, "waiting");
  expect(waiting.waitingFor).toMatchObject([{ callId: "call-1-0", tool: "note", input: { value: "milk" } }]);
  const listed = (await scene.send("GET", "/api/approvals")).body as { approvals: { callId: string }[] };
  expect(listed.approvals.map((question) => question.callId)).toEqual(["call-1-0"]);
  const answered = await scene.send("POST", "/api/approvals/call-1-0", { decision: "approved" });
  expect(answered).toMatchObject({ status: 200, body: { ok: true, decision: "approved" } });
  expect((await settled(scene, id, "completed")).answer).toBe("Noted it.");
  expect((await scene.send("POST", "/api/approvals/call-1-0", { decision: "approved" })).status).toBe(404);
});

test("a denied call is told to the model, and the reason is kept", async () => {
  const scene = await openRestScene(asksFirst("As you wish."));
  const { id } = await begin(scene, { prompt: "note milk" });
  const [question] = (await settled(scene, id, "waiting")).waitingFor;
  const path = `/api/approvals/${question?.approvalId}`;
  expect((await scene.send("POST", path, { decision: "denied", always: true })).status).toBe(400);
  expect((await scene.send("POST", path, { decision: "denied", reason: "no milk" })).status).toBe(200);
  expect((await settled(scene, id, "completed")).answer).toBe("As you wish.");
  expect((await scene.until("approval.answered"))[0]).toMatchObject({ decision: "denied", reason: "no milk" });
});

test("two open questions of the same callId must be named by their own ids", async () => {
  const scene = await openRestScene({ model: answers("Hello.") });
  const question = {
    type: "approval.asked" as const,
    callId: "call_0",
    tool: "note",
    arguments: {},
    binding: "b",
    display: "note",
    rule: "r",
    reason: "",
    expiresAtMs: Date.now() + 60_000,
  };
  await scene.store.log.append([
    { ...question, conversation: "api--a", turn: "turn_a", approvalId: "approval_a" },
    { ...question, conversation: "api--b", turn: "turn_b", approvalId: "approval_b" },
  ]);
  expect((await scene.send("POST", "/api/approvals/call_0", { decision: "denied" })).status).toBe(409);
  expect((await scene.send("POST", "/api/approvals/approval_b", { decision: "denied" })).status).toBe(200);
});

test("a task under way is cancelled, and cancelling it again changes nothing", async () => {
  const scene = await openRestScene({ model: scriptedModel([{ hangsAfter: "Let me" }]) });
  const { id } = await begin(scene, { prompt: "think for ever" });
  await settled(scene, id, "running");
  expect(await scene.send("POST", `/api/tasks/${id}/cancel`)).toMatchObject({ status: 200, body: { ok: true } });
  const task = await settled(scene, id, "cancelled");
  expect(task.error).toBeUndefined();
  expect(await scene.send("POST", `/api/tasks/${id}/cancel`)).toMatchObject({ status: 200, body: { ok: false } });
});

test("a task that waits for another one is taken back before it begins, and the other one goes on", async () => {
  const scene = await openRestScene({
    model: scriptedModel([{ hangsAfter: "Let me" }]),
    settings: { queue: { whenBusy: "wait" } },
  });
  const first = await begin(scene, { prompt: "think", sessionKey: "api--one" });
  await settled(scene, first.id, "running");
  const second = await begin(scene, { prompt: "me too", sessionKey: "api--one" });
  const reader = readEvents(await scene.request(`/api/tasks/${second.id}/events`));
  await reader.until((events) => events.length > 0);
  const cancelled = await scene.send("POST", `/api/tasks/${second.id}/cancel`);
  expect(cancelled).toMatchObject({ status: 200, body: { ok: true, task: { state: "cancelled" } } });
  await reader.ended;
  expect(reader.events.map(({ data }) => data)).toEqual([
    { type: "status", message: "Waiting to begin." },
    { type: "error", error: "The task was cancelled." },
  ]);
  const late = readEvents(await scene.request(`/api/tasks/${second.id}/events`));
  await late.ended;
  expect(late.events.length).toBe(2);
  const lastEventId = reader.events.at(-1)?.id ?? "";
  const again = await scene.request(`/api/tasks/${second.id}/events`, { headers: { "last-event-id": lastEventId } });
  expect(again.status).toBe(204);
  expect(await scene.send("POST", `/api/tasks/${second.id}/cancel`)).toMatchObject({ body: { ok: false } });
  expect((await settled(scene, first.id, "running")).state).toBe("running");
});

test("a message that waits is taken back by its run id, and stopping the conversation still stops what is under way", async () => {
  const scene = await openRestScene({
    model: scriptedModel([{ hangsAfter: "Let me" }]),
    settings: { queue: { whenBusy: "wait" } },
  });
  const first = await begin(scene, { prompt: "think", sessionKey: "api--one" });
  await settled(scene, first.id, "running");
  const second = await begin(scene, { prompt: "me too", sessionKey: "api--one" });
  expect(await scene.call("chat.abort", { runId: second.id })).toEqual({ ok: true });
  expect(await scene.call("chat.abort", { runId: second.id })).toEqual({ ok: false });
  expect(await scene.call("chat.abort", { sessionKey: "api--one" })).toEqual({ ok: true });
  await settled(scene, first.id, "cancelled");
  expect((await scene.until("turn.started")).length).toBe(1);
});

test("a failed turn is a failed task with its reason", async () => {
  const scene = await openRestScene({
    model: scriptedModel([{ unavailable: "network", message: "No model answers." }]),
  });
  const { id } = await begin(scene, { prompt: "hello" });
  expect((await settled(scene, id, "failed")).error).toBe("No model answers.");
});

test("when a conversation is full the next task is refused before anything is written, and its key is still good", async () => {
  const scene = await openRestScene({
    model: scriptedModel([{ hangsAfter: "" }]),
    settings: { queue: { whenBusy: "wait" } },
  });
  const first = await begin(scene, { prompt: "first", sessionKey: "api--full" });
  await settled(scene, first.id, "running");
  for (let number = 0; number < 20; number += 1) await begin(scene, { prompt: `${number}`, sessionKey: "api--full" });
  const headers = { "idempotency-key": "late" };
  const refused = await scene.send("POST", "/api/tasks", { prompt: "late", sessionKey: "api--full" }, { headers });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
  expect((await scene.events()).filter((event) => event.type === "message.refused")).toEqual([]);
});

test("a message that joins a turn is a task of its own, without what the turn did before", async () => {
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  const scene = await openRestScene({
    model: scriptedModel([{ text: "First.", calls: [{ tool: "note", arguments: { value: "a" } }] }, { text: "Both." }]),
    tools: [testTool({ run: () => mayGoOn.then(() => "done") })],
  });
  const first = await begin(scene, { prompt: "one", sessionKey: "api--steer" });
  await scene.until("tool.sent");
  const second = await begin(scene, { prompt: "two", sessionKey: "api--steer" });
  goOn();
  const [one, two] = [await settled(scene, first.id, "completed"), await settled(scene, second.id, "completed")];
  expect([one.answer, two.answer]).toEqual(["Both.", "Both."]);
  expect([one.usage.inputTokens, two.usage.inputTokens]).toEqual([20, 10]);
  const reader = readEvents(await scene.request(`/api/tasks/${second.id}/events`));
  await reader.ended;
  expect(JSON.stringify(reader.events)).not.toContain("First.");
});

test("a token for one conversation sees its own tasks and no others", async () => {
  const scene = await openRestScene({ model: answers("Hello.") });
  const { token } = await scene.tokenFor("task", "api--mine");
  const headers = { authorization: `Bearer ${token}` };
  const foreign = await begin(scene, { prompt: "secret", sessionKey: "api--other" });
  const own = await scene.send("POST", "/api/tasks", { prompt: "mine" }, { headers });
  expect(own).toMatchObject({ status: 202, body: { sessionKey: "api--mine" } });
  const asked = (method: string, path: string, body?: unknown) => scene.send(method, path, body, { headers });
  const listed = (await asked("GET", "/api/tasks")).body as { tasks: Task[] };
  expect(listed.tasks.map((task) => task.prompt)).toEqual(["mine"]);
  expect((await asked("GET", `/api/tasks/${foreign.id}`)).status).toBe(404);
  expect((await asked("GET", `/api/tasks/${foreign.id}/events`)).status).toBe(404);
  expect((await asked("POST", `/api/tasks/${foreign.id}/cancel`)).status).toBe(404);
  expect((await asked("POST", "/api/tasks", { prompt: "x", sessionKey: "api--other" })).status).toBe(403);
  expect((await asked("POST", "/api/tasks", { prompt: "x", model: "scripted/one" })).status).toBe(403);
  expect((await asked("GET", "/api/events")).status).toBe(403);
  expect((await asked("GET", "/metrics")).status).toBe(403);
  expect((await asked("GET", "/api/approvals")).status).toBe(403);
});
