import { expect, test } from "vitest";
import type { OpenApproval } from "../../../src/contract/wire/method.ts";
import { mergeShown, neighbour } from "./shown-approvals.ts";

const approval = (approvalId: string): OpenApproval => ({
  approvalId,
  sessionKey: "web--1",
  turn: "t",
  tool: "bash",
  display: "make",
  reason: "",
  labels: [],
  askedAtMs: 0,
  expiresAtMs: 1,
});
const names = (shown: ReturnType<typeof mergeShown>) =>
  shown.map((one) => `${one.approval.approvalId}${one.isLeaving ? " leaving" : ""}`);

test("an answered card leaves from its own place, so that nothing jumps under the pointer", () => {
  const before = mergeShown([], [approval("a"), approval("b"), approval("c")]);
  expect(names(mergeShown(before, [approval("a"), approval("c")]))).toEqual(["a", "b leaving", "c"]);
});

test("a new question comes below, also while another one leaves", () => {
  const leaving = mergeShown(mergeShown([], [approval("a")]), []);
  expect(names(mergeShown(leaving, [approval("b")]))).toEqual(["a leaving", "b"]);
});

test.each([
  [undefined, 1, "a"],
  ["a", 1, "b"],
  ["b", -1, "a"],
  ["c", 1, "c"],
  ["a", -1, "a"],
  ["gone", 1, "a"],
] as const)("from %s a step of %i leads to %s", (from, step, to) => {
  expect(neighbour(["a", "b", "c"], from, step)).toBe(to);
});

test("among no cards there is none to go to", () => {
  expect(neighbour([], "a", 1)).toBeUndefined();
});
