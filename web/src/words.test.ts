import { expect, test } from "vitest";
import { channelOf, formatDateTime, isBackground, sessionName, taskOf, withoutMarks } from "./words.ts";

test("a moment is written with its day and its time", () => {
  expect(formatDateTime(new Date(2026, 5, 17, 12, 0, 0).getTime())).toMatch(/17.*12/);
});

test("a conversation without a title is a new chat, never its key", () => {
  expect(sessionName({ sessionKey: "web--42", title: "" })).toBe("New chat");
  expect(sessionName({ sessionKey: "web--42", title: "web--42" })).toBe("New chat");
  expect(sessionName({ sessionKey: "web--42", title: " Trip to Rome " })).toBe("Trip to Rome");
  expect(sessionName({ sessionKey: "terminal--default", title: "" })).toBe("Terminal");
});

test("a conversation of a channel is known by the beginning of its key, and is named by it until it has a title", () => {
  expect(["telegram--42", "email--a_40_b", "web--telegram", "toString--1"].map(channelOf)).toEqual([
    "telegram",
    "email",
    undefined,
    undefined,
  ]);
  expect(sessionName({ sessionKey: "slack--C1", title: "" })).toBe("Chat on Slack");
});

test("the runs of tasks and the heartbeat are nobody's conversations", () => {
  expect(["task--t1", "heartbeat--main", "web--1"].map(isBackground)).toEqual([true, true, false]);
  expect([taskOf("task--t1"), taskOf("web--task--1")]).toEqual(["t1", undefined]);
});

test.each([
  ["It is **not out yet**.", "It is not out yet."],
  ["see `src/my_file.ts` _now_", "see src/my_file.ts now"],
  ["## Two mails", " Two mails"],
  ["C# | F#", "C#   F#"],
])("marks leave no holes: %s", (text, plain) => {
  expect(withoutMarks(text)).toBe(plain);
});
