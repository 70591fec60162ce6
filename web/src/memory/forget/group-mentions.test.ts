import { expect, test } from "vitest";
import { amountWords, groupMentions, type Mention, mentionWords, splitWork, toForget } from "./group-mentions.ts";

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

test("an amount is the subject of another verb, too", () => {
  expect(amountWords({ lines: 2, messages: 5, earlierVersions: 0 }, ["goes", "go"])).toBe("2 lines and 5 messages go");
  expect(amountWords({ lines: 1, messages: 0, earlierVersions: 0 }, ["goes", "go"])).toBe("1 line goes");
});

test("what nobody said is told apart by how it begins, in a conversation and not in a file", () => {
  const words = (text: string) => mentionWords({ sessionKey: "web--1", seq: 1, text });
  expect(words("(looked up or done) a page")).toEqual({ kind: "work", text: "a page" });
  expect(words("(what a conversation is called) Anna")).toEqual({ kind: "title", text: "Anna" });
  expect(words("(a summary of a conversation) Anna asked")).toEqual({ kind: "summary", text: "Anna asked" });
  expect(words("(something else) Anna")).toEqual({ kind: "said", text: "(something else) Anna" });
  const line = { path: "MEMORY.md", line: 1, text: "(looked up or done) by hand" };
  expect(mentionWords(line)).toEqual({ kind: "said", text: line.text });
});

test("what somebody said comes before answers and names, and what was looked up stands apart", () => {
  const of = (seq: number, text: string, who: "person" | "assistant" = "assistant"): Mention => {
    return { sessionKey: "web--1", seq, who, text };
  };
  const all = [
    of(9, "(looked up or done) a"),
    of(8, "(what a conversation is called) b"),
    of(7, "c"),
    of(3, "d", "person"),
  ];
  const { said: shown, work } = splitWork(all);
  expect(shown.map(({ seq }) => seq)).toEqual([3, 7, 8]);
  expect(work.map(({ seq }) => seq)).toEqual([9]);
});
