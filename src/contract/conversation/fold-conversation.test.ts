import { describe, expect, test } from "vitest";
import {
  calling,
  ended,
  here,
  message,
  owner,
  placed,
  returned,
  sent,
  started,
  step,
  told,
  turn,
  words,
  writing,
} from "../../../tests/scenes/conversation.ts";
import type { NewEvent } from "../event.ts";
import type { LiveSignal } from "../wire/live-signal.ts";
import { emptyConversation } from "./conversation.ts";
import { foldConversation, foldEarlier, isLive, joinMidway } from "./fold-conversation.ts";

describe("an answer", () => {
  test("grows while it is written", () => {
    const conversation = told(message("hi"), started(), writing("Hel"), writing("lo"));
    expect(words(conversation)).toEqual(["person: hi", "answer: Hello"]);
  });
  test("is replaced by the finished text of its step", () => {
    expect(words(told(message("hi"), started(), writing("Helo"), step("Hello!")))).toEqual([
      "person: hi",
      "answer: Hello!",
    ]);
  });
  test("stands before the call that followed it, whichever was told first", () => {
    const call = { callId: "c1", tool: "bash", arguments: { command: "ls" } };
    const live: LiveSignal = { ...turn, type: "live.tool_call", step: 0, call };
    const finished = step("Let me look.", { toolCalls: [call], reasoning: "Hm.", finish: "tool_calls" });
    const reloaded = words(told(message("hi"), started(), finished, returned("denied")));
    expect(reloaded).toEqual(["person: hi", "reasoning: Hm.", "answer: Let me look.", "bash: denied"]);
    for (const first of [[live], [live, writing("Let me")], [writing("Let me"), live]])
      expect(words(told(message("hi"), started(), ...first, finished, returned("denied")))).toEqual(reloaded);
    expect(words(told(message("hi"), started(), live, writing("Let me")))).toEqual([
      "person: hi",
      "answer: Let me",
      "bash: called",
    ]);
  });
  test("or a call ends the thinking before it", () => {
    const thinking: LiveSignal = { ...turn, type: "live.reasoning", step: 0, delta: "Hm" };
    const call = { callId: "c1", tool: "bash", arguments: {} };
    const live: LiveSignal = { ...turn, type: "live.tool_call", step: 0, call };
    expect(told(message("hi"), started(), thinking).items[1]).toMatchObject({ streaming: true });
    for (const next of [writing("So"), live])
      expect(told(message("hi"), started(), thinking, next).items[1]).toMatchObject({ streaming: false });
  });
  test("is thrown away when the step begins anew", () => {
    const reset: LiveSignal = { ...turn, type: "live.text_reset", step: 0 };
    const conversation = told(message("hi"), started(), writing("wrong"), reset, writing("right"));
    expect(words(conversation)).toEqual(["person: hi", "answer: right"]);
  });
  test("that comes live after its step is finished is not added again", () => {
    const conversation = told(message("hi"), started(), step("Hello!"), writing("Hello!"));
    expect(words(conversation)).toEqual(["person: hi", "answer: Hello!"]);
  });
  test("is not shown a second time when it is also written as the reply", () => {
    const reply: NewEvent = { ...turn, type: "reply.written", channel: "web", text: "Hello!\n" };
    expect(words(told(message("hi"), started(), step("Hello!"), reply))).toEqual(["person: hi", "answer: Hello!"]);
  });
  test("that no step wrote is shown", () => {
    const reply: NewEvent = { ...here, type: "reply.written", channel: "web", text: "Reminder: tea" };
    expect(words(told(reply))).toEqual(["answer: Reminder: tea"]);
  });
  test("that was cut off stays as far as it was seen", () => {
    const conversation = told(message("hi"), started(), writing("Half an"), ended("stopped"));
    expect(words(conversation)).toEqual(["person: hi", "answer: Half an", "notice: Stopped.", "cost: 0"]);
  });
  test("of another conversation is not shown here", () => {
    const foreign: LiveSignal = { ...writing("secret"), conversation: "web--two" };
    expect(words(told(message("hi"), started(), foreign))).toEqual(["person: hi"]);
  });
  test("joined midway is marked until it is told from its beginning", () => {
    const reset: LiveSignal = { ...turn, type: "live.text_reset", step: 0 };
    const joined = foldConversation(joinMidway(told(message("hi"), started())), [writing("…the end")]);
    expect(joined.items.at(-1)).toMatchObject({ partial: true });
    const whole = foldConversation(joined, [reset, writing("From the start")]);
    expect(whole.items.at(-1)).toMatchObject({ partial: false, text: "From the start" });
  });
});

