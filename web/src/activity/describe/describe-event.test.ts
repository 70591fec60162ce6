import { expect, test } from "vitest";
import type { Event } from "../../../../src/contract/event.ts";
import type { Sender } from "../../../../src/contract/sender.ts";
import type { TaskDefinition } from "../../../../src/contract/task/task.ts";
import type { EventContext } from "../activity-line.ts";
import { describeEvent } from "./describe-event.ts";

const owner: Sender = { kind: "owner", id: "owner" };
const place = { seq: 7, atMs: 1_000, conversation: "web--1" };
const inTurn = { ...place, turn: "t1" };
const noFiles = { attachments: [], labels: [], files: [], changes: [] };
const change = { path: "notes.md", kind: "file", before: null, after: "a".repeat(64), mode: 0o644 } as const;

/** The line as it is read aloud. */
function read(event: Event, known: Partial<EventContext> = {}): string {
  const nothing = () => undefined;
  const line = describeEvent(event, {
    argumentsOf: nothing,
    questionOf: nothing,
    nameOfConversation: nothing,
    titleOfTask: nothing,
    ...known,
  });
  return [line.who, line.sentence, line.subject?.text, line.detail && `— ${line.detail}`].filter(Boolean).join(" ");
}

test("a question of the owner reads as one, with the channel it came by", () => {
  const message = { type: "message.received" as const, ...place, messageId: "m", sender: owner, attachments: [] };
  expect(read({ ...message, channel: "web", text: "What is on today?" })).toBe("You asked: What is on today?");
  expect(read({ ...message, channel: "telegram", text: "Note this" })).toBe("You wrote: Note this — by Telegram");
});

test("a tool that was tried by hand is told as a trial, not as the call it is written as", () => {
  const text = JSON.stringify({ tool: "read", arguments: { path: "notes.md" } });
  const message = { type: "message.received" as const, ...place, messageId: "m", sender: owner, attachments: [], text };
  const tried = { ...message, channel: "web", conversation: "web--try-read" };
  expect(read(tried)).toBe("You tried a tool by hand: read notes.md");
});

test("a command is told with what was run and how long it took, when the step before it is known", () => {
  const event = {
    type: "tool.returned",
    ...inTurn,
    callId: "c1",
    tool: "bash",
    outcome: "done",
    output: "a\nb",
    durationMs: 230,
    ...noFiles,
  } as const;
  expect(read(event, { argumentsOf: (id) => (id === "c1" ? { command: "ls -la" } : undefined) })).toBe(
    "Steward ran a command ls -la — 230 ms",
  );
  expect(read(event)).toBe("Steward ran a command — 230 ms");
});

test("a change to files says how many", () => {
  const event = {
    type: "tool.returned",
    ...inTurn,
    callId: "c1",
    tool: "write",
    outcome: "done",
    output: "",
    ...noFiles,
  } as const;
  expect(read({ ...event, changes: [change, { ...change, path: "b.md" }] })).toBe("Steward wrote — changed 2 files");
  expect(read({ ...event, changes: [change, change] })).toBe("Steward wrote — changed 1 file");
  expect(read({ ...event, tool: "research", output: "7 pages read.\n…" })).toBe(
    "Steward researched on the web: — 7 pages",
  );
});

test("a call whose outcome nobody knows is never told as done", () => {
  const event = {
    type: "tool.returned",
    ...inTurn,
    callId: "c1",
    tool: "bash",
    outcome: "unknown",
    output: "",
    ...noFiles,
  } as const;
  expect(read(event)).toBe("Steward tried to run a command — nobody knows whether it was done");
});

test("a refused call gives the guard's reason", () => {
  const event = {
    type: "tool.returned",
    ...inTurn,
    callId: "c1",
    tool: "bash",
    outcome: "denied",
    output: "It reaches secrets.",
    ...noFiles,
  } as const;
  expect(read(event)).toBe("Steward was not allowed to run a command — It reaches secrets.");
});

test("a question says what it wants and whose words the conversation has read", () => {
  const event = {
    type: "approval.asked",
    ...inTurn,
    approvalId: "a1",
    callId: "c1",
    tool: "write",
    arguments: { path: "notes.md" },
    binding: "",
    display: "",
    rule: "effects",
    reason: "",
    labels: ["web:example.org"],
    expiresAtMs: 0,
  } as const;
  expect(read({ ...event, labels: [...event.labels] })).toBe(
    "Steward asked you whether it may write notes.md — has read text from a page of example.org",
  );
});

test("an answer repeats the question it answers", () => {
  const event = {
    type: "approval.answered",
    ...inTurn,
    approvalId: "a1",
    callId: "c1",
    decision: "denied",
    by: owner,
    reason: "not now",
  } as const;
  const known = { questionOf: () => ({ tool: "write", arguments: { path: "notes.md" } }) };
  expect(read(event, known)).toBe("You said no: it may not write notes.md — not now");
  expect(read({ ...event, decision: "expired", by: { kind: "system", id: "s" } })).toBe(
    "Steward got no answer in time, which counts as no — not now",
  );
});

