import { expect, test } from "vitest";
import type { Event } from "../../../src/contract/event.ts";
import { type ActivityFilter, filterPath, matches, readFilter } from "./activity-filter.ts";
import { typesFor } from "./describe/event-kinds.ts";

const everything: ActivityFilter = { kinds: [], sessionKey: undefined, text: "", smallSteps: false };

const place = { seq: 3, atMs: 0, conversation: "web--1" };
const reply: Event = { type: "reply.written", ...place, channel: "web", text: "The invoice is paid.", attachments: [] };
const delivered: Event = { type: "reply.delivered", ...place, reply: 3, channel: "web" };
const looked: Event = {
  type: "tool.returned",
  ...place,
  turn: "t",
  callId: "c",
  tool: "read",
  outcome: "done",
  output: "",
  attachments: [],
  labels: [],
  files: [],
  changes: [],
};

test("an address gives back the filter that made it", () => {
  const filter: ActivityFilter = {
    kinds: ["tools", "files"],
    sessionKey: "web--1",
    text: "50% of a/b",
    smallSteps: true,
  };
  const route = filterPath(filter).split("/").slice(2).map(decodeURIComponent);
  expect(readFilter(route)).toEqual(filter);
  expect(filterPath(everything)).toBe("/activity");
});

test("an address with nonsense in it shows everything", () => {
  expect(readFilter(["kind=dragons", "nonsense"])).toEqual(everything);
});

test("steps on the way are left out until they are asked for", () => {
  expect(matches(everything, delivered)).toBe(false);
  expect(matches({ ...everything, smallSteps: true }, delivered)).toBe(true);
});

test("a new event is shown only where kind, conversation and words fit", () => {
  expect(matches({ ...everything, kinds: ["messages"], text: "INVOICE" }, reply)).toBe(true);
  expect(matches({ ...everything, text: "receipt" }, reply)).toBe(false);
  expect(matches({ ...everything, sessionKey: "web--2" }, reply)).toBe(false);
  expect(matches({ ...everything, kinds: ["questions"] }, reply)).toBe(false);
});

test("what a task does and tells is among the tasks, what somebody says is not", () => {
  const tasks = { ...everything, kinds: ["tasks" as const] };
  const asked: Event = {
    ...{ type: "message.received", ...place, messageId: "m", channel: "web", text: "Look", attachments: [] },
    sender: { kind: "owner", id: "me" },
  };
  const run = { task: "t1", dueAtMs: 1, cause: "schedule" } as const;
  expect(matches(tasks, asked)).toBe(false);
  expect(matches(tasks, { ...asked, run })).toBe(true);
  expect(matches(tasks, reply)).toBe(false);
  expect(matches(tasks, { ...reply, task: { id: "t1", title: "Tea" } })).toBe(true);
  const failed: Event = { type: "turn.finished", ...place, turn: "t", ending: "failed" };
  expect(matches(tasks, failed)).toBe(false);
  expect(matches(tasks, { ...failed, conversation: "task--t1" })).toBe(true);
});

test("a tool that changed nothing is no change to files", () => {
  expect(matches({ ...everything, kinds: ["files"] }, looked)).toBe(false);
  expect(matches({ ...everything, kinds: ["files", "tools"] }, looked)).toBe(true);
});

test("the steps that say what a tool was told are fetched along with tools, but not with access", () => {
  expect(typesFor(["tools"], false)).toEqual(["step.finished", "tool.returned"]);
  expect(typesFor(["app"], false)).not.toContain("step.finished");
  expect(typesFor([], true)).toBeUndefined();
});

test("what a task sets up for its own runs is a step on the way, what somebody sets up is not", () => {
  const named = { type: "conversation.configured", seq: 1, atMs: 1, title: "Tea" } as const;
  expect(matches(everything, { ...named, conversation: "task--t1" })).toBe(false);
  expect(matches({ ...everything, smallSteps: true }, { ...named, conversation: "task--t1" })).toBe(true);
  expect(matches(everything, { ...named, conversation: "web--1" })).toBe(true);
});
