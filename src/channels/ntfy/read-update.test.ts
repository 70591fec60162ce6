import { expect, test } from "vitest";
import { readLine, readUpdate } from "./read-update.ts";
import { sealPress } from "./reply-topic.ts";

const key = Buffer.alloc(32, 7);
const place = { key, address: { chat: "ann-phone" }, answer: async () => undefined };

test.each(["", "{", "null", "[]", '"text"', '{"event":"message"}', '{"id":5,"time":1,"event":"message"}', "<html>"])(
  "the line %j says nothing that concerns Steward, and does no harm",
  (text) => {
    expect(readLine(text)).toBeUndefined();
  },
);

test("a line of a newer server may hold more than is known today", () => {
  expect(readLine('{"id":"a","time":1,"event":"message_clear","new":{"deep":[1]}}')).toMatchObject({
    event: "message_clear",
  });
});

test("a press comes from the phone, at the time that the server has noted", () => {
  const line = readLine(
    JSON.stringify({ id: "a", time: 1_800_000_000, event: "message", message: sealPress(key, "deny a1") }),
  );
  expect(line && readUpdate(place, line)).toMatchObject({
    ...{ kind: "press", press: "deny a1", atMs: 1_800_000_000_000 },
    ...{ address: { chat: "ann-phone" }, isDirect: true, from: { id: "ann-phone", name: "phone" } },
  });
});

test("what somebody else has posted is no press", () => {
  expect(readUpdate(place, { id: "a", time: 1, event: "message", message: "approve a1", tags: [] })).toBeUndefined();
});
