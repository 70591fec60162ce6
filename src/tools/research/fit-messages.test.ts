import { expect, test } from "vitest";
import type { ModelMessage } from "../../contract/model.ts";
import { fitMessages } from "./fit-messages.ts";

const page = (length: number): ModelMessage => ({
  ...{ role: "tool", callId: "c", tool: "web_fetch", failed: false, images: [] },
  output: "x".repeat(length),
});
const note: ModelMessage = { role: "assistant", text: "a note", toolCalls: [], model: "m" };
const lengths = (messages: readonly ModelMessage[]) =>
  messages.map((message) => (message.role === "tool" ? message.output.length : 0));

test("what fits is left as it is", () => {
  const messages = [note, page(500), page(500)];
  expect(fitMessages(messages, 2_000)).toBe(messages);
});

test("the oldest pages go first, and no more of them than needed; notes stay", () => {
  const fitted = fitMessages([page(1_000), note, page(1_000), page(1_000)], 2_400);
  expect(lengths(fitted)).toEqual([expect.any(Number), 0, 1_000, 1_000]);
  expect([lengths(fitted)[0], fitted[1]]).toEqual([61, note]);
});

test("of a newest page that alone is too long, the beginning and the end stay", () => {
  const [old, newest] = lengths(fitMessages([page(5_000), page(50_000)], 10_000));
  expect([old, newest !== undefined && newest > 5_000 && newest < 11_000]).toEqual([61, true]);
});
