import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { pushEvents } from "../../../src/contract/push-event.ts";
import { serveMethods } from "../../../src/contract/room/room-methods.ts";
import { defineTool, textResult } from "../../../src/contract/tool.ts";
import type { FakeModelServerOptions } from "../../fakes/model/fake-model-server.ts";
import { connectPlain, type Frame, type PlainClient } from "../../fakes/plain-ws-client.ts";
import { eventually } from "../../scenes/eventually.ts";
import { openWebSocketScene } from "../../scenes/gateway/websocket-scene.ts";
import { openModelScene } from "../../scenes/models/model-scene.ts";
import { messageReceived } from "../../scenes/stores.ts";
import { testTool } from "../../scenes/tools.ts";

/** Changes the world, so it asks, and tells how far it is. */
const sweep = defineTool({
  name: "sweep",
  description: "Sweeps a room.",
  arguments: z.strictObject({ room: z.string() }),
  result: textResult,
  effects: ["changes"],
  class: "idempotent",
  undo: { kind: "nothing to undo" },
  formatApproval: ({ room }) => `sweep the ${room}`,
  async run({ progress }, { room }) {
    progress("half of it is clean");
    return { outcome: "done", output: `the ${room} is clean` };
  },
});
const sweeps = { toolCalls: [{ name: "sweep", arguments: { room: "kitchen" } }] };

type SceneOptions = Partial<Parameters<typeof openWebSocketScene>[0]>;

async function sceneWith(answers: FakeModelServerOptions["answers"], options: SceneOptions = {}) {
  const model = await openModelScene({ answers });
  onTestFinished(() => model.close());
  const scene = await openWebSocketScene({ model: model.models, tools: [sweep], ...options });
  return { ...scene, requests: model.server.requests };
}

async function newSession(client: PlainClient): Promise<string> {
  return String((await client.ask("sessions.create", { channel: "web" })).result?.sessionKey);
}

async function sendTo(client: PlainClient, sessionKey: string, message: string): Promise<string> {
  return String((await client.ask("chat.send", { sessionKey, message })).result?.runId);
}

const ended = (runId: string) => (frames: readonly Frame[]) =>
  frames.find(({ event, data }) => (event === "chat.final" || event === "chat.error") && data?.runId === runId);

const pushedOnce = (event: string) => (frames: readonly Frame[]) => frames.find((frame) => frame.event === event)?.data;

const methods = serveMethods(
  { "sessions.list": { scopes: [], params: z.unknown(), result: z.unknown() } },
  { "sessions.list": async () => ({}) },
);