test("what is written in a turn is found behind a message that is older than the turn", () => {
  const steered: NewEvent = { ...turn, type: "turn.steered", messages: [2] };
  const thought: LiveSignal = { ...turn, type: "live.reasoning", step: 0, delta: "Hm" };
  const conversation = told(message("hi"), message("quick"), started([1]), thought, steered, writing("Yes"));
  expect(words(conversation)).toEqual(["person: hi", "reasoning: Hm", "person: quick", "answer: Yes"]);
  expect(conversation.items[1]).toMatchObject({ streaming: false });
});

describe("a reload or a lost connection", () => {
  test("shows nothing twice when the same events come again", () => {
    const events = placed([message("hi"), started(), step("Hello!"), ended()]);
    const once = foldConversation(emptyConversation("web--one"), events);
    expect(foldConversation(once, events)).toBe(once);
  });
  test("ends in the same picture wherever the stream was cut", () => {
    const all = placed([message("hi"), started(), writing("Hel"), writing("lo"), step("Hello!"), ended()]);
    const events = all.filter((followed) => !isLive(followed));
    const whole = words(foldConversation(emptyConversation("web--one"), all));
    for (let cut = 0; cut <= all.length; cut += 1) {
      const before = foldConversation(emptyConversation("web--one"), all.slice(0, cut));
      expect(words(foldConversation(before, events)), `cut after ${cut}`).toEqual(whole);
    }
  });
  test("of Steward itself says that it went on, and shows the step anew", () => {
    const resumed: NewEvent = { ...turn, type: "turn.resumed" };
    const conversation = told(message("hi"), started(), writing("Half"), resumed, writing("Whole"));
    expect(words(conversation)).toEqual([
      "person: hi",
      "notice: Interrupted by a restart. Steward goes on where it was.",
      "answer: Whole",
    ]);
  });
});

describe("a message", () => {
  test("waits below what is being written, and stands where it was taken", () => {
    const steered: NewEvent = { ...turn, type: "turn.steered", messages: [4] };
    const before = [message("hi"), started(), writing("Hel"), message("and then?")];
    expect(words(told(...before))).toEqual(["person: hi", "answer: Hel", "person: and then?"]);
    expect(told(...before).waiting).toHaveLength(1);
    const taken = told(...before, step("Hello!"), steered);
    expect(words(taken)).toEqual(["person: hi", "answer: Hello!", "person: and then?"]);
    expect(taken.waiting).toHaveLength(0);
  });
  test("that was refused says why, once", () => {
    const refusal = { ...here, messageId: "m", channel: "web", sender: owner, text: "more", reason: "Too many wait." };
    const reply: NewEvent = { ...here, type: "reply.written", channel: "web", text: "Too many wait." };
    expect(words(told({ ...refusal, type: "message.refused" }, reply))).toEqual([
      "notice: “more” was not taken: Too many wait.",
    ]);
  });
  test("of somebody else carries their name", () => {
    const stranger = message("hello", { sender: { kind: "group", id: "7", name: "Ada" } });
    expect(told(stranger).waiting).toMatchObject([{ from: "Ada" }]);
  });
});

describe("saying something else instead", () => {
  const rewound: NewEvent = { ...here, type: "conversation.rewound", fromSeq: 1, by: owner };
  test("takes away the message, its answer and everything after", () => {
    const conversation = told(message("hi"), started(), step("Hello!"), ended(), rewound, message("hey"));
    expect(words(conversation)).toEqual(["person: hey"]);
  });
  test("in the middle of an answer leaves nothing of it, whatever still comes", () => {
    const conversation = told(
      message("hi"),
      started(),
      writing("Hel"),
      rewound,
      writing("lo"),
      step("Hello!"),
      ended("stopped"),
      message("hey"),
      started([8], "t2"),
    );
    expect(words(conversation)).toEqual(["person: hey"]);
    expect(conversation.turn?.id).toBe("t2");
  });
  test("keeps what was said before", () => {
    const later: NewEvent = { ...here, type: "conversation.rewound", fromSeq: 5, by: owner };
    const conversation = told(message("hi"), started(), step("Hello!"), ended(), message("wrong"), later, message("x"));
    expect(words(conversation)).toEqual(["person: hi", "answer: Hello!", "cost: 120", "person: x"]);
  });
});

