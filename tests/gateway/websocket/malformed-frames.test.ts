import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { eventually } from "../../scenes/eventually.ts";
import { methods, sceneWith } from "../../scenes/gateway/websocket-conversation.ts";

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
  const { enter } = await sceneWith([], { endpoint: { gateway } });
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
  const { enter, endpoint, troubles } = await sceneWith([]);
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
  await eventually(endpoint.count, 0);
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
