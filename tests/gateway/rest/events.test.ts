import { createConnection } from "node:net";
import { expect, test } from "vitest";
import type { Event } from "../../../src/contract/event.ts";
import type { TaskEvent } from "../../../src/contract/wire/task-event.ts";
import type { Task } from "../../../src/gateway/rest/tasks/task.ts";
import { readEvents } from "../../fakes/event-source.ts";
import { eventually } from "../../scenes/eventually.ts";
import { openRestScene, type RestScene } from "../../scenes/gateway/rest-scene.ts";
import { scriptedModel } from "../../scenes/scripted-model.ts";
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
  // that it came in is all there is to tell
  expect(reader.events.filter(({ data }) => (data as Event).type !== "access.signed_in")).toEqual([]);
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
