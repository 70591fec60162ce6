import { expect, test } from "vitest";
import type { NewEvent } from "../../contract/event.ts";
import { openSignInRecord } from "./sign-in-record.ts";

function recordAt(clock = { nowMs: 0 }) {
  const events: NewEvent[] = [];
  const troubles: string[] = [];
  const disk = { isFull: false };
  const record = openSignInRecord({
    async append(added) {
      if (disk.isFull) throw new Error("ENOSPC");
      events.push(...added);
    },
    nowMs: () => clock.nowMs,
    onTrouble: (message) => troubles.push(message),
  });
  return { record, events, troubles, disk, clock };
}
const token = { id: "tok_1", name: "backup" };
const here = { from: "192.0.2.7", userAgent: "curl/8" };

test("a token that is used all day is written down once for each place it comes from", async () => {
  const { record, events, clock } = recordAt();
  for (let at = 0; at < 1_000; at++) record.known(token, "token", here);
  record.known(token, "token", { ...here, from: "192.0.2.8" });
  clock.nowMs += 24 * 3_600_000;
  record.known(token, "token", here);
  await record.close();
  expect(events.map((event) => "from" in event && event.from)).toEqual(["192.0.2.7", "192.0.2.8", "192.0.2.7"]);
  expect(events[0]).toMatchObject({ type: "access.signed_in", tokenId: "tok_1", how: "token", client: "curl/8" });
});

test("wrong codes are told at once and then counted, however many come from however many places", async () => {
  const { record, events } = recordAt();
  for (let at = 0; at < 20_000; at++) record.refused("code", { ...here, from: `10.1.${at >> 8}.${at & 255}` });
  for (let at = 0; at < 500; at++) record.refused("token", here);
  await record.close();
  expect(events.length).toBeLessThan(50);
  const times = events.map((event) => (event.type === "access.refused" ? event.times : 0));
  expect(times.reduce((sum, one) => sum + one, 0)).toBe(20_500);
});

test("a token that has ended is blamed for its own uses only", async () => {
  const { record, events } = recordAt();
  for (let at = 0; at < 2; at++) record.refused("token", here, "tok_old");
  for (let at = 0; at < 50; at++) record.refused("token", here);
  await record.close();
  const times = (tokenId?: string) =>
    events
      .filter((event) => event.type === "access.refused" && event.tokenId === tokenId)
      .reduce((sum, event) => sum + ("times" in event ? event.times : 0), 0);
  expect([times("tok_old"), times()]).toEqual([2, 50]);
});

test("what a stranger says it is stays short and cannot disguise itself", async () => {
  const { record, events } = recordAt();
  record.refused("token", { from: "::1", userAgent: `\u202e\u001b[2J\n${"x".repeat(5_000)}` }, "tok_old");
  await record.close();
  const [event] = events;
  expect(event).toMatchObject({ type: "access.refused", tokenId: "tok_old", times: 1 });
  expect(event?.type === "access.refused" && event.client).toMatch(/^\\u\{202e\}\\u\{1b\}\[2J x{74}$/);
});

test("a disk that is full locks nobody out, and is told", async () => {
  const { record, troubles, disk, events } = recordAt();
  disk.isFull = true;
  record.known(token, "session", here);
  disk.isFull = false;
  record.exchanged(token, here);
  await record.close();
  expect([troubles.length, events.length]).toEqual([1, 1]);
});
