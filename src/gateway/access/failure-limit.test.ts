import { expect, test } from "vitest";
import { openFailureLimit } from "./failure-limit.ts";

const minuteMs = 60_000;

function scene() {
  let nowMs = 1_000_000;
  const limit = openFailureLimit({ nowMs: () => nowMs, onBlocked: () => {} });
  return {
    limit,
    wait: (ms: number) => {
      nowMs += ms;
    },
    fail: (address: string, times: number) => {
      for (let at = 0; at < times; at++) limit.count(address);
    },
  };
}

test("nine failures in a minute are forgiven in the next one", () => {
  const { limit, wait, fail } = scene();
  fail("203.0.113.9", 9);
  wait(minuteMs);
  fail("203.0.113.9", 9);
  expect(limit.waitMs("203.0.113.9")).toBe(0);
});

test("every further ten double the wait, up to an hour, and a quiet hour makes it short again", () => {
  const { limit, wait, fail } = scene();
  const waits: number[] = [];
  for (let round = 0; round < 8; round++) {
    fail("203.0.113.9", 10);
    waits.push(limit.waitMs("203.0.113.9") / minuteMs);
    wait(limit.waitMs("203.0.113.9"));
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  wait(60 * minuteMs);
  fail("203.0.113.9", 10);
  expect(limit.waitMs("203.0.113.9")).toBe(minuteMs);
});

test("addresses of one IPv6 network count as one, others are not touched", () => {
  const { limit, fail } = scene();
  for (let host = 1; host <= 10; host++) fail(`2001:db8::${host}`, 1);
  expect(limit.waitMs("2001:db8::ffff")).toBe(minuteMs);
  expect(limit.waitMs("2001:db8:0:1::1")).toBe(0);
});

test("the table does not grow with the number of addresses: the quietest one is forgotten", () => {
  const { limit, fail } = scene();
  fail("203.0.113.9", 10);
  for (let at = 0; at < 4_096; at++) fail(`10.0.${at >> 8}.${at & 255}`, 1);
  expect(limit.waitMs("203.0.113.9")).toBe(0);
});