test("a plain client uses all ten methods and is told all five events", async () => {
  const { enter } = await sceneWith((request) => {
    if (request.lastUserText === "fail") return { fault: { kind: "status", status: 400, message: "no" } };
    if (request.lastUserText === "wait") return { text: "one two", fault: { kind: "hang", afterPieces: 1 } };
    if (request.lastUserText === "hello") return { text: "Good morning to you.", usage: { input: 11, output: 4 } };
    return request.toolOutputs.length > 0 ? { text: "I have done it." } : sweeps;
  });
  const client = await enter();
  expect((await client.ask("health.check")).result).toMatchObject({ status: "ok", uptime: expect.any(Number) });
  expect((await client.ask("agents.list")).result).toMatchObject({ agents: [{ id: "main" }] });
  const sessionKey = await newSession(client);
  expect((await client.ask("sessions.list")).result).toMatchObject({ sessions: [{ sessionKey }] });

  const hello = await sendTo(client, sessionKey, "hello");
  const final = await client.until(ended(hello));
  expect([final.event, final.data?.usage]).toEqual(["chat.final", { inputTokens: 11, outputTokens: 4 }]);
  expect(client.textOf(hello)).toBe("Good morning to you.");
  expect(client.pushed("chat.delta").length).toBeGreaterThan(1);
  const said = [
    { role: "user", content: "hello" },
    { role: "assistant", content: "Good morning to you." },
  ];
  expect((await client.ask("sessions.get", { sessionKey })).result).toMatchObject({
    session: { sessionKey },
    messages: said,
  });
  expect((await client.ask("chat.history", { sessionKey, limit: 50 })).result).toMatchObject({ messages: said });

  const swept = await sendTo(client, sessionKey, "sweep");
  const asked = await client.until(pushedOnce("exec.approval_request"));
  expect(asked).toMatchObject({ sessionKey, toolName: "sweep", summary: "sweep the kitchen" });
  expect((await client.ask("exec.approve", { approvalId: asked.approvalId })).result).toEqual({ ok: true });
  await client.until(ended(swept));
  expect(client.pushed("tool.progress")).toEqual([
    { runId: swept, sessionKey, tool: "sweep", message: "half of it is clean" },
  ]);
  expect(client.textOf(swept)).toBe("I have done it.");

  const again = await sendTo(client, sessionKey, "sweep again");
  const second = await client.until((frames) => frames.filter((f) => f.event === "exec.approval_request")[1]?.data);
  const denied = await client.ask("exec.deny", { approvalId: second.approvalId, reason: "not today" });
  expect(denied.result).toEqual({ ok: true });
  expect((await client.until(ended(again))).event).toBe("chat.final");

  const waiting = await sendTo(client, sessionKey, "wait");
  await client.until((frames) => frames.find(({ data }) => data?.runId === waiting));
  expect((await client.ask("chat.abort", { runId: waiting })).result).toEqual({ ok: true });
  expect((await client.until(ended(waiting))).event).toBe("chat.final");
  expect(client.textOf(waiting)).toBe("one \n\n(Stopped.)");

  const failing = await sendTo(client, sessionKey, "fail");
  const failed = await client.until(ended(failing));
  expect([failed.event, failed.data?.message]).toEqual(["chat.error", client.textOf(failing)]);
});

test("every push event is what the contract says", async () => {
  const { enter } = await sceneWith([sweeps, { text: "done" }]);
  const client = await enter();
  const runId = await sendTo(client, await newSession(client), "sweep");
  const { approvalId } = await client.until(pushedOnce("exec.approval_request"));
  await client.ask("exec.approve", { approvalId });
  await client.until(ended(runId));
  const names: string[] = Object.keys(pushEvents);
  for (const { event, data } of client.frames) {
    if (event === undefined) continue;
    expect(names).toContain(event);
    const schema: z.ZodObject = pushEvents[event as keyof typeof pushEvents];
    expect(schema.strict().safeParse(data).error?.message).toBeUndefined();
  }
});

test("an answer that is begun again after a broken connection is read once", async () => {
  const { enter, replies } = await sceneWith([
    { text: "half of it and then nothing", fault: { kind: "drop", afterPieces: 3 } },
    { text: "half of the answer, and the rest of it" },
  ]);
  const client = await enter();
  const runId = await sendTo(client, await newSession(client), "tell me");
  await client.until(ended(runId));
  expect(client.pushed("chat.delta").filter((data) => data.reset)).toEqual([
    { runId, sessionKey: expect.any(String), text: "", reset: true },
  ]);
  expect([client.textOf(runId)]).toEqual(await replies());
});

test("what is said before a tool is used gives way to the answer, and the tokens of all steps are counted", async () => {
  const looks = { toolCalls: [{ name: "note", arguments: { value: "a" } }], usage: { input: 10, output: 2 } };
  const { enter, replies } = await sceneWith(
    [
      { ...looks, text: "Let me look." },
      { text: "There is nothing.", usage: { input: 30, output: 5 } },
    ],
    { tools: [testTool({})] },
  );
  const client = await enter();
  const runId = await sendTo(client, await newSession(client), "look");
  const final = await client.until(ended(runId));
  expect(final.data?.usage).toEqual({ inputTokens: 40, outputTokens: 7 });
  expect([client.textOf(runId)]).toEqual(await replies());
});

