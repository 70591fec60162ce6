import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { readDeliveryId, verifySignature } from "./hook-signature.ts";

// the example of the Standard Webhooks reference libraries: nobody here chose these bytes
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const timestamp = "1614265330";
const signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
const body = Buffer.from('{"test": 2432232314}');
const nowMs = Number(timestamp) * 1000;

function verify(changes: { headers?: Record<string, string>; body?: Buffer; nowMs?: number; secret?: string } = {}) {
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  return verifySignature(changes.secret ?? secret, {
    headers: { ...headers, ...changes.headers },
    body: changes.body ?? body,
    nowMs: changes.nowMs ?? nowMs,
  });
}

test("the example of the standard is accepted", () => {
  expect(verify()).toBe(id);
});

test("one of several signatures is enough, whichever place it has", () => {
  const other = `v1,${createHmac("sha256", "other").update("x").digest("base64")}`;
  expect(verify({ headers: { "webhook-signature": `v1a,abc ${other} ${signature}` } })).toBe(id);
});

test("a changed body, id, time, secret or version is refused", () => {
  expect([
    verify({ body: Buffer.from('{"test": 2432232315}') }),
    verify({ headers: { "webhook-id": "msg_other" } }),
    verify({ headers: { "webhook-timestamp": String(Number(timestamp) + 1) } }),
    verify({ secret: "whsec_AAAA9r8GKYqrTwjUPD8ILPZIo2LaLaSw" }),
    verify({ headers: { "webhook-signature": signature.replace("v1", "v2") } }),
    verify({ headers: { "webhook-signature": "" } }),
    verify({ headers: { "webhook-signature": "v1,short" } }),
  ]).toEqual(Array(7).fill(undefined));
});

test("a request is good for five minutes before and after its time", () => {
  expect([-301, -300, 300, 301].map((seconds) => verify({ nowMs: nowMs + seconds * 1000 }) === id)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test("an id with a dot could be read in two ways and is none", () => {
  const ids = ["a", "msg_1", "a.b", "", "a b", "ä", "x".repeat(129)];
  expect(ids.map((given) => readDeliveryId({ "webhook-id": given }))).toEqual([
    "a",
    "msg_1",
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
