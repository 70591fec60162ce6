import { expect, onTestFinished, test } from "vitest";
import { type MethodName, methods } from "../../../src/contract/wire/method.ts";
import type { RestDeps } from "../../../src/gateway/rest/rest-deps.ts";
import { restRoutes } from "../../../src/gateway/rest/rest-routes.ts";
import { tasksRoom } from "../../../src/tasks/tasks-room.ts";
import { type ReceivedEvent, readEvents } from "../../fakes/event-source.ts";
import {
  findFaults,
  type Operation,
  openDocumentChecker,
  type ReadDocument,
} from "../../scenes/gateway/open-api-rules.ts";
import { openRestScene } from "../../scenes/gateway/rest-scene.ts";
import { scriptedModel } from "../../scenes/scripted-model.ts";
import { clientOf, ended, spawnSteward, writeSettings } from "../../scenes/steward-process.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";

test("the document keeps the rules of OpenAPI 3.1", async () => {
  const scene = await openRestScene({ model: scriptedModel([{ text: "Hello." }]) });
  const { status, body } = await scene.send("GET", "/openapi.json");
  expect(status).toBe(200);
  expect(findFaults(body)).toEqual([]);
  const broken = structuredClone(body) as ReadDocument;
  const task = broken.paths["/api/tasks/{id}"]?.get;
  if (!task) throw new Error("the task is not described");
  task.parameters = [];
  expect(findFaults(broken)).toEqual(["/api/tasks/{id} declares "]);
});

test("every route is in the document, every method is, and nothing else", async () => {
  const scene = await openRestScene({ model: scriptedModel([{ text: "Hello." }]), rooms: [tasksRoom] });
  const { paths } = (await scene.send("GET", "/openapi.json")).body as ReadDocument;
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  // only the table is read, nothing is answered by these
  const deps = { log: scene.store.log, access: { onEnd: () => () => {} } } as unknown as RestDeps;
  const table = restRoutes(deps, await scene.offered.routes());
  const served = table.flatMap(({ method, path }) =>
    path === "/api/call/:method"
      ? Object.keys(scene.gateway.methods()).map((name) => `POST /api/call/${name}`)
      : [`${method} ${path.replace(/:(\w+)/g, "{$1}")}`],
  );
  expect(described.toSorted()).toEqual(served.toSorted());
});

type Call = { path?: string; body?: unknown; headers?: Record<string, string>; status: number; takes?: number };
type Known = { taskId: string; plannedId: string; sha256: string; hookToken: string; token: string; code: string };

const session = "api--described";
const nobody = { authorization: "" };

/** One request for each operation that is not a method: what is sent and which of the described answers is meant to come. */
const calls: Record<string, (known: Known) => Call> = {
  "POST /api/tasks": () => ({ body: { prompt: "What is 2 + 2?" }, status: 202 }),
  "GET /api/tasks": () => ({ path: "/api/tasks?limit=5&state=completed", status: 200 }),
  "GET /api/tasks/{id}": ({ taskId }) => ({ path: `/api/tasks/${taskId}`, status: 200 }),
  "GET /api/tasks/{id}/events": ({ taskId }) => ({ path: `/api/tasks/${taskId}/events`, status: 200, takes: 4 }),
  "GET /api/tasks/{id}/runs": ({ plannedId }) => ({ path: `/api/tasks/${plannedId}/runs`, status: 200 }),
  "POST /api/tasks/{id}/pause": ({ plannedId }) => ({ path: `/api/tasks/${plannedId}/pause`, status: 200 }),
  "POST /api/tasks/{id}/resume": ({ plannedId }) => ({ path: `/api/tasks/${plannedId}/resume`, status: 200 }),
  "POST /api/tasks/{id}/run": ({ plannedId }) => ({ path: `/api/tasks/${plannedId}/run`, status: 200 }),
  "POST /api/tasks/{id}/cancel": ({ taskId }) => ({ path: `/api/tasks/${taskId}/cancel`, status: 200 }),
  "GET /api/events": () => ({ path: "/api/events?lastEventId=0", status: 200, takes: 10 }),
  "GET /api/approvals": () => ({ status: 200 }),
  "POST /api/approvals/{callId}": () => ({
    path: "/api/approvals/call_none",
    body: { decision: "denied" },
    status: 404,
  }),
  "POST /api/hooks/{token}": ({ hookToken }) => ({
    path: `/api/hooks/${hookToken}`,
    body: { ok: true },
    headers: nobody,
    status: 202,
  }),
  "GET /api/attachments/{sha256}": ({ sha256 }) => ({ path: `/api/attachments/${sha256}`, status: 200 }),
  "GET /health": () => ({ headers: nobody, status: 200 }),
  "GET /metrics": () => ({ status: 200 }),
  "GET /v1/models": () => ({ status: 200 }),
  "POST /v1/chat/completions": () => ({ body: { messages: [{ role: "user", content: "help" }] }, status: 200 }),
  "GET /openapi.json": () => ({ status: 200 }),
  "POST /api/session": ({ code }) => ({ body: { code }, headers: nobody, status: 204 }),
  "GET /api/session": () => ({ status: 200 }),
  "DELETE /api/session": ({ token }) => ({ headers: { authorization: `Bearer ${token}` }, status: 204 }),
};

