import { expect, test } from "vitest";
import type { Followed } from "../../../src/contract/wire/client.ts";
import { openTrial, type Trial } from "./trial.ts";

const place = { seq: 5, atMs: 0, conversation: "try--1", turn: "t" };
const asked: Followed = {
  type: "approval.asked",
  ...place,
  approvalId: "a1",
  callId: "c",
  tool: "write",
  arguments: {},
  binding: "",
  display: "Write a.md",
  rule: "effects",
  reason: "This changes files.",
  labels: [],
  expiresAtMs: 0,
};
const returned: Followed = {
  type: "tool.returned",
  ...place,
  callId: "c",
  tool: "write",
  outcome: "done",
  output: "Wrote a.md",
  durationMs: 12,
  attachments: [],
  labels: [],
  files: [],
  changes: [],
};
const finished: Followed = { type: "turn.finished", ...place, ending: "failed", detail: "The process ended." };

function follow() {
  const seen: Trial[] = [];
  let listener: (followed: Followed) => void = () => {};
  const trial = openTrial(
    (told) => {
      listener = told;
      return () => {};
    },
    (next) => seen.push(next),
  );
  return { trial, tell: (followed: Followed) => listener(followed), last: () => seen.at(-1) };
}

test("what happens before the answer to the call arrives is not missed", () => {
  const { trial, tell, last } = follow();
  tell(returned);
  trial.began({ sessionKey: "try--1", seq: 4 });
  expect(last()).toMatchObject({ state: "done", output: "Wrote a.md", durationMs: 12 });
});

test("a question is shown until it is answered", () => {
  const { trial, tell, last } = follow();
  trial.began({ sessionKey: "try--1", seq: 4 });
  tell(asked);
  expect(last()).toMatchObject({ state: "asks", question: { approvalId: "a1", reason: "This changes files." } });
  tell({
    type: "approval.answered",
    ...place,
    approvalId: "a1",
    callId: "c",
    decision: "approved",
    by: { kind: "owner", id: "o" },
  });
  expect(last()).toMatchObject({ state: "running", question: undefined });
});

test("a turn that ends without a result is a failure, one that had a result is not", () => {
  const lost = follow();
  lost.trial.began({ sessionKey: "try--1", seq: 4 });
  lost.tell(finished);
  expect(lost.last()).toMatchObject({ state: "failed", output: "The process ended." });
  const fine = follow();
  fine.trial.began({ sessionKey: "try--1", seq: 4 });
  fine.tell(returned);
  fine.tell(finished);
  expect(fine.last()?.state).toBe("done");
});

test("the end of an earlier trial of the same tool is not taken for this one's", () => {
  const { trial, tell, last } = follow();
  tell({ ...returned, seq: 3 });
  trial.began({ sessionKey: "try--1", seq: 4 });
  expect(last()?.state).toBe("running");
});

test("other conversations do not disturb the trial", () => {
  const { trial, tell, last } = follow();
  trial.began({ sessionKey: "try--1", seq: 4 });
  tell({ ...returned, conversation: "web--9" });
  expect(last()?.state).toBe("running");
});
