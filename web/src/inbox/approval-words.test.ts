import { expect, test } from "vitest";
import { toolTitle } from "../tool-words.ts";
import { sourcesSentence, sourceWords, withoutCheck } from "./approval-words.ts";

test("a tool is named by what it would do", () => {
  expect(toolTitle("bash").title).toBe("Run a command");
  expect(toolTitle("schedule_task").title).toBe("Plan something");
  expect(toolTitle("cancel_task").title).toBe("End a task");
  expect(toolTitle("remember").title).toBe("Note something");
  expect(toolTitle("github_create_issue")).toEqual({ icon: "tools", title: "Use github create issue" });
});

test.each([
  ["web", "a web page"],
  ["web:example.org", "a page of example.org"],
  ["web:localhost:8080", "a page of localhost:8080"],
  ["person:anna", "anna"],
  ["file:notes/todo.md", "the file notes/todo.md"],
  ["mail", "an e-mail"],
  ["mail:anna@example.org", "an e-mail from anna@example.org"],
  ["calendar_feed", "calendar feed"],
])("text marked %s comes from %s", (label, words) => {
  expect(sourceWords(label)).toBe(words);
});

test("a conversation that read nothing foreign says nothing about it", () => {
  expect(sourcesSentence([])).toBeUndefined();
});

test("each source is named once", () => {
  expect(sourcesSentence(["web", "person:anna", "web"])).toContain("from a web page and anna, which");
});

test("of a question about forgetting the mark for the program is not shown, and of other questions nothing is left out", () => {
  const display = "Forget everything about “Anna” for good: 1 line.\n\nChecked by 5ca0a1b2-d5da00ff";
  expect(withoutCheck({ tool: "forget", display })).toBe("Forget everything about “Anna” for good: 1 line.");
  expect(withoutCheck({ tool: "bash", display })).toBe(display);
  const further = `${display}\n\nAnd more`;
  expect(withoutCheck({ tool: "forget", display: further })).toBe(further);
});
