import { expect, test } from "vitest";
import type { Event } from "../event.ts";
import { foldApproval } from "./fold-approvals.ts";

const place = { seq: 5, atMs: 1000, conversation: "web--1", turn: "t" };
const by = { kind: "owner", id: "me" } as const;
const asked = (approvalId: string): Event => ({
  type: "approval.asked",
  ...place,
  approvalId,
  callId: "c",
  tool: "bash",
  arguments: { command: "make" },
  binding: "hash",
  display: "make",
  rule: "mode",
  reason: "It changes files.",
  labels: ["web:example.org"],
  expiresAtMs: 9000,
});

test("a question is listed with everything a person needs to decide", () => {
  expect(foldApproval([], asked("a1"))).toEqual([
    {
      approvalId: "a1",
      sessionKey: "web--1",
      turn: "t",
      tool: "bash",
      display: "make",
      reason: "It changes files.",
      labels: ["web:example.org"],
      askedAtMs: 1000,
      expiresAtMs: 9000,
    },
  ]);
});

test("new questions stand below older ones, and none is listed twice", () => {
  const list = [asked("a1"), asked("a2"), asked("a1")].reduce(foldApproval, []);
  expect(list.map((one) => one.approvalId)).toEqual(["a1", "a2"]);
});

test.each(["approved", "denied", "expired", "withdrawn"] as const)("a question that was %s is gone", (decision) => {
  const list = [asked("a1"), asked("a2")].reduce(foldApproval, []);
  const answered: Event = { type: "approval.answered", ...place, approvalId: "a1", callId: "c", decision, by };
  expect(foldApproval(list, answered).map((one) => one.approvalId)).toEqual(["a2"]);
});

test("the questions of a deleted conversation go with it", () => {
  const list = foldApproval([], asked("a1"));
  expect(foldApproval(list, { type: "conversation.deleted", seq: 9, atMs: 1, conversation: "web--1", by })).toEqual([]);
});

test("what has nothing to do with questions leaves the list as it is", () => {
  const list = foldApproval([], asked("a1"));
  expect(foldApproval(list, { type: "turn.resumed", ...place })).toBe(list);
  expect(foldApproval(list, { type: "conversation.deleted", seq: 9, atMs: 1, conversation: "web--2", by })).toBe(list);
});
