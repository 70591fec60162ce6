import { expect, test } from "vitest";
import { openRateLimits, routeOf } from "./rate-limits.ts";

const post = routeOf("POST", "/channels/1/messages");
const other = routeOf("POST", "/channels/2/messages");

function answered(status: number, headers: Record<string, string> = {}, body: unknown = {}) {
  return { status, headers: new Headers(headers), body };
}

function limitsAt(clock: { nowMs: number }) {
  return openRateLimits(() => clock.nowMs);
}

test("after the last request of its kind the next one waits as long as Discord says, and no longer", () => {
  const clock = { nowMs: 0 };
  const limits = limitsAt(clock);
  limits.learn(post, answered(200, { "x-ratelimit-remaining": "1", "x-ratelimit-reset-after": "4.5" }));
  expect(limits.leftMs(post)).toBe(0);
  limits.learn(post, answered(200, { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "4.5" }));
  expect([limits.leftMs(post), limits.leftMs(other)]).toEqual([4_500, 0]);
  clock.nowMs = 4_500;
  expect(limits.leftMs(post)).toBe(0);
});

test.each([
  ["in the body", {}, { retry_after: 1.25 }, 1_250],
  ["in both, the body more exactly", { "retry-after": "2" }, { retry_after: 1.25 }, 1_250],
  ["in the head only", { "retry-after": "3" }, undefined, 3_000],
  ["nowhere", {}, undefined, 5_000],
  ["in no number", { "retry-after": "soon" }, { retry_after: "soon" }, 5_000],
  ["far too large", {}, { retry_after: 1e15 }, 24 * 60 * 60_000],
])("a refusal that says %s how long to wait is heeded", (_, headers, body, waitMs) => {
  const limits = limitsAt({ nowMs: 0 });
  expect(limits.learn(post, answered(429, headers, body))).toBe(waitMs);
  expect([limits.leftMs(post), limits.leftMs(other)]).toEqual([waitMs, 0]);
});

test.each([
  ["in the body", {}, { retry_after: 2, global: true }],
  ["in the head", { "x-ratelimit-global": "true" }, { retry_after: 2 }],
])("a refusal of everything, said %s, holds for every request", (_, headers, body) => {
  const limits = limitsAt({ nowMs: 0 });
  limits.learn(post, answered(429, headers, body));
  expect([limits.leftMs(post), limits.leftMs(other)]).toEqual([2_000, 2_000]);
});

test("a refusal of another kind makes nobody wait", () => {
  const limits = limitsAt({ nowMs: 0 });
  expect(limits.learn(post, answered(403, { "retry-after": "3" }, { retry_after: 3 }))).toBe(0);
  expect(limits.leftMs(post)).toBe(0);
});

test("requests count together by what is done in which channel, whatever the message", () => {
  const change = routeOf("PATCH", "/channels/1/messages/20");
  expect(routeOf("PATCH", "/channels/1/messages/21")).toBe(change);
  expect(routeOf("PATCH", "/channels/2/messages/20")).not.toBe(change);
  expect(routeOf("DELETE", "/channels/1/messages/20")).not.toBe(change);
  expect(routeOf("PUT", "/channels/1/messages/20/reactions/%F0%9F%91%8D/@me")).toBe(
    routeOf("PUT", "/channels/1/messages/21/reactions/%F0%9F%91%8E/@me"),
  );
  expect(routeOf("GET", "/users/@me")).not.toBe(routeOf("GET", "/gateway/bot"));
});
