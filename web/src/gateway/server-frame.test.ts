import { expect, test } from "vitest";
import { readServerFrame } from "./server-frame.ts";

const read = (frame: unknown) => readServerFrame(JSON.stringify(frame));

test("the first answer says whether this browser is let in", () => {
  expect(read({ type: "auth", ok: true, scope: "owner" })).toEqual({ kind: "welcome" });
  expect(read({ type: "auth", ok: false, message: "Sign in first." })).toEqual({
    kind: "unwelcome",
    message: "Sign in first.",
  });
});

test("an answer carries its result, also when that is nothing", () => {
  expect(read({ id: "c1", result: { ok: true } })).toEqual({ kind: "result", id: "c1", result: { ok: true } });
  expect(read({ id: "c1", result: null })).toEqual({ kind: "result", id: "c1", result: null });
});

test("a refusal keeps the reason and the words meant for a person", () => {
  expect(read({ id: "c2", error: { code: -32001, message: "No such chat.", data: { reason: "not_found" } } })).toEqual({
    kind: "refusal",
    id: "c2",
    reason: "not_found",
    message: "No such chat.",
  });
});

test("a refusal without a reason still says something", () => {
  expect(read({ id: "c2", error: { code: -32603 } })).toEqual({
    kind: "refusal",
    id: "c2",
    reason: "failed",
    message: "Steward could not do that.",
  });
});

test("events of the log and live signals are told apart", () => {
  const event = { type: "turn.resumed", seq: 4, atMs: 1, conversation: "web--1", turn: "t" };
  const signal = { type: "live.text", conversation: "web--1", turn: "t", step: 0, delta: "Hi" };
  expect(read({ event: "log", data: event })).toEqual({ kind: "event", event });
  expect(read({ event: "live", data: signal })).toEqual({ kind: "live", signal });
});

test.each(["", "{", "[]", "null", "42", '{"event":"log","data":{}}', '{"event":"log","data":{"type":"x"}}', "{}"])(
  "%s is passed over",
  (text) => {
    expect(readServerFrame(text)).toBeUndefined();
  },
);

test("a binary frame is passed over", () => {
  expect(readServerFrame(new ArrayBuffer(4))).toBeUndefined();
});