test("words that no model has streamed are sent before the end", async () => {
  const { enter, replies } = await sceneWith(
    () => ({ text: "Once more. ", toolCalls: [{ name: "note", arguments: { value: String(Math.random()) } }] }),
    { tools: [testTool({})], settings: { agent: { maxSteps: 2 } } },
  );
  const client = await enter();
  const runId = await sendTo(client, await newSession(client), "go on and on");
  const { event, data } = await client.until(ended(runId));
  const [reply] = await replies();
  expect(reply).toContain("I stopped after 2 steps");
  expect([client.textOf(runId), event, data?.message]).toEqual([reply, "chat.error", reply]);
});

test("messages that join a turn each hear of its end, and its words come under the first", async () => {
  const { promise: joined, resolve: join } = Promise.withResolvers<void>();
  const slow = testTool({ run: () => joined.then(() => "noted") });
  const { enter } = await sceneWith(
    (request) =>
      request.lastUserText === "first"
        ? { toolCalls: [{ name: "note", arguments: { value: "a" } }], usage: { input: 1, output: 1 } }
        : { text: "Both of it is done.", usage: { input: 2, output: 2 } },
    { tools: [slow] },
  );
  const client = await enter();
  const sessionKey = await newSession(client);
  const first = await sendTo(client, sessionKey, "first");
  await eventually(() => slow.runs, ["a"]);
  const second = await sendTo(client, sessionKey, "second");
  join();
  const ends = await client.until((frames) => {
    const both = [ended(first)(frames), ended(second)(frames)];
    return both.every((frame) => frame !== undefined) && both;
  });
  expect(ends.map((frame) => frame?.data?.usage)).toEqual(Array(2).fill({ inputTokens: 3, outputTokens: 3 }));
  expect([client.textOf(first), client.textOf(second)]).toEqual(["Both of it is done.", ""]);
});

test("a message that finds no room is refused by an error", async () => {
  const { enter, requests } = await sceneWith([{ text: "one", fault: { kind: "hang", afterPieces: 0 } }], {
    settings: { queue: { maxWaiting: 1, whenBusy: "wait" } },
  });
  const client = await enter();
  const sessionKey = await newSession(client);
  await sendTo(client, sessionKey, "first");
  await eventually(() => requests.length, 1);
  await sendTo(client, sessionKey, "second");
  const third = await client.ask("chat.send", { sessionKey, message: "third" });
  expect(third.result?.accepted).toBe(false);
  const error = await client.until(ended(String(third.result?.runId)));
  expect([error.event, error.data?.message]).toEqual(["chat.error", third.result?.reason]);
});

test("a client that comes in the middle of an answer is shown all of it and its end", async () => {
  const text = "one two three four five six seven eight nine ten";
  const { enter } = await sceneWith([{ text, delayPerPieceMs: 40, usage: { input: 3, output: 10 } }]);
  const early = await enter();
  const runId = await sendTo(early, await newSession(early), "count");
  await early.until(() => early.textOf(runId).length > 10);
  const late = await enter();
  const final = await late.until(ended(runId));
  expect([late.textOf(runId), early.textOf(runId)]).toEqual([text, text]);
  expect(final.data?.usage).toEqual({ inputTokens: 3, outputTokens: 10 });
});

test("whoever asks for no events is told none", async () => {
  const { enter, until } = await sceneWith([{ text: "quiet" }]);
  const client = await enter({ events: "none" });
  await sendTo(client, await newSession(client), "hello");
  await until("turn.finished");
  await client.ask("health.check");
  expect(client.frames.filter((frame) => frame.event !== undefined)).toEqual([]);
});

test("JSON-RPC is answered as JSON-RPC, also to numbers", async () => {
  const { enter } = await sceneWith([]);
  const client = await enter();
  client.send({ jsonrpc: "2.0", id: 7, method: "sessions.list" });
  expect(await client.until((frames) => frames.find((frame) => frame.id === 7))).toEqual({
    jsonrpc: "2.0",
    id: 7,
    result: { sessions: [] },
  });
});

test("a wrong token is told so and shut out", async () => {
  const { url } = await sceneWith([]);
  const client = await connectPlain(url);
  expect(await client.signIn("stw_wrong")).toMatchObject({ ok: false, message: expect.stringContaining("not known") });
  expect((await client.closed).code).toBe(4401);
});

