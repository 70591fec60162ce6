import { describe, expect, test } from "vitest";
import type { ConversationItem, ToolItem } from "../../contract/conversation/conversation.ts";
import { joinMidway } from "../../contract/conversation/fold-conversation.ts";
import type { NewEvent } from "../../contract/event.ts";
import type { Followed } from "../../contract/wire/client.ts";
import type { LiveSignal } from "../../contract/wire/live-signal.ts";
import { toolSummary } from "../../contract/words/tool-summary.ts";
import type { ChatState } from "./chat-state.ts";
import {
  addOutgoing,
  allItems,
  approvalsElsewhere,
  emptyChat,
  isSettled,
  markSent,
  openApprovals,
} from "./chat-state.ts";
import { foldFollowed } from "./fold-chat.ts";
import { toolDetail } from "./item-words.ts";
import { plainItem } from "./plain/plain-item.ts";
import { visibleItem } from "./visible-item.ts";

const here = { conversation: "terminal--default" };
const turn = { ...here, turn: "t1" };
const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0 };

function chatAfter(...happenings: (NewEvent | LiveSignal)[]): ChatState {
  return happenings.map(placed).reduce(foldFollowed, emptyChat("terminal--default"));
}
function placed(happening: NewEvent | LiveSignal, index: number): Followed {
  return happening.type.startsWith("live.")
    ? (happening as LiveSignal)
    : ({ ...happening, seq: index + 1, atMs: (index + 1) * 1000 } as Followed);
}
function message(text: string): NewEvent {
  const sender = { kind: "owner", id: "me" } as const;
  return { ...here, type: "message.received", messageId: "m", channel: "terminal", sender, text, attachments: [] };
}
const started: NewEvent = { ...turn, type: "turn.started", messages: [1] };
function writing(delta: string, step = 0): LiveSignal {
  return { ...turn, type: "live.text", step, delta };
}
function step(text: string, more: Partial<Extract<NewEvent, { type: "step.finished" }>> = {}): NewEvent {
  const finish = "stop" as const;
  return {
    ...turn,
    type: "step.finished",
    step: 0,
    model: "a/one",
    text,
    toolCalls: [],
    finish,
    usage,
    costUsd: 0.01,
    ...more,
  };
}
const shellCall = { callId: "c1", tool: "shell", arguments: { command: "ls -la" } };
function ended(
  ending: "answered" | "stopped" | "step_limit" | "no_progress" | "unavailable",
  detail?: string,
): NewEvent {
  return { ...turn, type: "turn.finished", ending, ...(detail === undefined ? {} : { detail }) };
}
const asked: NewEvent = {
  ...turn,
  ...shellCall,
  type: "approval.asked",
  approvalId: "ap1",
  binding: "b",
  display: "ls -la",
  rule: "shell",
  reason: "runs a command",
  expiresAtMs: 9e12,
};
function detailOfLast(state: ChatState): string | undefined {
  return toolDetail(visibleItem(state.items.at(-1) as ToolItem));
}
function words(state: ChatState): string[] {
  return allItems(state)
    .map(visibleItem)
    .flatMap((item) => (item.kind === "cost" ? [] : [itemWords(item)]));
}
function itemWords(item: Exclude<ConversationItem, { kind: "cost" }>): string {
  if (item.kind === "tool") return `${item.tool} ${toolSummary(item.arguments)}: ${item.status}`;
  if (item.kind === "approval") return `${item.approval.display}? ${item.decision ?? "open"}`;
  return `${item.kind}: ${item.text}`;
}

describe("text", () => {
  test("cannot carry terminal escape sequences, even split over two pieces", () => {
    const state = chatAfter(message("hi\u001b[2J"), started, writing("a\u001b"), writing("]0;title\u0007b\u009b2Jc"));
    expect(words(state)).toEqual(["person: hi[2J", "answer: a]0;titleb2Jc"]);
  });
});