test("a deleted conversation has nothing left to show", () => {
  const conversation = told(message("hi"), { ...here, type: "conversation.deleted", by: owner });
  expect(conversation).toMatchObject({ deleted: true, items: [], waiting: [] });
});

test("reading earlier events gives the same picture as having had them from the start", () => {
  const all = placed([
    message("one"),
    started(),
    calling,
    sent,
    returned("done"),
    step("Done.", { step: 1 }),
    { ...turn, type: "reply.written", channel: "web", text: "Done." },
    ended(),
    message("two"),
    started([9], "t2"),
  ]);
  const live: LiveSignal = { ...writing("An"), turn: "t2" };
  const events = all.filter((followed) => !isLive(followed));
  const empty = emptyConversation("web--one");
  const whole = foldConversation(empty, [...all, live]);
  for (let cut = 1; cut < events.length; cut += 1) {
    const late = foldConversation(empty, [...events.slice(cut), live]);
    expect(foldEarlier(late, empty, events), `read from event ${cut + 1} on`).toEqual(whole);
  }
});

test("what was recalled for a question stands behind it in one quiet line, and nothing where nothing was", () => {
  const recalled = (count: number): NewEvent => ({
    ...{ ...turn, type: "memory.recalled", tokens: 9 },
    finds: Array.from({ length: count }, () => ({ path: "MEMORY.md", score: 1, why: [] })),
  });
  const conversation = told(message("hi"), started(), recalled(2), step("Hello!"));
  expect(words(conversation)).toEqual(["person: hi", "notice: Looked up 2 things", "answer: Hello!"]);
  expect(conversation.items[1]).toMatchObject({ tone: "quiet", recalled: 3 });
  expect(words(told(message("hi"), started(), recalled(0)))).toEqual(["person: hi"]);
});

test("what was forgotten is not shown, also while it is being told, and one quiet line says that something was", () => {
  const forgotten: NewEvent = {
    type: "messages.forgotten",
    conversation: turn.conversation,
    seqs: [1, 3, 4],
    by: owner,
  };
  const conversation = told(message("hi"), started(), step("Hello!"), ended(), message("two"), forgotten);
  expect(words(conversation)).toEqual(["notice: Something was forgotten here, for good.", "person: two"]);
});

test("each place where something was forgotten has one quiet line, however often something went there", () => {
  const forgotten = (...seqs: number[]): NewEvent => ({
    ...{ type: "messages.forgotten", conversation: turn.conversation, by: owner },
    seqs,
  });
  const said = ["one", "two", "three", "four", "five"].map((text) => message(text));
  const all = [...said, started([1, 2, 3, 4, 5])];
  const gap = "notice: Something was forgotten here, for good.";
  expect(words(told(...all, forgotten(1, 4)))).toEqual([gap, "person: two", "person: three", gap, "person: five"]);
  const twice = told(...all, forgotten(1, 4), forgotten(3, 9));
  expect(words(twice)).toEqual([gap, "person: two", gap, "person: five"]);
  expect(new Set(twice.items.map(({ id }) => id)).size).toBe(4);
});

test("what was forgotten has its one line also when the conversation is read from its end on", () => {
  const forgotten: NewEvent = {
    type: "messages.forgotten",
    conversation: turn.conversation,
    by: owner,
    seqs: [1, 3, 4],
  };
  const events = placed([message("hi"), started(), step("Hello!"), ended(), message("two"), forgotten]).filter(
    (one) => "seq" in one,
  );
  const empty = emptyConversation(turn.conversation);
  const whole = foldConversation(empty, events);
  for (let cut = 1; cut < events.length; cut += 1)
    expect(foldEarlier(foldConversation(empty, events.slice(cut)), empty, events).items).toEqual(whole.items);
});
