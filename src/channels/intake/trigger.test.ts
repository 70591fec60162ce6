import { expect, test } from "vitest";
import { readTrigger } from "./trigger.ts";

const usual = { trigger: null, assistantName: "Andy" };

test.each([
  ["@Andy what's the weather?", true, "what's the weather?"],
  ["@andy help me", true, "help me"],
  ["  @ANDY, help", true, "help"],
  ["@Andy", true, ""],
  ["Hey @Andy", false, "Hey @Andy"],
  ["What's up?", false, "What's up?"],
  ["@Andyman hello", false, "@Andyman hello"],
  ["@Andy_bot hello", false, "@Andy_bot hello"],
])("%j calls the assistant: %j", (text, isCalled, rest) => {
  expect(readTrigger(text, usual)).toEqual({ isCalled, text: rest });
});

test("a group may have another word", () => {
  expect(readTrigger("hey butler: tea please", { trigger: "Hey Butler", assistantName: "Andy" })).toEqual({
    isCalled: true,
    text: "tea please",
  });
});
