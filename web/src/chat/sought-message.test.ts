import { expect, test } from "vitest";
import type { ConversationItem } from "../../../src/contract/conversation/conversation.ts";
import { placeOfSeq } from "./sought-message.ts";

const item = (seq: number): ConversationItem => ({ kind: "notice", id: String(seq), seq, tone: "quiet", text: "" });

test("a message is found by its number, also where it stands after a later step", () => {
  expect(placeOfSeq([item(3), item(9), item(7)], 7)).toBe(2);
});

test("an event that shows nothing leads to what was shown before it", () => {
  expect(placeOfSeq([item(3), item(9)], 8)).toBe(0);
});

test("what lies before everything that was read is not there yet", () => {
  expect(placeOfSeq([item(3)], 2)).toBe(-1);
});
