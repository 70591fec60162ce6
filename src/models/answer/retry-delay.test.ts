import { expect, test } from "vitest";
import { backoffMs, retryAfterMs } from "./retry-delay.ts";

test("a wait doubles with each failed attempt and never exceeds half a minute", () => {
  expect([1, 2, 3, 4, 20].map((failed) => backoffMs(failed, 1))).toEqual([500, 1000, 2000, 4000, 30_000]);
});

test("chance may halve a wait but not more", () => {
  expect([backoffMs(3, 0), backoffMs(3, 0.5)]).toEqual([1000, 1500]);
});

test("the server's wish is read from seconds, milliseconds and dates, and capped at a minute", () => {
  const nowMs = Date.parse("2026-11-15T10:00:00Z");
  const headers = [
    { "retry-after": "1.5" },
    { "retry-after-ms": "250", "retry-after": "9" },
    { "retry-after": "Sun, 15 Nov 2026 10:00:30 GMT" },
    { "retry-after": "Sun, 15 Nov 2026 09:00:00 GMT" },
    { "retry-after": "86400" },
  ];
  expect(headers.map((each) => retryAfterMs(each as Record<string, string>, nowMs))).toEqual([
    1500, 250, 30_000, 0, 60_000,
  ]);
});

test("no wish, or one that cannot be read, leaves the wait to us", () => {
  expect([retryAfterMs({}, 0), retryAfterMs({ "retry-after": "soon" }, 0)]).toEqual([undefined, undefined]);
});
