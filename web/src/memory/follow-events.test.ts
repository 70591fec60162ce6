import { expect, test } from "vitest";
import type { Followed } from "../../../src/contract/wire/client.ts";
import { followEvents } from "./follow-events.ts";

const happened = (type: "turn.finished" | "turn.resumed"): Followed => ({
  ...({ type, seq: 1, atMs: 1, conversation: "web--1", turn: "t", ending: "answered" } as Followed),
});

test("several events of the wanted kinds are one look, and other kinds none", () => {
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
  followEvents(link, timers, ["turn.finished"], () => {
    looks += 1;
  });
  tell(happened("turn.resumed"));
  expect(waiting).toEqual([]);
  for (let time = 0; time < 3; time++) tell(happened("turn.finished"));
  for (const run of waiting.splice(0)) run();
  expect(looks).toBe(1);
});