const nothing = { body: {}, status: 200 };
const noModel = { provider: "nowhere", model: "nowhere/none", baseUrl: "http://127.0.0.1:9/v1" };
const noTask = { body: { id: "none" }, status: 404 };
/** The same for each method; those that need something which is not there are refused as described. */
const methodCalls: Record<MethodName, Call> = {
  "health.check": nothing,
  "agents.list": nothing,
  "models.list": nothing,
  "skills.list": nothing,
  "sessions.create": { body: { channel: "api", idempotencyKey: "one" }, status: 200 },
  "sessions.list": nothing,
  "sessions.get": { body: { sessionKey: session }, status: 200 },
  "sessions.configure": { body: { sessionKey: session, thinking: "low" }, status: 200 },
  "sessions.renew": { body: { sessionKey: "api--none" }, status: 404 },
  "memory.search": { body: { query: "hello" }, status: 200 },
  "memory.status": nothing,
  "memory.reindex": nothing,
  "memory.recalled": nothing,
  "memory.mentions": { body: { about: "hello" }, status: 200 },
  "memory.forget": nothing,
  "notes.list": nothing,
  "notes.read": { body: { path: "memory/none.md" }, status: 404 },
  "notes.write": { body: { path: "memory/a.md", text: "a", version: null }, status: 200 },
  "notes.history": { body: { path: "MEMORY.md" }, status: 200 },
  "channels.list": nothing,
  "channels.pair": nothing,
  "channels.unpair_codes": nothing,
  "channels.remove_person": { body: { channel: "slack", person: "none" }, status: 404 },
  "channels.test": { body: { channel: "telegram" }, status: 200 },
  "channels.set_secret": { body: { name: "NO_TOKEN", value: "v" }, status: 400 },
  "channels.reconnect": { body: { channel: "telegram" }, status: 409 },
  "groups.list": nothing,
  "groups.register": { body: { channel: "email", address: { chat: "1" }, title: "None" }, status: 400 },
  "groups.change": { body: { group: "none", options: {} }, status: 404 },
  "groups.remove": { body: { group: "none" }, status: 404 },
  "sessions.rename": { body: { sessionKey: session, title: "Described" }, status: 200 },
  "sessions.delete": { body: { sessionKey: "api--none" }, status: 404 },
  "sessions.search": { body: { query: "help" }, status: 200 },
  "chat.send": { body: { sessionKey: session, message: "help" }, status: 200 },
  "chat.history": { body: { sessionKey: session }, status: 200 },
  "chat.abort": { body: { runId: "message_none" }, status: 200 },
  "approvals.list": nothing,
  "approvals.answer": { body: { approvalIds: ["approval_none"], decision: "denied" }, status: 200 },
  "exec.approve": { body: { approvalId: "approval_none" }, status: 404 },
  "exec.deny": { body: { approvalId: "approval_none" }, status: 404 },
  "changes.undo": { body: { sessionKey: session }, status: 200 },
  "usage.get": nothing,
  "access.createCode": nothing,
  "access.list": nothing,
  "access.create": { body: { name: "described", scope: "read" }, status: 200 },
  "access.revoke": { body: { id: "tok_none" }, status: 200 },
  "settings.get": nothing,
  "settings.set": { body: { revision: "old", changes: [{ key: "agent.name", value: "Anna" }] }, status: 409 },
  "settings.apply": nothing,
  "program.stop": nothing,
  "setup.status": nothing,
  "models.test": { body: noModel, status: 200 },
  "models.connect": { body: { ...noModel, provider: "Bad Name" }, status: 400 },
  "tools.list": nothing,
  "tools.try": { body: { tool: "list", arguments: { path: "." } }, status: 200 },
  "audit.list": { body: { limit: 50 }, status: 200 },
  "audit.verify": nothing,
  "logs.tail": nothing,
  "push.key": nothing,
  "push.subscribe": { body: { subscription: {} }, status: 400 },
  "push.unsubscribe": { body: { endpoint: "https://push.example/none" }, status: 200 },
  "heartbeat.get": nothing,
  "heartbeat.beat": nothing,
  "heartbeat.tell": { body: { text: "Look at the plants." }, status: 200 },
  "tasks.list": nothing,
  "tasks.get": noTask,
  "tasks.create": { body: { when: "0 9 * * *", action: { kind: "do", prompt: "help" } }, status: 200 },
  "tasks.createRecurring": { body: { prompt: "help", intervalMs: 86_400_000 }, status: 200 },
  "tasks.createEventTrigger": { body: { prompt: "help", trigger: { kind: "webhook" } }, status: 200 },
  "tasks.edit": noTask,
  "tasks.pause": noTask,
  "tasks.resume": noTask,
  "tasks.run": noTask,
  "tasks.cancel": noTask,
  "tasks.history": noTask,
  "tasks.preview": { body: { when: "0 9 * * *" }, status: 200 },
  "tasks.calendar": { body: { fromMs: 1_700_000_000_000, untilMs: 1_703_000_000_000 }, status: 200 },
};
// after these it is closed: each has a Steward of its own
const closing = ["POST /api/call/settings.apply", "POST /api/call/program.stop"];