describe("a reload in the middle of a stream", () => {
  test("shows nothing twice when the same events come again", () => {
    const events = [message("hi"), started, step("Hello!"), ended("answered")].map(placed);
    const once = events.reduce(foldFollowed, emptyChat("terminal--default"));
    expect(events.reduce(foldFollowed, once)).toEqual(once);
  });
  test("drops the half-written step and shows the rest until the finished one is there", () => {
    const before = chatAfter(message("hi"), started, writing("Hello, I am"));
    const joined = foldFollowed(joinMidway(before), writing("your steward."));
    expect(words(joined)).toEqual(["person: hi", "answer: your steward."]);
    expect(joined.items.at(-1)).toMatchObject({ partial: true });
    const finished = foldFollowed(joined, placed(step("Hello, I am your steward."), 2));
    expect(words(finished)).toEqual(["person: hi", "answer: Hello, I am your steward."]);
    expect(finished.items.at(-1)).toMatchObject({ partial: false, streaming: false });
  });
  test("a turn taken up by a new process writes its step again", () => {
    const resumed: NewEvent = { ...turn, type: "turn.resumed" };
    const state = chatAfter(message("hi"), started, writing("Hel"), resumed, writing("Hello"));
    expect(words(state).filter((line) => line.startsWith("answer"))).toEqual(["answer: Hello"]);
  });
});

describe("a tool", () => {
  const called = step("", { toolCalls: [shellCall], finish: "tool_calls" });
  const sent: NewEvent = { ...turn, type: "tool.sent", callId: "c1", tool: "shell" };
  const returned = (outcome: "done" | "failed" | "denied" | "unknown", output = ""): NewEvent => ({
    ...turn,
    type: "tool.returned",
    callId: "c1",
    tool: "shell",
    outcome,
    output,
    attachments: [],
  });
  test("is shown as soon as the model names it, and once", () => {
    const live: LiveSignal = { ...turn, type: "live.tool_call", step: 0, call: shellCall };
    expect(words(chatAfter(message("hi"), started, live, called))).toEqual(["person: hi", "shell ls -la: called"]);
  });
  test("runs, and is done after the time between the two events", () => {
    expect(words(chatAfter(message("hi"), started, called, sent)).at(-1)).toBe("shell ls -la: running");
    const state = chatAfter(message("hi"), started, called, sent, returned("done"));
    expect(state.items.at(-1)).toMatchObject({ status: "done", durationMs: 1000 });
  });
  test("that failed says why in one line without colours", () => {
    const state = chatAfter(
      message("hi"),
      started,
      called,
      sent,
      returned("failed", "\u001b[31mno such\nfile\u001b[0m"),
    );
    expect(detailOfLast(state)).toBe("no such file");
  });
  test("that was a research says how wide it was", () => {
    const state = chatAfter(
      message("hi"),
      started,
      called,
      sent,
      returned("done", "7 pages read, 1 search.\n[web: …]"),
    );
    const research = { ...(state.items.at(-1) as ToolItem), tool: "research" };
    expect([detailOfLast(state), toolDetail(visibleItem(research))]).toEqual([undefined, "7 pages read"]);
    expect(plainItem(research)).toBe("[research] ls -la\n[research] done: 7 pages read\n");
  });
  test("whose turn ended while it ran has an unknown outcome", () => {
    expect(words(chatAfter(message("hi"), started, called, sent, ended("stopped")))).toContain("shell ls -la: unknown");
  });
  test("shows the last line of its progress", () => {
    const progress: LiveSignal = {
      ...turn,
      type: "live.tool_progress",
      callId: "c1",
      tool: "shell",
      text: "one\ntwo\n",
    };
    expect(detailOfLast(chatAfter(message("hi"), started, called, sent, progress))).toBe("two");
  });
});

describe("an approval", () => {
  const waiting: NewEvent = { ...turn, type: "turn.waiting", approvals: ["ap1"] };
  const answered: NewEvent = {
    ...turn,
    type: "approval.answered",
    approvalId: "ap1",
    callId: "c1",
    decision: "denied",
    by: { kind: "owner", id: "me" },
    reason: "not now",
  };
  test("waits, and the conversation counts as settled", () => {
    const state = chatAfter(message("hi"), started, asked, waiting);
    expect(openApprovals(state)).toHaveLength(1);
    expect(isSettled(state)).toBe(true);
    expect(words(state)).toEqual(["person: hi", "shell ls -la: waiting", "ls -la? open"]);
  });
  test("that is answered lets the turn go on", () => {
    const state = chatAfter(message("hi"), started, asked, waiting, answered);
    expect(words(state)).toEqual(["person: hi", "shell ls -la: denied", "ls -la? denied"]);
    expect(isSettled(state)).toBe(false);
  });
  test("of another conversation is a small notice, gone when it is answered", () => {
    const elsewhere = { ...asked, conversation: "telegram--42" } as NewEvent;
    const state = chatAfter(elsewhere);
    expect(words(state)).toEqual(["notice: Something waits for your approval in telegram--42: ls -la  (/approve ap1)"]);
    const long = chatAfter({ ...elsewhere, display: "x".repeat(20_000) } as NewEvent);
    expect(words(long)[0]).toMatch(/x{120}… \(19,880 more characters\) {2}\(all of it: \/sessions telegram--42\)$/);
    const done = foldFollowed(state, placed({ ...answered, conversation: "telegram--42" } as NewEvent, 1));
    expect(done.items).toEqual([]);
    expect(approvalsElsewhere(done)).toEqual([]);
  });
});

