import { expect, test } from "vitest";
import { declineChats, waitingChats, waitingWords } from "./decline-chats.ts";

const chat = (name: string) => ({ channel: "telegram", address: { chat: name }, title: name, lastSeenMs: 0 }) as const;

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
}

test("a chat that was declined is not asked about again, and a new one is", () => {
  const kept = storage();
  expect(waitingChats(kept, [chat("a"), chat("b")])).toHaveLength(2);
  declineChats(kept, [chat("a")]);
  declineChats(kept, [chat("b")]);
  expect(waitingChats(kept, [chat("a"), chat("c\nb"), chat("b")])).toEqual([chat("c\nb")]);
});

test("one chat waits, and of several the newest is named", () => {
  expect([1, 2, 3].map(waitingWords)).toEqual([
    "is waiting: let Steward answer there?",
    "and 1 other chat are waiting: let Steward answer there?",
    "and 2 other chats are waiting: let Steward answer there?",
  ]);
});