test("everything the document describes is there on the running program and answers as described", async () => {
  const steward = await startSteward();
  const document = (await steward.ask("GET", "/openapi.json", { status: 200 })).body as ReadDocument;
  expect(findFaults(document)).toEqual([]);
  const check = openDocumentChecker(document);
  const known = await prepare(steward);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
  expect(operations.length).toBeGreaterThan(Object.keys(methods).length + 14);
  for (const { method, path, operation } of operations) {
    const name = nameOf({ method, path });
    const call = callFor(name, known);
    const { ask } = closing.includes(name) ? await startSteward() : steward;
    const answered = await ask(method.toUpperCase(), call.path ?? path, call);
    expect([name, answered.status, answered.body]).toEqual([name, call.status, answered.body]);
    expect([name, ...faultsOf(check, operation, answered)]).toEqual([name]);
  }
});

function nameOf({ method, path }: { method: string; path: string }): string {
  return `${method.toUpperCase()} ${path}`;
}

function callFor(name: string, known: Known): Call {
  const method = name.replace("POST /api/call/", "");
  const call = Object.hasOwn(methodCalls, method) ? methodCalls[method as MethodName] : calls[name]?.(known);
  if (!call) throw new Error(`${name} is described, but this test does not know how to call it`);
  return call;
}

type Asked = { status: number; type: string; body: unknown; events: readonly ReceivedEvent[] };
type Steward = { ask(method: string, path: string, call: Call): Promise<Asked> };

function faultsOf(
  check: ReturnType<typeof openDocumentChecker>,
  operation: Operation,
  answered: Asked,
): readonly string[] {
  const content = operation.responses[answered.status]?.content;
  if (!operation.responses[answered.status]) return [`${answered.status} is not described`];
  if (!content) return answered.body === "" ? [] : ["a body that is not described"];
  const [type = ""] = Object.keys(content);
  if (answered.type.split(";")[0] !== type.split(";")[0]) return [`${answered.type} instead of ${type}`];
  const { schema = {} } = content[type] ?? {};
  if (answered.events.length > 0) return answered.events.flatMap(({ data }) => check(data, schema));
  return check(answered.body, schema);
}

async function prepare({ ask }: Steward): Promise<Known> {
  const call = async <Answer>(method: MethodName, body: unknown) =>
    (await ask("POST", `/api/call/${method}`, { body, status: 200 })).body as Answer;
  const base64 = Buffer.from("just bytes").toString("base64");
  const attachments = [{ name: "a.bin", mediaType: "application/x-unknown", base64 }];
  const { runId } = await call<{ runId: string }>("chat.send", { sessionKey: session, message: "help", attachments });
  const { path, task } = await call<{ path: string; task: { id: string } }>("tasks.createEventTrigger", {
    prompt: "help",
    trigger: { kind: "webhook", signed: false },
  });
  const { token } = await call<{ token: string }>("access.create", { name: "short", scope: "read" });
  const { code } = await call<{ code: string }>("access.createCode", {});
  const history = await call<{ events: { attachments?: { sha256: string }[] }[] }>("chat.history", {
    sessionKey: session,
  });
  const sha256 = history.events.flatMap((event) => event.attachments ?? [])[0]?.sha256 ?? "";
  return { taskId: runId, plannedId: task.id, sha256, hookToken: path.split("/").at(-1) ?? "", token, code };
}

async function startSteward(): Promise<Steward> {
  const home = await temporaryFolder();
  await writeSettings(home, 9, { agent: {}, models: { probeLocal: false } });
  const token = "an-owner-token-for-this-test-only-0123456789";
  const child = spawnSteward({
    home,
    environment: { STEWARD_GATEWAY_TOKEN: token },
  });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended(child);
  });
  const client = await clientOf(child, home);
  if (!client) throw new Error(`Steward did not start: ${String(child.stderr?.read())}`);
  const { page } = await client.call("health.check", {});
  await client.close();
  return { ask: (method, path, call) => ask(String(new URL(path, page)), token, method, call) };
}

async function ask(url: string, token: string, method: string, call: Call): Promise<Asked> {
  const { authorization = `Bearer ${token}` } = call.headers ?? {};
  const response = await fetch(url, {
    method,
    headers: {
      ...(authorization !== "" && { authorization }),
      ...(call.body !== undefined && { "content-type": "application/json" }),
    },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
  });
  const { status } = response;
  const type = response.headers.get("content-type") ?? "";
  if (call.takes !== undefined && status === 200) {
    const reader = readEvents(response);
    await reader.until((events) => events.length >= (call.takes ?? 0));
    await reader.stop();
    return { status, type, body: "", events: reader.events };
  }
  const text = await response.text();
  const body = type.startsWith("application/json") && text !== "" ? JSON.parse(text) : text;
  return { status, type, body, events: [] };
}