describe("notices", () => {
  const retry: LiveSignal = {
    ...turn,
    type: "live.retry",
    attempt: 2,
    delayMs: 2000,
    reason: "overloaded.",
    model: "a/one",
  };
  test("a retry is told once and gone when the step is finished", () => {
    expect(words(chatAfter(message("hi"), started, retry, retry))).toEqual([
      "person: hi",
      "notice: one: overloaded. Trying again in 2 s (try 2).",
    ]);
    expect(words(chatAfter(message("hi"), started, retry, step("Hello")))).toEqual(["person: hi", "answer: Hello"]);
  });
  test.each([
    ["stopped", "notice: Stopped."],
    ["step_limit", "notice: Ended at the step limit. Say “go on” to let it continue."],
    ["no_progress", "notice: Ended because the same call kept giving the same result."],
    ["unavailable", "notice: No model answered. Choose another one, or look at the settings."],
  ] as const)("a turn that ended as %s says so", (ending, line) => {
    expect(words(chatAfter(message("hi"), started, ended(ending))).at(-1)).toBe(line);
  });
  test("an ending that the reply already explains is not told again", () => {
    const why = "No model answered: the key is wrong.";
    const reply: NewEvent = { ...turn, type: "reply.written", channel: "terminal", text: why, attachments: [] };
    expect(words(chatAfter(message("hi"), started, reply, ended("unavailable", why)))).toEqual([
      "person: hi",
      `answer: ${why}`,
    ]);
  });
  test("a message that was refused is told with the reason", () => {
    const refused = { ...message("hello"), type: "message.refused", reason: "Limit reached." } as NewEvent;
    expect(words(chatAfter(refused))).toEqual(["notice: “hello” was not taken: Limit reached."]);
  });
});

describe("messages on their way", () => {
  const sending = addOutgoing(emptyChat("terminal--default"), "k1", "hi");
  test("are not settled, and leave the list when their event comes before the answer", () => {
    expect(isSettled(sending)).toBe(false);
    const state = foldFollowed(sending, placed(message("hi"), 0));
    expect(state.outgoing).toEqual([]);
    expect(markSent(state, "k1", 1).outgoing).toEqual([]);
    expect(words(state)).toEqual(["person: hi"]);
  });
  test("leave the list when the answer comes before their event", () => {
    const answered = markSent(sending, "k1", 1);
    expect(answered.outgoing).toHaveLength(1);
    expect(foldFollowed(answered, placed(message("hi"), 0)).outgoing).toEqual([]);
  });
  test("wait until a turn has taken them", () => {
    expect(isSettled(chatAfter(message("hi")))).toBe(false);
    expect(isSettled(chatAfter(message("hi"), started, step("Hello"), ended("answered")))).toBe(true);
  });
});

test("events of other conversations are ignored but move the place from which to follow", () => {
  const state = chatAfter({ ...message("psst"), conversation: "telegram--42" } as NewEvent);
  expect(state.items).toEqual([]);
  expect(state.followedThrough).toBe(1);
});

test("tokens and cost add up over the steps", () => {
  const state = chatAfter(message("hi"), started, step("a", { finish: "tool_calls" }), step("b", { step: 1 }));
  expect(state.spending).toEqual({ inputTokens: 200, outputTokens: 40, costUsd: 0.02, unpricedCalls: 0 });
});

test("what had been written before a stop is shown once", () => {
  const text = "Once upon\n\n(Stopped.)";
  const reply: NewEvent = { ...turn, type: "reply.written", channel: "terminal", text, attachments: [] };
  const state = chatAfter(message("tell"), started, step("Once upon", { finish: "stopped" }), reply, ended("stopped"));
  const shown = state.items.map((item) => ("text" in item ? item.text : "")).join("|");
  expect(shown.split("Once upon")).toHaveLength(2);
  expect(shown).toContain("(Stopped.)");
});