test("without a token the cookie of the request counts, and without both nobody comes in", async () => {
  const { url, access } = await sceneWith([]);
  const exchanged = await access.exchangeCode(access.createCode().code, "127.0.0.1", "a browser");
  const cookie = exchanged.kind === "known" ? (exchanged.cookie.split(";")[0] ?? "") : "";
  const browser = await connectPlain(url, { headers: { cookie } });
  expect(await browser.signIn()).toEqual({ type: "auth", ok: true, scope: "owner" });
  const stranger = await connectPlain(url);
  expect(await stranger.signIn()).toMatchObject({ ok: false });
  expect((await stranger.closed).code).toBe(4401);
});

test("scopes that a client claims for itself are not read", async () => {
  const { url, newToken } = await sceneWith([]);
  const { token } = await newToken("read");
  const client = await connectPlain(url);
  const claims = { scope: "owner", scopes: ["owner", "operator.admin"], role: "owner", caller: { scope: "owner" } };
  expect(await client.signIn(token, claims)).toMatchObject({ ok: true, scope: "read" });
  expect((await client.ask("sessions.create", {})).error?.data.reason).toBe("forbidden");
});

test("too many wrong tokens from one address are shut out with another number", async () => {
  const { url } = await sceneWith([]);
  for (let attempt = 0; attempt < 100; attempt++) {
    const client = await connectPlain(url, { headers: { "x-from": "203.0.113.5" } });
    await client.signIn(`stw_${attempt}`);
    const { code } = await client.closed;
    if (code === 4429) return;
    expect(code).toBe(4401);
  }
  expect.unreachable("it was never too many");
});

test("before a client has said who it is, it may ask for its health and for nothing else", async () => {
  const { url } = await sceneWith([]);
  const asking = await connectPlain(url);
  expect((await asking.ask("health.check")).result).toEqual({ status: "ok", uptime: 7 });
  asking.send({ id: "1", method: "sessions.list" });
  expect((await asking.closed).code).toBe(4401);
  for (const frame of ["not json", "[]", Buffer.of(1, 2, 3), '{"type":"auth","token":7}']) {
    const client = await connectPlain(url);
    client.send(frame);
    expect((await client.closed).code).toBe(4401);
    expect(client.frames.at(-1)).toMatchObject({ type: "auth", ok: false });
  }
});

test("what is sent behind the first frame without waiting is answered after it", async () => {
  const { url, newToken } = await sceneWith([]);
  const { token } = await newToken();
  const client = await connectPlain(url);
  client.send({ type: "auth", token });
  const answer = await client.ask("sessions.list");
  expect([client.frames[0]?.type, answer.result]).toEqual(["auth", { sessions: [] }]);
});

test("a client that does not say who it is is shut out after a while", async () => {
  const { url, door } = await sceneWith([], { door: { authWithinMs: 100 } });
  const client = await connectPlain(url);
  expect((await client.closed).code).toBe(4401);
  await eventually(door.count, 0);
});

test("strangers are few: eight from one address, sixty-four in all, and a place is free again when one leaves", async () => {
  const { url } = await sceneWith([]);
  const from = (place: string) => ({ headers: { "x-from": place } });
  const eight = await Promise.all(Array.from({ length: 8 }, () => connectPlain(url, from("a"))));
  await expect(connectPlain(url, from("a"))).rejects.toThrow("503");
  await Promise.all(Array.from({ length: 56 }, (_, at) => connectPlain(url, from(`b${at % 7}`))));
  await expect(connectPlain(url, from("c"))).rejects.toThrow("503");
  eight[0]?.socket.close();
  await eight[0]?.closed;
  await connectPlain(url, from("c"));
});

test("those who were let in take no place of the strangers", async () => {
  const { enter } = await sceneWith([]);
  const clients: PlainClient[] = [];
  for (let count = 0; count < 12; count++) clients.push(await enter({ events: "none" }));
  expect((await clients[11]?.ask("sessions.list"))?.result).toEqual({ sessions: [] });
});

