import { expect, test } from "vitest";
import type { Event } from "../../../src/contract/event.ts";
import type { Followed } from "../../../src/contract/wire/client.ts";
import { concernsTasks, followTasks } from "./follow-tasks.ts";

const by = { kind: "owner", id: "me" } as const;
const changed: Event = { type: "task.changed", seq: 1, atMs: 1, conversation: "web--1", task: "t1", by };
const inTurn = (conversation: string): Event => ({
  type: "turn.finished",
  seq: 1,
  atMs: 1,
  conversation,
  turn: "t",
  ending: "answered",
});

test("what happens in a conversation of people is no task's affair, the same in a task's own is", () => {
  expect(concernsTasks(inTurn("web--1"))).toBe(false);
  expect(concernsTasks(inTurn("task--t1"))).toBe(true);
});

test("many events in a row are one look", () => {
  let tell: (followed: Followed) => void = () => {};
  const waiting: (() => void)[] = [];
  let looks = 0;
  const timers = {
    after(_: number, run: () => void) {
      waiting.push(run);
      return () => {};
    },
  };
  const link = {
    follow(listener: (followed: Followed) => void) {
      tell = listener;
      return () => {};
    },
  };
  followTasks(link, timers, () => {
    looks += 1;
  });
  for (const event of [changed, changed, changed]) tell(event);
  for (const run of waiting.splice(0)) run();
  expect(looks).toBe(1);
  tell(changed);
  for (const run of waiting.splice(0)) run();
  expect(looks).toBe(2);
});
