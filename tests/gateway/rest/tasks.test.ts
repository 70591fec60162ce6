import { createConnection } from "node:net";
import { expect, test } from "vitest";
import type { TaskEvent } from "../../../src/contract/task-event.ts";
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

test("a task that waits for another one cannot stop that one", async () => {
  const scene = await openRestScene({
    model: scriptedModel([{ hangsAfter: "Let me" }]),
    settings: { queue: { whenBusy: "wait" } },
  });
  const first = await begin(scene, { prompt: "think", sessionKey: "api--one" });
  await settled(scene, first.id, "running");
  const second = await begin(scene, { prompt: "me too", sessionKey: "api--one" });
  expect((await scene.send("POST", `/api/tasks/${second.id}/cancel`)).status).toBe(409);
  expect((await settled(scene, first.id, "running")).state).toBe("running");
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

test("the events of a task tell the whole story once, in order, and end", async () => {
  const scene = await openRestScene(asksFirst());
  const { id } = await begin(scene, { prompt: "note milk" });
  const reader = readEvents(await scene.request(`/api/tasks/${id}/events`));
  const seen = () => reader.events.map(({ data }) => (data as TaskEvent).type);
  await reader.until(() => seen().includes("approval_request"));
  const request = reader.events.find(({ data }) => (data as TaskEvent).type === "approval_request")?.data;
  expect(request).toMatchObject({ id: "call-1-0", toolPath: "note", input: { value: "milk" } });
  await scene.send("POST", "/api/approvals/call-1-0", { decision: "approved" });
  await reader.ended;
  expect(seen().filter((type) => type !== "status")).toEqual([
    "agent_message",
    "approval_request",
    "approval_resolved",
    "tool_result",
    "agent_message",
    "completed",
  ]);
  expect(reader.events.at(-2)?.data).toEqual({ type: "agent_message", text: "Noted it." });
  expect(new Set(reader.events.map((event) => event.id)).size).toBe(reader.events.length);
});

test("whoever comes back with any Last-Event-ID gets exactly the rest", async () => {
  const scene = await openRestScene(asksFirst());
  const { id } = await begin(scene, { prompt: "note milk" });
  await settled(scene, id, "waiting");
  await scene.send("POST", "/api/approvals/call-1-0", { decision: "approved" });
  await settled(scene, id, "completed");
  const all = readEvents(await scene.request(`/api/tasks/${id}/events`));
  await all.ended;
  expect(all.events.length).toBeGreaterThan(8);
  for (const [index, { id: lastEventId }] of all.events.slice(0, -1).entries()) {
    const rest = readEvents(
      await scene.request(`/api/tasks/${id}/events`, { headers: { "last-event-id": lastEventId } }),
    );
    await rest.ended;
    expect(rest.events).toEqual(all.events.slice(index + 1));
  }
  const last = all.events.at(-1)?.id ?? "";
  expect((await scene.send("GET", `/api/tasks/${id}/events?lastEventId=${last}`)).status).toBe(204);
  for (const bad of ["x", "1.2.3", "-1", "01", "1.", "1e3", "9".repeat(20)])
    expect((await scene.send("GET", `/api/tasks/${id}/events?lastEventId=${bad}`)).status).toBe(400);
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

test("the whole log is followed from any number, without gaps or repeats, with live words in between", async () => {
  const scene = await openRestScene({ model: answers("Good day.") });
  const fresh = readEvents(await scene.request("/api/events"));
  await fresh.until(() => fresh.lastId() !== "");
  const { id } = await begin(scene, { prompt: "hi" });
  await settled(scene, id, "completed");
  await fresh.until((events) => JSON.stringify(events).includes("turn.finished"));
  const logged = fresh.events.filter(({ event }) => event === "log").map((event) => Number(event.id));
  expect(logged).toEqual(logged.map((_, index) => (logged[0] ?? 0) + index));
  expect(fresh.events.some(({ event, data }) => event === "live" && JSON.stringify(data).includes("Good day."))).toBe(
    true,
  );
  const whole = readEvents(await scene.request("/api/events?lastEventId=0"));
  await whole.until((events) => events.length >= scene.store.log.lastSeq());
  expect(whole.events.filter(({ event }) => event === "log").map((event) => event.id)).toEqual(
    Array.from({ length: scene.store.log.lastSeq() }, (_, index) => String(index + 1)),
  );
  expect((await scene.send("GET", "/api/events?lastEventId=99999")).status).toBe(409);
  await Promise.all([fresh.stop(), whole.stop()]);
});

test("a stream whose token is revoked ends at once", async () => {
  const scene = await openRestScene({ model: answers("Hello.") });
  const { token, record } = await scene.tokenFor("read");
  const reader = readEvents(await scene.request("/api/events", { headers: { authorization: `Bearer ${token}` } }));
  await scene.send("POST", "/api/call/access.revoke", { id: record.id });
  await expect(reader.ended).resolves.toBeUndefined();
});

test("an idle stream is kept alive by comments", async () => {
  const scene = await openRestScene({ model: answers("Hello."), heartbeatMs: 20 });
  const reader = readEvents(await scene.request("/api/events"));
  await eventually(() => reader.comments >= 3);
  expect(reader.events).toEqual([]);
  await reader.stop();
});

test("a reader that does not read costs next to nothing and later gets everything", async () => {
  const scene = await openRestScene({ model: answers("Hello.") });
  const text = "x".repeat(100_000);
  const socket = createConnection(scene.port, "127.0.0.1");
  socket.pause();
  const head = ["GET /api/events?lastEventId=0 HTTP/1.1", `Host: 127.0.0.1:${scene.port}`];
  socket.write(`${[...head, `Authorization: Bearer ${scene.token}`, "", ""].join("\r\n")}`);
  await eventually(() => !socket.connecting);
  // some megabytes of it lie in the system's own buffers, the rest must not lie in ours
  const before = process.memoryUsage().arrayBuffers;
  const count = 400;
  for (let number = 0; number < count; number += 1) {
    await scene.store.log.append(
      [
        {
          type: "reply.written",
          conversation: "api--long",
          channel: "api",
          text: `${number}:${text}`,
          attachments: [],
        },
      ],
      { durable: false },
    );
  }
  // time in which it could take up more than it should
  await new Promise((resolve) => setTimeout(resolve, 100));
  const grown = process.memoryUsage().arrayBuffers - before;
  expect(grown).toBeLessThan((count * text.length) / 4);
  const pieces: Buffer[] = [];
  const wanted = `"text":"${count - 1}:`;
  const hasAll = new Promise<void>((resolve) =>
    socket.on("data", (piece: Buffer) => {
      pieces.push(piece);
      if (Buffer.concat(pieces.slice(-2)).includes(wanted)) resolve();
    }),
  );
  socket.resume();
  await hasAll;
  socket.destroy();
  const received = Buffer.concat(pieces).toString("latin1");
  const ids = [...received.matchAll(/^id: (\d+)\n/gm)].map(([, id]) => Number(id));
  expect(ids.slice(1)).toEqual(Array.from({ length: ids.length - 1 }, (_, index) => index + 1));
  expect(ids.length).toBeGreaterThan(count);
});

test("any method can be called by HTTP, with the gateway's own refusals", async () => {
  const scene = await openRestScene({ model: answers("Hello.") });
  expect(await scene.send("POST", "/api/call/models.list", {})).toMatchObject({
    status: 200,
    body: { chosen: "scripted/one" },
  });
  expect((await scene.send("POST", "/api/call/agents.list")).status).toBe(200);
  expect((await scene.send("POST", "/api/call/sessions.get", { sessionKey: 1 })).status).toBe(400);
  expect(await scene.send("POST", "/api/call/sessions.get", { sessionKey: "api--none" })).toMatchObject({
    status: 404,
    body: { error: { code: "not_found" } },
  });
  expect((await scene.send("POST", "/api/call/no.such", {})).status).toBe(404);
  const { token } = await scene.tokenFor("read");
  const headers = { authorization: `Bearer ${token}` };
  expect((await scene.send("POST", "/api/call/hooks.list", {}, { headers })).status).toBe(403);
  expect((await scene.send("POST", "/api/call/hooks.list", {}, { headers: { authorization: "" } })).status).toBe(401);
});

test("pictures are shown and everything else is saved, as the log says and never as the bytes do", async () => {
  const scene = await openRestScene({ model: answers("Nice.") });
  const upload = async (name: string, mediaType: string, content: string) => {
    await scene.send("POST", "/api/call/chat.send", {
      sessionKey: "api--files",
      message: "look",
      attachments: [{ name, mediaType, base64: Buffer.from(content).toString("base64") }],
    });
    const sent = (await scene.until("message.received")).at(-1)?.attachments[0];
    return scene.request(`/api/attachments/${sent?.sha256}`);
  };
  const picture = await upload("cat.png", "image/png", "not really a cat");
  expect(await picture.text()).toBe("not really a cat");
  expect(picture.headers.get("content-type")).toBe("image/png");
  expect(picture.headers.get("content-disposition")).toBe("inline; filename*=UTF-8''cat.png");
  expect(picture.headers.get("x-content-type-options")).toBe("nosniff");
  expect(picture.headers.get("content-security-policy")).toContain("sandbox");
  expect(picture.headers.get("cache-control")).toContain("private");
  const page = await upload('../"\r\nX: y/ä;b.html', "text/html", "<script>alert(1)</script>");
  expect(page.headers.get("content-type")).toBe("application/octet-stream");
  expect(page.headers.get("content-disposition")).toBe("attachment; filename*=UTF-8''%C3%A4%3Bb.html");
  const drawing = await upload("x.svg", "image/svg+xml", "<svg/>");
  expect(drawing.headers.get("content-disposition")).toMatch(/^attachment/);
  expect((await scene.send("GET", `/api/attachments/${"0".repeat(64)}`)).status).toBe(404);
  expect((await scene.send("GET", "/api/attachments/..%2f..%2fsteward.db")).status).not.toBe(200);
  const { token } = await scene.tokenFor("task", "api--other");
  const hash = (await scene.until("message.received"))[0]?.attachments[0]?.sha256;
  const headers = { authorization: `Bearer ${token}` };
  expect((await scene.send("GET", `/api/attachments/${hash}`, undefined, { headers })).status).toBe(404);
});

test("anyone hears that the house lives, and nothing else about it", async () => {
  const scene = await openRestScene({ model: answers("Hello.") });
  const { status, body } = await scene.send("GET", "/health", undefined, { headers: { authorization: "" } });
  expect(status).toBe(200);
  expect(Object.keys(body as object).sort()).toEqual(["status", "uptime"]);
});

test("the figures count work, have help and types, and name no conversation", async () => {
  const scene = await openRestScene({ model: answers("Hello.") });
  const { id } = await begin(scene, { prompt: "hi", sessionKey: "api--private" });
  await settled(scene, id, "completed");
  const { body } = await scene.send("GET", "/metrics");
  const text = String(body);
  expect(text).toContain(
    '# TYPE steward_turns_finished_total counter\nsteward_turns_finished_total{ending="answered"} 1',
  );
  expect(text).toContain('steward_tokens_total{model="scripted/one",direction="read"} 10');
  expect(text).toContain('steward_http_requests_total{route="POST /api/tasks",status="202"} 1');
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect(text).not.toContain("private");
  for (const line of text.trimEnd().split("\n"))
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+)$/);
});