test("a stranger's large frame is not read to its end", async () => {
  const { url, enter } = await sceneWith([]);
  const stranger = await connectPlain(url);
  stranger.send(JSON.stringify({ type: "auth", token: "x".repeat(200_000) }));
  expect((await stranger.closed).code).toBe(1009);
  const known = await enter({ events: "none" });
  const large = await known.ask("chat.send", { sessionKey: "web--a", message: "x".repeat(200_000) });
  expect(large.result?.accepted).toBe(true);
});

const malformed: [string, unknown, number, unknown][] = [
  ["text that is not JSON", "{", -32700, null],
  ["nothing", "", -32700, null],
  ["bytes", Buffer.from('{"id":"1","method":"sessions.list"}'), -32600, null],
  ["a list", [{ id: "1", method: "sessions.list" }], -32600, null],
  ["a word", '"hello"', -32600, null],
  ["null", "null", -32600, null],
  ["no id", { method: "sessions.list" }, -32600, null],
  ["an id that is an object", { id: { a: 1 }, method: "sessions.list" }, -32600, null],
  ["a long id", { id: "x".repeat(201), method: "sessions.list" }, -32600, null],
  ["no method", { id: "m" }, -32600, "m"],
  ["a method that is a number", { id: "m", method: 7 }, -32600, "m"],
  ["a field too many", { id: "m", method: "sessions.list", scope: "owner" }, -32600, "m"],
  ["a second auth frame", { type: "auth", token: "x" }, -32600, null],
  ["a method that does not exist", { id: "m", method: "sessions.steal" }, -32601, "m"],
  ["a method of every object", { id: "m", method: "constructor" }, -32601, "m"],
  ["wrong parameters", { id: "m", method: "chat.send", params: { sessionKey: 7 } }, -32602, "m"],
  ["a parameter too many", { id: "m", method: "sessions.list", params: { all: true } }, -32602, "m"],
  ["parameters that are a list", { id: "m", method: "sessions.list", params: [] }, -32602, "m"],
  ["a number to follow from that is none", { id: "m", method: "events.follow", params: { since: "a" } }, -32602, "m"],
];

test.each(malformed)("%s is answered with an error, and the socket goes on", async (_name, frame, code, id) => {
  const { enter, troubles } = await sceneWith([]);
  const client = await enter({ events: "none" });
  client.send(frame);
  const answer = await client.until((frames) => frames.find((each) => each.error));
  expect([answer.error?.code, answer.id]).toEqual([code, id]);
  expect((await client.ask("sessions.list")).result).toEqual({ sessions: [] });
  expect(troubles).toEqual([]);
});

test("whoever sends nothing but malformed frames is hung up on", async () => {
  const { enter } = await sceneWith([]);
  const client = await enter({ events: "none" });
  for (let count = 0; count <= 50; count++) client.send("{");
  expect((await client.closed).code).toBe(1008);
  expect(client.frames.filter((frame) => frame.error)).toHaveLength(51);
});

test("a failure inside is told without its details", async () => {
  const { enter, store, troubles } = await sceneWith([]);
  const client = await enter({ events: "none" });
  await store.database.transaction(true, (tx) => tx.query("DROP TABLE usage"));
  const answer = await client.ask("usage.get", {});
  expect(answer.error).toMatchObject({ code: -32603, data: { reason: "failed" } });
  expect(answer.error?.message).not.toContain("usage");
  expect(troubles).toHaveLength(1);
});

test("sixty-four calls may be under way at once, and the next is told so", async () => {
  const waiting: (() => void)[] = [];
  const gateway = {
    methods: () => methods,
    call: () => new Promise((resolve) => waiting.push(() => resolve({}))),
    follow: () => () => {},
  };
  const { enter } = await sceneWith([], { door: { gateway } });
  const client = await enter({ events: "none" });
  const calls = Array.from({ length: 64 }, () => client.ask("sessions.list"));
  expect((await client.ask("sessions.list")).error?.message).toContain("Too many");
  for (const finish of waiting) finish();
  expect((await Promise.all(calls)).every((answer) => answer.result)).toBe(true);
});

/** The same numbers in every run, so that what fails once fails again. */
function openDice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const oddValues = [
  "null",
  "-1",
  "1e999",
  "[]",
  "{}",
  '"\\ud800"',
  "true",
  '{"__proto__":{"scope":"owner"}}',
  "[[[[[[1]]]]]]",
];

