import { expect, test } from "vitest";
import type { Session } from "../../../../src/contract/wire/method.ts";
import { groupSessions } from "./group-sessions.ts";

const now = new Date(2026, 5, 17, 12, 0, 0);
const session = (sessionKey: string, at: Date): Session => ({
  sessionKey,
  title: sessionKey,
  messages: 1,
  lastAtMs: at.getTime(),
  lastSeq: 1,
  state: "idle",
});

test("conversations stand under the day they were last used", () => {
  const groups = groupSessions(
    [
      session("future", new Date(2026, 5, 17, 13)),
      session("morning", new Date(2026, 5, 17, 0, 0, 0)),
      session("evening", new Date(2026, 5, 16, 23, 59)),
      session("week", new Date(2026, 5, 11)),
      session("old", new Date(2026, 1, 1)),
    ],
    now.getTime(),
  );
  expect(groups.map(({ title, sessions }) => [title, sessions.map((one) => one.sessionKey)])).toEqual([
    ["Today", ["future", "morning"]],
    ["Yesterday", ["evening"]],
    ["Last 7 days", ["week"]],
    ["Older", ["old"]],
  ]);
});

test("a heading with nothing below it is left out", () => {
  expect(groupSessions([session("old", new Date(2025, 1, 1))], now.getTime()).map((group) => group.title)).toEqual([
    "Older",
  ]);
});
