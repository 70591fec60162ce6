import { expect, test } from "vitest";
import type { Followed } from "../../../contract/wire/client.ts";
import { openGrowingText } from "./growing-text.ts";

const place = { conversation: "api--one", turn: "turn_1" };
const noUsage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
const inLog = { ...place, seq: 1, atMs: 0 };

const piece = (step: number, delta: string): Followed => ({ type: "live.text", ...place, step, delta });
const reset = (step: number): Followed => ({ type: "live.text_reset", ...place, step });
const stepDone = (step: number, text: string): Followed => ({
  type: "step.finished",
  ...inLog,
  step,
  model: "m",
  text,
  toolCalls: [],
  finish: "stop",
  usage: noUsage,
});
const reply = (text: string): Followed => ({ type: "reply.written", ...inLog, channel: "api", text, attachments: [] });

function said(...all: readonly Followed[]): readonly string[] {
  const text = openGrowingText();
  return all.map((followed) => text.take(followed));
}

test("what was streamed is not said again when the step and the reply are written", () => {
  expect(said(piece(0, "Good "), piece(0, "day."), stepDone(0, "Good day."), reply("Good day."))).toEqual([
    "Good ",
    "day.",
    "",
    "",
  ]);
});

test("whoever comes late or missed the pieces gets the rest from the log", () => {
  expect(said(piece(0, "Good "), stepDone(0, "Good day."), reply("Good day."))).toEqual(["Good ", "day.", ""]);
});

test("words of a further step begin a new paragraph", () => {
  expect(said(piece(0, "I look."), stepDone(0, "I look."), piece(1, "Found "), piece(1, "it."))).toEqual([
    "I look.",
    "",
    "\n\nFound ",
    "it.",
  ]);
});

test("a second attempt that says the same goes on where the first broke off", () => {
  expect(said(piece(0, "One two"), reset(0), piece(0, "One"), piece(0, " two three"))).toEqual([
    "One two",
    "",
    "",
    " three",
  ]);
});

test("a second attempt that says something else is said anew", () => {
  expect(said(piece(0, "One two"), reset(0), piece(0, "Three"))).toEqual(["One two", "", "\n\nThree"]);
});

test("a reply that is more than the last step is said to its end", () => {
  expect(said(piece(0, "Half"), stepDone(0, "Half"), reply("Half\n\n(Stopped.)"))).toEqual([
    "Half",
    "",
    "\n\n(Stopped.)",
  ]);
});
