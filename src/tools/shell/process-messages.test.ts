import { expect, test } from "vitest";
import { finishedMessage, lostMessage } from "./process-messages.ts";
import type { FinishedProcess } from "./process-registry.ts";

const finished: FinishedProcess = {
  conversation: "telegram--42",
  turn: "t1",
  callId: "c1",
  id: "p3",
  command: "npm run build",
  end: {
    exitCode: 0,
    signal: null,
    timedOut: false,
    outputCut: false,
    outputBytes: 5,
    killed: false,
    durationMs: 63_000,
    atMs: 0,
    flooded: false,
    killedByConversation: false,
  },
  outputTail: "built with key-123\n",
  labels: [],
};
const hideKey = (text: string) => text.replaceAll("key-123", "[hidden]");

test("the end of a process is told to its conversation, with the end of its output and without secrets", () => {
  expect(finishedMessage(finished, hideKey)).toEqual({
    conversation: "telegram--42",
    channel: "telegram",
    sender: { kind: "system", id: "process:t1:c1", name: "p3" },
    text: "[Steward: p3 (npm run build) has ended after 63 s: exit code 0. The end of its output:]\nbuilt with [hidden]",
    attachments: [],
    idempotencyKey: "process:t1:c1",
  });
});

test("output that may hold untrusted words stays out of the message", () => {
  const { text } = finishedMessage({ ...finished, labels: ["web"] }, hideKey) ?? { text: "" };
  expect(text).toBe("[Steward: p3 (npm run build) has ended after 63 s: exit code 0. See process output, id p3.]");
});

test("a conversation that has killed a process is not told so a second time", () => {
  const end = { ...finished.end, killed: true, killedByConversation: true };
  expect(finishedMessage({ ...finished, end }, hideKey)).toBeUndefined();
});

test("a process that ran into its time limit is told as such", () => {
  const end = { ...finished.end, exitCode: null, killed: true, timedOut: true };
  expect(finishedMessage({ ...finished, end }, hideKey)?.text).toContain(": stopped after 1800 s.");
});

test("after a restart the conversation hears what was ended by it", () => {
  const { conversation, turn, callId, id } = finished;
  expect(lostMessage({ conversation, turn, callId, id, command: "npm run build" })).toMatchObject({
    conversation,
    sender: { kind: "system", id: "process:t1:c1" },
    text: expect.stringContaining("Steward was restarted; p3 (npm run build) was ended by that."),
  });
});