/** A frame that was right once, with something wrong in it. */
function spoiledFrame(dice: (below: number) => number): string | Buffer {
  const methods = ["sessions.list", "chat.history", "events.follow", "usage.get", "sessions.get", "toString"];
  const whole = `{"id":"f","method":"${methods[dice(methods.length)]}","params":{"sessionKey":"web--a","since":0}}`;
  const at = dice(whole.length);
  switch (dice(5)) {
    case 0:
      return whole.slice(0, at);
    case 1:
      return whole.slice(0, at) + String.fromCodePoint(dice(0xd7ff)) + whole.slice(at + 1);
    case 2:
      return whole.replace(/"(f|web--a|since|params|method)"/, oddValues[dice(oddValues.length)] ?? "");
    case 3:
      return whole.replace(/\{"sessionKey.*\}\}/, `${"[".repeat(dice(20_000))}}`);
    default:
      return Buffer.from(Array.from({ length: dice(200) }, () => dice(256)));
  }
}

test("five thousand spoiled frames are each answered, and nothing breaks or grows", async () => {
  const { enter, door, troubles } = await sceneWith([]);
  const dice = openDice(7);
  setFlagsFromString("--expose-gc");
  const collectGarbage: () => void = runInNewContext("gc");
  const heapBytes = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = heapBytes();
  for (let visit = 0; visit < 112; visit++) {
    const client = await enter({ scope: "read", events: "none" });
    for (let count = 0; count < 45; count++) client.send(spoiledFrame(dice));
    await client.until((frames) => frames.filter((frame) => "id" in frame).length === 45);
    client.socket.terminate();
  }
  await eventually(door.count, 0);
  expect(troubles).toEqual([]);
  expect(heapBytes() - before).toBeLessThan(10_000_000);
});

test("bytes that are no WebSocket frame at all close that socket and no other", async () => {
  const { enter, url } = await sceneWith([]);
  const good = await enter();
  for (const bytes of [Buffer.alloc(64, 0xff), Buffer.of(0x83, 0x00), Buffer.of(0x81, 0x02, 0x41, 0x41)]) {
    const raw = connect(Number(new URL(url).port), "127.0.0.1");
    const gone = new Promise((resolve) => raw.once("close", resolve));
    raw.on("error", () => undefined);
    raw.write(
      "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    raw.once("data", () => raw.write(bytes));
    await gone;
  }
  expect((await good.ask("sessions.list")).result).toEqual({ sessions: [] });
});

const numbers = (client: PlainClient) => client.pushed("log").map((event) => Number(event.seq));
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

test("a client that does not read is not written to without bound, and afterwards misses nothing", async () => {
  const { enter, store, serverSockets } = await sceneWith([]);
  const client = await enter({ events: "none" });
  await client.ask("events.follow", { since: 0 });
  client.socket.pause();
  let unsent = 0;
  for (let count = 0; count < 400; count++) {
    await store.log.append([messageReceived("x".repeat(50_000), { messageId: `m${count}` })], { durable: false });
    unsent = Math.max(unsent, ...serverSockets.map((socket) => socket.writableLength));
  }
  expect(unsent).toBeGreaterThan(500_000);
  expect(unsent).toBeLessThan(1_200_000);
  client.socket.resume();
  const last = store.log.lastSeq();
  await client.until(() => numbers(client).at(-1) === last);
  expect(numbers(client)).toEqual(upTo(last));
});

test("a client of the views that does not read in time still gets every answer whole and once", async () => {
  const answerTo = (question: string) => `${question} ${"because ".repeat(60_000)}`;
  const { enter, say, store, serverSockets } = await sceneWith(({ lastUserText }) => ({
    text: answerTo(lastUserText),
    pieces: 200,
  }));
  const client = await enter();
  client.socket.pause();
  let unsent = 0;
  const watch = setInterval(() => {
    unsent = Math.max(unsent, ...serverSockets.map((socket) => socket.writableLength));
  }, 1);
  onTestFinished(() => clearInterval(watch));
  let finished = 0;
  store.log.subscribe((events) => {
    finished += events.filter((event) => event.type === "turn.finished").length;
  });
  const runs = await Promise.all(
    Array.from({ length: 30 }, async (_, at) => {
      const sent = await say(`why ${at}?`, `web--${at}`);
      return z.object({ runId: z.string() }).parse(sent).runId;
    }),
  );
  await eventually(() => finished, 30);
  expect(unsent).toBeGreaterThan(500_000);
  expect(unsent).toBeLessThan(2_500_000);
  client.socket.resume();
  await client.until((frames) => runs.every((runId) => ended(runId)(frames)));
  expect(runs.every((runId, at) => client.textOf(runId) === answerTo(`why ${at}?`))).toBe(true);
});

test("a client that asks and does not read is not listened to until it has read", async () => {
  let calls = 0;
  const call = async () => {
    calls += 1;
    return { sessions: "x".repeat(1_000_000) };
  };
  const { enter } = await sceneWith([], {
    door: { gateway: { methods: () => methods, call, follow: () => () => {} } },
  });
  const client = await enter({ events: "none" });
  client.socket.pause();
  for (let count = 0; count < 300; count++) {
    client.send({ id: `h${count}`, method: "sessions.list" });
    await sleep(1);
  }
  expect(calls).toBeLessThan(64);
  client.socket.resume();
  await client.until((frames) => frames.filter((frame) => String(frame.id).startsWith("h")).length === 300);
  expect(client.frames.filter((frame) => frame.error).length).toBeLessThan(300);
});

test("a client that comes again with the last number it has seen misses nothing and hears nothing twice", async () => {
  const { url, newToken, store } = await sceneWith([]);
  const { token } = await newToken();
  let isWriting = true;
  const writing = (async () => {
    for (let count = 0; count < 600; count++) {
      await store.log.append([messageReceived(`m${count}`)], { durable: false });
      if (count % 20 === 0) await sleep(2);
    }
    isWriting = false;
  })();
  const seen: number[] = [];
  for (let visit = 0; isWriting || seen.length < store.log.lastSeq(); visit++) {
    const client = await connectPlain(url);
    await client.signIn(token, { events: "none" });
    await client.ask("events.follow", { since: seen.at(-1) ?? 0 });
    await sleep(visit % 20);
    client.socket.terminate();
    await client.closed;
    seen.push(...numbers(client));
  }
  await writing;
  expect(seen).toEqual(upTo(store.log.lastSeq()));
});

test("two clients see the same", async () => {
  const { enter, store } = await sceneWith([{ text: "for everyone to see", delayPerPieceMs: 5 }]);
  const [one, two] = [await enter(), await enter()];
  for (const client of [one, two]) await client.ask("events.follow", { since: 0 });
  const runId = await sendTo(one, await newSession(one), "hello");
  for (const client of [one, two])
    await client.until((frames) => ended(runId)(frames) && numbers(client).at(-1) === store.log.lastSeq());
  const told = (client: PlainClient, name: RegExp) => client.frames.filter(({ event }) => name.test(event ?? ""));
  expect(told(one, /^(log|live)$/)).toEqual(told(two, /^(log|live)$/));
  expect(told(one, /\./)).toEqual(told(two, /\./));
  expect(two.textOf(runId)).toBe("for everyone to see");
});

test("following ends when it is not wanted any more, and beyond the end of the log there is nothing to follow", async () => {
  const { enter, store } = await sceneWith([]);
  const client = await enter({ events: "none" });
  await client.ask("events.follow", { since: 0 });
  await client.until(() => numbers(client).length > 0);
  await client.ask("events.unfollow");
  const before = numbers(client).length;
  await store.log.append([messageReceived("unheard")]);
  const beyond = await client.ask("events.follow", { since: 1_000_000 });
  expect([beyond.error?.data.reason, numbers(client).length]).toEqual(["conflict", before]);
});

test("a revoked token closes its sockets at once, and nothing they still say is done", async () => {
  const { url, newToken, access, owner, events } = await sceneWith([]);
  const { token, record } = await newToken();
  const client = await connectPlain(url);
  await client.signIn(token);
  await access.revoke(owner, record.id);
  // the goodbye is still on its way, so the client does not know yet
  client.send({ id: "late", method: "chat.send", params: { sessionKey: "web--late", message: "late" } });
  expect((await client.closed).code).toBe(4401);
  expect((await events()).filter((event) => event.type === "message.received")).toEqual([]);
  const again = await connectPlain(url);
  expect(await again.signIn(token)).toMatchObject({ ok: false });
});

test("who may only read sees everything and changes nothing", async () => {
  const { enter } = await sceneWith([{ text: "seen by both" }]);
  const [owner, reader] = [await enter(), await enter({ scope: "read" })];
  const sessionKey = await newSession(owner);
  for (const [method, params] of [
    ["chat.send", { sessionKey, message: "hello" }],
    ["sessions.create", {}],
    ["exec.approve", { approvalId: "a" }],
    ["access.create", { name: "wider", scope: "owner" }],
    ["settings.get", {}],
  ] as const)
    expect([method, (await reader.ask(method, params)).error?.data.reason]).toEqual([method, "forbidden"]);
  const runId = await sendTo(owner, sessionKey, "hello");
  await reader.until(ended(runId));
  expect(reader.textOf(runId)).toBe("seen by both");
});

test("who may only approve sees questions and nothing else", async () => {
  const { enter } = await sceneWith([sweeps, { text: "a secret answer" }]);
  const [owner, approver] = [await enter(), await enter({ scope: "approve" })];
  await approver.ask("events.follow", { since: 0 });
  const runId = await sendTo(owner, await newSession(owner), "a secret question");
  const { approvalId } = await approver.until(pushedOnce("exec.approval_request"));
  expect((await approver.ask("exec.approve", { approvalId })).result).toEqual({ ok: true });
  await owner.until(ended(runId));
  await approver.ask("approvals.list");
  expect(new Set(approver.frames.flatMap(({ event }) => event ?? []))).toEqual(
    new Set(["exec.approval_request", "log"]),
  );
  expect(JSON.stringify(approver.frames)).not.toContain("secret");
});

test("a token for one conversation sees and does nothing beyond it", async () => {
  const { enter } = await sceneWith((request) => ({ text: `about ${request.lastUserText}` }));
  const owner = await enter();
  const [mine, other] = [await newSession(owner), await newSession(owner)];
  const guest = await enter({ scope: "task", sessionKey: mine });
  await guest.ask("events.follow", { since: 0 });
  for (const [method, params] of [
    ["chat.send", { sessionKey: other, message: "hello" }],
    ["chat.history", { sessionKey: other }],
    ["sessions.list", {}],
    ["approvals.list", {}],
  ] as const)
    expect([method, (await guest.ask(method, params)).error?.data.reason]).toEqual([method, "forbidden"]);
  const hidden = await sendTo(owner, other, "something private");
  await owner.until(ended(hidden));
  const open = await sendTo(guest, mine, "the weather");
  await guest.until(ended(open));
  expect(guest.textOf(open)).toContain("the weather");
  expect(JSON.stringify(guest.frames)).not.toContain("private");
  expect(new Set(guest.pushed("log").map((event) => event.conversation))).toEqual(new Set([mine]));
});

test("a restart is told as a restart, and nobody comes in any more", async () => {
  const { enter, url, door } = await sceneWith([]);
  const client = await enter();
  await door.close();
  expect((await client.closed).code).toBe(1012);
  expect(door.count()).toBe(0);
  await expect(connectPlain(url)).rejects.toThrow("503");
});

test("a client that is not there any more is noticed, and one that is stays", async () => {
  const { url, enter, newToken, door } = await sceneWith([], { door: { beatMs: 40 } });
  const { token } = await newToken();
  const alive = await enter();
  const dead = await connectPlain(url, { autoPong: false });
  await dead.signIn(token);
  expect((await dead.closed).code).toBe(1006);
  await eventually(door.count, 1);
  expect((await alive.ask("sessions.list")).result).toEqual({ sessions: [] });
});