test("somebody who is let in is named with what they may do", () => {
  const event = {
    type: "access.granted",
    ...place,
    tokenId: "t",
    name: "A browser",
    scope: "read",
    by: owner,
  } as const;
  expect(read(event)).toBe("A browser was let in — may look at everything");
});

test("changed settings are named", () => {
  expect(read({ type: "settings.changed", ...place, keys: ["agent.model"], by: owner })).toBe(
    "You changed settings: agent.model",
  );
});

test("a tool nobody has words for is called by its name", () => {
  const event = { type: "tool.sent", ...inTurn, callId: "c1", tool: "github_create_issue" } as const;
  expect(read(event, { argumentsOf: () => ({ title: "Broken" }) })).toBe(
    "Steward began to use github create issue Broken",
  );
});

const run = { task: "t1", dueAtMs: 1_000, cause: "schedule" } as const;
const definition: TaskDefinition = {
  title: "Water the plants",
  action: { kind: "say", text: "Water the plants" },
  trigger: { kind: "once", atMs: 1_000 },
  ...{ deliverTo: "origin", missed: "once", overlap: "skip", deleteAfterRun: false },
};
const made = { type: "task.made", ...place, task: "t1", definition, by: owner, madeIn: "web--1", labels: [] } as const;

test.each<[string, Event]>([
  ["You planned a reminder: Water the plants", { ...made, labels: [] }],
  [
    "You planned a task: Water the plants — has read text from a page of example.org",
    { ...made, definition: { ...definition, action: { kind: "do", prompt: "Do" } }, labels: ["web:example.org"] },
  ],
  ["You paused a task", { type: "task.changed", ...place, task: "t1", state: "paused", by: owner }],
  ["You let a task go on", { type: "task.changed", ...place, task: "t1", state: "active", by: owner }],
  ["You changed a task: Water the plants", { type: "task.changed", ...place, task: "t1", definition, by: owner }],
  ["You cancelled a task", { type: "task.ended", ...place, task: "t1", why: "cancelled", by: owner }],
  [
    "Steward ended a task because what it waited for has happened",
    { type: "task.ended", ...place, task: "t1", why: "condition", by: owner },
  ],
  [
    "Steward told what a task has found in web--1",
    { type: "task.settled", ...place, task: "t1", run: "m", how: "delivered", to: "web--1" },
  ],
  ["Steward had nothing to tell of a task", { type: "task.settled", ...place, task: "t1", run: "m", how: "quiet" }],
  ["You took back what had not begun yet", { type: "message.withdrawn", ...place, message: 3, by: owner }],
  ["Steward reminded you of a question that waits", { type: "approval.reminded", ...inTurn, approvalId: "a1" }],
  [
    "Steward noted for the next heartbeat: The build ended",
    { type: "heartbeat.noted", ...place, kind: "command", text: "The build ended", labels: [] },
  ],
  [
    "Steward reminded you: Water the plants",
    {
      ...{ type: "reply.written", ...place, channel: "web", text: "Water the plants", attachments: [] },
      task: { id: "t1", title: "Water the plants", run },
    },
  ],
])("of tasks it is told: %s", (sentence, event) => {
  expect(read(event)).toBe(sentence);
});

test("a task whose name is known is named, with the way to it", () => {
  const titleOfTask = () => "Water the plants";
  const paused = { type: "task.changed", ...place, task: "t/1", state: "paused", by: owner } as const;
  expect(read(paused, { titleOfTask })).toBe("You paused a task: Water the plants");
  const ended = { type: "task.ended", ...place, task: "t1", why: "cancelled", by: owner } as const;
  expect(read(ended, { titleOfTask })).toBe("You cancelled a task: Water the plants");
  const nothing = () => undefined;
  const context = { argumentsOf: nothing, questionOf: nothing, nameOfConversation: nothing, titleOfTask };
  expect(describeEvent(paused, context).subject?.href).toBe("/tasks/t%2F1");
});

test("a time that was missed says how often and why", () => {
  expect(read({ type: "task.skipped", ...place, ...run, why: "missed", times: 3 })).toMatch(
    /^Steward missed 3 times of a task, because Steward was not running — due /,
  );
});

test("a run of a task is told as one, not as words of the owner", () => {
  const message = { type: "message.received" as const, ...place, messageId: "m", sender: owner, attachments: [] };
  expect(read({ ...message, channel: "task", text: "Look at the mail", run })).toMatch(
    /^Steward began a run of a task: Look at the mail — due /,
  );
});

test("what was recalled, forgotten and written by hand is told with the note it is about", () => {
  const finds = [{ path: "MEMORY.md", score: 0.8, why: ["the word “Anna”"] }];
  expect(read({ type: "memory.recalled", ...inTurn, finds, tokens: 12 })).toBe("Steward looked up 1 thing");
  expect(read({ type: "messages.forgotten", ...place, seqs: [1, 2], by: owner })).toBe(
    "You had 2 messages forgotten for good",
  );
  const written = { type: "note.written" as const, ...place, path: "MEMORY.md", after: "a".repeat(64), by: owner };
  expect(read({ ...written, before: null })).toBe("You wrote a note: MEMORY.md");
  expect(read({ ...written, before: "b".repeat(64), group: "family" })).toBe(
    "You changed a note of the group family: MEMORY.md",
  );
});
