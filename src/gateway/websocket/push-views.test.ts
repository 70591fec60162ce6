import { expect, test } from "vitest";
import type { EventOf } from "../../contract/event.ts";
import type { Followed } from "../../contract/wire/client.ts";
import type { PushEvent } from "../../contract/wire/push-event.ts";
import { openPushViews, type SharedViews } from "./push-views.ts";
import { openRuns } from "./runs.ts";

const place = { conversation: "web--a", turn: "t1" };
const started: EventOf<"turn.started"> = { type: "turn.started", seq: 2, atMs: 0, ...place, messages: [1] };
const received: EventOf<"message.received"> = {
  type: "message.received",
  seq: 1,
  atMs: 0,
  conversation: "web--a",
  messageId: "m1",
  channel: "web",
  sender: { kind: "owner", id: "owner" },
  text: "hello",
  attachments: [],
};

const text = (delta: string, step = 0): Followed => ({ type: "live.text", ...place, step, delta });
const reset = (step = 0): Followed => ({ type: "live.text_reset", ...place, step });
const reply = (words: string): Followed => ({
  type: "reply.written",
  seq: 3,
  atMs: 0,
  ...place,
  channel: "web",
  text: words,
  attachments: [],
});

function sharedViews(): SharedViews {
  const log = { ofTurn: async () => [started], at: async () => [received] };
  return { runs: openRuns(log), steps: new WeakMap(), whole: new WeakMap() };
}

async function told(followed: readonly Followed[], shared = sharedViews()): Promise<readonly PushEvent[]> {
  const events: PushEvent[] = [];
  const views = openPushViews({
    shared,
    tell: (event) => events.push(event),
    onTrouble: (cause) => {
      throw cause;
    },
  });
  for (const each of followed) views.take(each);
  await views.settled();
  return events;
}

const pieces = (events: readonly PushEvent[]) =>
  events.map(({ event, data }) => (event === "chat.delta" ? (data.reset ? "reset" : data.text) : event));

test("pieces carry the run of the message that began the turn", async () => {
  expect(await told([text("Good ")])).toEqual([
    { event: "chat.delta", data: { runId: "m1", sessionKey: "web--a", text: "Good " } },
  ]);
});

test("what was streamed whole is not said again", async () => {
  expect(pieces(await told([text("Good "), text("day."), reply("Good day.")]))).toEqual(["Good ", "day."]);
});

test("what is missing at the end is added", async () => {
  expect(pieces(await told([text("Half"), reply("Half\n\n(Stopped.)")]))).toEqual(["Half", "\n\n(Stopped.)"]);
});

test("a reply that says something else takes everything back", async () => {
  expect(pieces(await told([text("Wrong"), reply("Right")]))).toEqual(["Wrong", "reset", "Right"]);
});

test("a new attempt takes the first one back when it says its first words", async () => {
  expect(pieces(await told([text("Wrong"), reset(), text("Right"), reply("Right")]))).toEqual([
    "Wrong",
    "reset",
    "Right",
  ]);
});

test("the next step begins anew, and a reset before any words is nothing", async () => {
  expect(pieces(await told([reset(), text("Looking."), text("Found.", 1)]))).toEqual(["Looking.", "reset", "Found."]);
});

test("a client that was away is only told what it missed of words it knows", async () => {
  expect(pieces(await told([text("One "), reset(), text("One two three")]))).toEqual(["One ", "two three"]);
});

test("clients that stand at the same place are told by the very same object", async () => {
  const shared = sharedViews();
  const signals = [text("One "), text("two")];
  const [first, second] = [await told(signals, shared), await told(signals, shared)];
  expect(first.every((event, at) => event === second[at])).toBe(true);
  expect(pieces(await told([text("Zero "), ...signals], shared))).toEqual(["Zero ", "One ", "two"]);
});
