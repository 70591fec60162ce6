import { expect, test } from "vitest";
import type { OpenApproval } from "../../../src/contract/wire/method.ts";
import { CallFailed, type GatewayLink } from "../gateway/gateway-link.ts";
import { openWatched } from "../state/watched.ts";
import { answerApproval, answerApprovals } from "./answer-approval.ts";

const approval: OpenApproval = {
  approvalId: "a1",
  sessionKey: "web--1",
  turn: "t",
  tool: "bash",
  display: "make",
  reason: "",
  labels: [],
  askedAtMs: 0,
  expiresAtMs: 1,
};

function linkThat(answers: (method: string, params: unknown) => unknown) {
  const asked: [string, unknown][] = [];
  const call = async (method: string, params: unknown) => {
    asked.push([method, params]);
    return answers(method, params);
  };
  const link: GatewayLink = {
    state: openWatched("open" as const),
    call: call as GatewayLink["call"],
    follow: () => () => {},
    lastSeq: 0,
  };
  return { link, asked };
}

test.each([
  [{ kind: "approve" }, ["exec.approve", { approvalId: "a1", always: false }]],
  [{ kind: "always" }, ["exec.approve", { approvalId: "a1", always: true }]],
  [{ kind: "deny" }, ["exec.deny", { approvalId: "a1" }]],
  [{ kind: "deny", reason: " not today " }, ["exec.deny", { approvalId: "a1", reason: "not today" }]],
  [{ kind: "deny", reason: "  " }, ["exec.deny", { approvalId: "a1" }]],
] as const)("the answer %j reaches the gateway as it was meant", async (answer, expected) => {
  const { link, asked } = linkThat(() => ({ ok: true }));
  expect(await answerApproval(link, approval, answer)).toBeUndefined();
  expect(asked).toEqual([expected]);
});

test("a question that is answered already is said to be, in words", async () => {
  const { link } = linkThat(() => {
    throw new CallFailed("conflict", "approval a1 is closed");
  });
  expect(await answerApproval(link, approval, { kind: "approve" })).toContain("answered already");
});

test("more answers than one call may carry go in several", async () => {
  const { link, asked } = linkThat((_, params) => ({
    answered: (params as { approvalIds: string[] }).approvalIds.length,
  }));
  const ids = Array.from({ length: 150 }, (_, number) => `a${number}`);
  expect(await answerApprovals(link, ids, "denied")).toEqual({ answered: 150 });
  expect(asked).toHaveLength(2);
});

test("a break in the middle says how many were answered and what went wrong", async () => {
  let calls = 0;
  const { link } = linkThat(() => {
    calls += 1;
    if (calls === 2) throw new CallFailed("lost", "The connection broke.");
    return { answered: 100 };
  });
  const ids = Array.from({ length: 150 }, (_, number) => `a${number}`);
  expect(await answerApprovals(link, ids, "approved")).toEqual({ answered: 100, problem: "The connection broke." });
});
