import { expect, test } from "vitest";
import type { ModelMessage } from "../../contract/model.ts";
import { tidyHistory, uniqueCallId } from "./tidy-history.ts";

const user = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] });
const assistant = (text: string): ModelMessage => ({ role: "assistant", text, toolCalls: [], model: "a/b" });

test("two messages of a person in a row become one", () => {
  expect(tidyHistory([user("a"), user("b")])).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    },
  ]);
});

test("a history begins and ends with a person", () => {
  expect(tidyHistory([assistant("hello")]).map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(tidyHistory([]).map(({ role }) => role)).toEqual(["user"]);
});

test("messages that say nothing are left out", () => {
  expect(tidyHistory([user("a"), assistant("  "), user(""), user("b")]).length).toBe(1);
});

test("of two results for one call the later one counts", () => {
  const result = (output: string): ModelMessage => ({
    role: "tool",
    callId: "1",
    tool: "t",
    failed: false,
    output,
    images: [],
  });
  const call: ModelMessage = {
    role: "assistant",
    text: "",
    toolCalls: [{ callId: "1", tool: "t", arguments: {} }],
    model: "a/b",
  };
  expect(tidyHistory([user("a"), call, result("old"), result("new")]).at(-1)).toMatchObject({ output: "new" });
});

test("an id is cleaned for the strictest provider and never given twice", () => {
  const used = new Set<string>();
  const ids = ["call:1|x", "call:1|x", "", "y".repeat(100)].map((id) => uniqueCallId(id, used));
  expect(ids).toEqual(["call_1_x", "call_1_x-2", "call", "y".repeat(56)]);
});
