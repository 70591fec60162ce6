import { expect, test } from "vitest";
import { amountWords, groupMentions, type Mention, toForget } from "./group-mentions.ts";

const said: Mention = { sessionKey: "web--1", seq: 7, who: "person", text: "Anna asks" };
const first: Mention = { path: "MEMORY.md", line: 3, text: "- Anna moved" };
const second: Mention = { path: "MEMORY.md", line: 9, text: "- Anna’s key" };

test("files come before conversations, and what stands in one file stands together", () => {
  expect(groupMentions([said, first, { ...first, path: "USER.md" }, second])).toMatchObject([
    { path: "MEMORY.md", mentions: [first, second] },
    { path: "USER.md" },
    { sessionKey: "web--1", mentions: [said] },
  ]);
});

test("lines are named with their words and messages with their number, as the gateway takes them", () => {
  expect(toForget([said, first])).toEqual({
    lines: [{ path: "MEMORY.md", line: 3, text: "- Anna moved" }],
    messages: [{ sessionKey: "web--1", seq: 7 }],
  });
});

test.each([
  [{}, "Nothing is"],
  [{ lines: 1 }, "1 line is"],
  [{ messages: 2 }, "2 messages are"],
  [{ lines: 1, messages: 1 }, "1 line and 1 message are"],
  [{ earlierVersions: 1 }, "1 earlier version of notes is"],
  [{ lines: 1, messages: 1, earlierVersions: 2 }, "1 line, 1 message and 2 earlier versions of notes are"],
])("%o is told as %s", (amount, words) => {
  expect(amountWords({ lines: 0, messages: 0, earlierVersions: 0, ...amount })).toBe(words);
});
