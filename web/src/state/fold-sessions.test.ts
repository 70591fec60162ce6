import { expect, test } from "vitest";
import type { Event, NewEvent } from "../../../src/contract/event.ts";
import type { Session } from "../../../src/contract/wire/method.ts";
import { foldSession, sortSessions } from "./fold-sessions.ts";

const owner = { kind: "owner", id: "me" } as const;
const said = (conversation: string, text: string): NewEvent => ({
  type: "message.received",
  conversation,
  messageId: "m",
  channel: "web",
  sender: owner,
  text,
});
const inTurn = { conversation: "web--1", turn: "t" };

function listAfter(...events: NewEvent[]): readonly Session[] {
  return events.reduce<readonly Session[]>(
    (sessions, event, index) => foldSession(sessions, { ...event, seq: index + 1, atMs: (index + 1) * 1000 } as Event),
    [],
  );
}

test("a conversation appears with its first message, named after the first line", () => {
  expect(listAfter(said("web--1", "  Plan a trip\nto Rome"))).toEqual([
    { sessionKey: "web--1", title: "Plan a trip", messages: 1, lastAtMs: 1000, lastSeq: 1, state: "idle" },
  ]);
});

test("a long first line is cut as the server cuts it", () => {
  expect(listAfter(said("web--1", "x".repeat(80)))[0]?.title).toBe(`${"x".repeat(59)}…`);
});

test("the conversation something happened in last stands first", () => {
  const keys = listAfter(said("web--1", "a"), said("web--2", "b"), said("web--1", "c")).map((one) => one.sessionKey);
  expect(keys).toEqual(["web--1", "web--2"]);
});

test("a name that the owner gave stays when more is said", () => {
  const named: NewEvent = { type: "conversation.configured", conversation: "web--1", title: "Rome" };
  expect(listAfter(said("web--1", "a"), named, said("web--1", "b"))[0]?.title).toBe("Rome");
});

test("a model that is taken back is gone from the list", () => {
  const pick = (model: string | null): NewEvent => ({ type: "conversation.configured", conversation: "web--1", model });
  expect(listAfter(said("web--1", "a"), pick("acme/one"))[0]?.model).toBe("acme/one");
  expect(listAfter(said("web--1", "a"), pick("acme/one"), pick(null))[0]?.model).toBeUndefined();
});

test.each<[string, NewEvent[]]>([
  ["working", [{ type: "turn.started", ...inTurn, messages: [1] }]],
  ["waiting", [{ type: "turn.waiting", ...inTurn, approvals: ["a"] }]],
  [
    "working",
    [
      { type: "turn.waiting", ...inTurn, approvals: ["a"] },
      { type: "approval.answered", ...inTurn, approvalId: "a", callId: "c", decision: "approved", by: owner },
    ],
  ],
  [
    "idle",
    [
      { type: "turn.started", ...inTurn, messages: [1] },
      { type: "turn.finished", ...inTurn, ending: "answered" },
    ],
  ],
])("a conversation is %s after what happened in it", (state, events) => {
  expect(listAfter(said("web--1", "a"), ...events)[0]?.state).toBe(state);
});

test("a deleted conversation leaves the list", () => {
  const gone: NewEvent = { type: "conversation.deleted", conversation: "web--1", by: owner };
  expect(listAfter(said("web--1", "a"), said("web--2", "b"), gone).map((one) => one.sessionKey)).toEqual(["web--2"]);
});

test("Steward's own book-keeping is never listed", () => {
  const list = listAfter({ type: "settings.changed", conversation: "steward--house", keys: ["a"], by: owner });
  expect(list).toEqual([]);
  const own: Session = {
    sessionKey: "steward--house",
    title: "",
    messages: 0,
    lastAtMs: 1,
    lastSeq: 1,
    state: "idle",
  };
  expect(sortSessions([own])).toEqual([]);
});

test("an event that the list was read with changes nothing, not even the list's identity", () => {
  const read = listAfter(said("web--1", "a"), said("web--1", "b"));
  const again = foldSession(read, { ...said("web--1", "b"), seq: 2, atMs: 2000 } as Event);
  expect(again).toBe(read);
});
