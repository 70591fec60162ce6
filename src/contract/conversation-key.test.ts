import { expect, test } from "vitest";
import { ConversationKey, channelOf, conversationKey } from "./conversation-key.ts";

test.each([
  [["terminal", "default"], "terminal--default"],
  [["telegram", "123456"], "telegram--123456"],
  [["slack", "C123", "1700000000.000100"], "slack--C123--1700000000.000100"],
  [["email", "ann@example.org"], "email--ann_40_example.org"],
])("%j becomes %s", ([channel = "", ...parts], key) => {
  expect(conversationKey(channel, ...parts)).toBe(key);
});

const hostile = [
  "../../etc/passwd",
  "a--b",
  ".",
  "..",
  "",
  "a/b",
  "a\\b",
  "a\u0000b",
  "con.",
  "-",
  "--",
  "🙂",
  "x".repeat(500),
  "A b",
  "_",
  "a_2f_b",
];

test.each(hostile)("%j is safe as a file name", (part) => {
  const key = conversationKey("telegram", part);
  expect(key).toMatch(/^[A-Za-z0-9_.-]+$/);
  expect(key.length).toBeLessThanOrEqual(200);
  expect(ConversationKey.safeParse(key).success).toBe(true);
  expect(channelOf(key)).toBe("telegram");
});

test("no two senders share a key", () => {
  const parts = [...hostile, "a", "b", "a_b", "a-b", "a.b", "A", "x".repeat(501)];
  expect(new Set(parts.map((part) => conversationKey("telegram", part))).size).toBe(parts.length);
  expect(conversationKey("slack", "a", "b")).not.toBe(conversationKey("slack", "a--b"));
});

test.each(["", "terminal", "../x--y", "terminal--", "terminal--a/b", "terminal--..", "x".repeat(300)])(
  "%j is refused as a key",
  (key) => {
    expect(ConversationKey.safeParse(key).success).toBe(false);
  },
);
