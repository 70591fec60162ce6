import { describe, expect, test } from "vitest";
import {
  answered,
  asked,
  calling,
  ended,
  failed,
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
  usage,
  words,
  writing,
} from "../../../tests/scenes/conversation.ts";
import type { EventOf, NewEvent } from "../event.ts";
import type { LiveSignal } from "../wire/live-signal.ts";
import { emptyConversation } from "./conversation.ts";
import { foldConversation } from "./fold-conversation.ts";
import { addOpenApprovals, openApproval } from "./open-approval.ts";

describe("a tool call", () => {
  test("goes from called over running to done", () => {
    const steps = [message("hi"), started(), calling, sent, returned("done")];
    const states = steps.map((_, count) => told(...steps.slice(0, count + 1)).items.at(-1));
    expect(states.slice(2)).toMatchObject([
      { status: "called" },
      { status: "running" },
      { status: "done", output: "out" },
    ]);
  });
  test("shows its latest progress only while it runs", () => {
    const progress: LiveSignal = { ...turn, type: "live.tool_progress", callId: "c1", tool: "bash", text: "a\n50 %\n" };
    const running = told(message("hi"), started(), calling, sent, progress);
    expect(running.items.at(-1)).toMatchObject({ progress: "50 %" });
    const late = told(message("hi"), started(), calling, sent, returned("done"), progress);
    expect(late.items.at(-1)).toMatchObject({ progress: undefined });
  });
  test("that was under way when the turn ended has an unknown outcome", () => {
    expect(words(told(message("hi"), started(), calling, sent, ended("failed")))).toContain("bash: unknown");
  });
  test("waits for the person and is marked denied when they say no", () => {
    const open = told(message("hi"), started(), calling, asked);
    expect(words(open)).toEqual(["person: hi", "bash: waiting", "ls? open"]);
    const denied = told(message("hi"), started(), calling, asked, answered("denied", "not now"));
    expect(words(denied)).toEqual(["person: hi", "bash: denied", "ls? denied"]);
  });
  test("that is known to wait before its events come stands where it was asked", () => {
    const [before, after] = [placed([message("hi"), started(), calling, asked]), placed([answered("approved")])];
    const open = addOpenApprovals(emptyConversation("web--one"), [
      openApproval(before[3] as EventOf<"approval.asked">),
    ]);
    expect(words(open)).toEqual(["ls? open"]);
    const told = foldConversation(open, before);
    expect(words(told)).toEqual(["person: hi", "bash: waiting", "ls? open"]);
    expect(
      words(
        foldConversation(
          told,
          after.map((event) => ({ ...event, seq: 5 })),
        ),
      ),
    ).toEqual(["person: hi", "bash: called", "ls? approved"]);
  });
  test("whose changes were taken back says so", () => {
    const change = { path: "a.md", kind: "file", before: null, after: null, mode: 0o644 } as const;
    const changed: NewEvent = { ...returned("done"), changes: [change] } as NewEvent;
    const undone: NewEvent = { ...here, type: "changes.undone", returned: 5, by: owner, output: "Put back a.md." };
    const conversation = told(message("hi"), started(), calling, sent, changed, undone);
    expect(conversation.items.find((item) => item.kind === "tool")).toMatchObject({ undone: true, returned: 5 });
    expect(words(conversation).at(-1)).toBe("notice: Put back a.md.");
  });
});

describe("the line under an answer", () => {
  test("sums the steps and leaves out the time the person took", () => {
    const waiting: NewEvent = { ...turn, type: "turn.waiting", approvals: ["ap1"] };
    const again = step("Done.", { step: 1, model: "b/two", costUsd: 0.02 });
    const conversation = told(
      message("hi"),
      started(),
      calling,
      asked,
      waiting,
      answered("approved"),
      sent,
      returned("done"),
      again,
      ended(),
    );
    // from second 2 to second 10, of which second 5 to 6 was the person's
    expect(conversation.items.at(-1)).toMatchObject({
      kind: "cost",
      whole: true,
      durationMs: 7000,
      models: ["a/one", "b/two"],
      spending: { inputTokens: 200, outputTokens: 40, costUsd: 0.03 },
    });
  });
  test("does not count twice what the total holds already", () => {
    const beginning = { ...emptyConversation("web--one"), spendingThrough: 3 };
    const counted = { ...beginning, spending: { inputTokens: 7, outputTokens: 0, costUsd: 1, unpricedCalls: 0 } };
    const events = placed([message("hi"), started(), step("Hello!"), step("More", { step: 1 })]);
    expect(foldConversation(counted, events).spending).toEqual({
      inputTokens: 107,
      outputTokens: 20,
      costUsd: 1.01,
      unpricedCalls: 0,
    });
  });
});

describe("notices", () => {
  const reply = (text: string): NewEvent => ({ ...turn, type: "reply.written", channel: "web", text });
  test("take the place of the reply that says the same for other channels", () => {
    const stopped = told(message("hi"), started(), step("Half an"), reply("Half an\n\n(Stopped.)"), ended("stopped"));
    expect(words(stopped)).toEqual(["person: hi", "answer: Half an", "notice: Stopped.", "cost: 120"]);
    const spent = told(message("hi"), started(), reply("Spent $5 of $5."), ended("budget", "Spent $5 of $5."));
    expect(words(spent)).toEqual(["person: hi", "notice: Spent $5 of $5.", "cost: 0"]);
  });
  test("tell the endings that are no answer", () => {
    const endings = ["step_limit", "no_progress", "unavailable", "budget", "failed"] as const;
    for (const ending of endings) {
      const notice = told(message("hi"), started(), ended(ending)).items.find((item) => item.kind === "notice");
      expect(notice, ending).toBeDefined();
    }
    expect(words(told(message("hi"), started(), ended("budget", "Spent $5 of $5.")))).toContain(
      "notice: Spent $5 of $5.",
    );
  });
  test("of a retry stay only until the model answers, and say who took over", () => {
    const retry: LiveSignal = {
      ...turn,
      type: "live.retry",
      attempt: 2,
      delayMs: 2000,
      reason: "overloaded.",
      model: "a/one",
    };
    const trying = told(message("hi"), started(), retry);
    expect(words(trying)).toEqual(["person: hi", "notice: one: overloaded. Trying again in 2 s (try 2)."]);
    const again = told(message("hi"), started(), failed("overloaded"), retry, step("Hello!"));
    expect(words(again)).toEqual(["person: hi", "answer: Hello!"]);
    const next: LiveSignal = { ...retry, model: "b/two", delayMs: 0 };
    expect(words(told(message("hi"), started(), failed("overloaded"), next))).toContain(
      "notice: one: a is at fault. Asking two instead.",
    );
    const answeredAfter = told(
      message("hi"),
      started(),
      failed("overloaded"),
      next,
      step("Hello!", { model: "b/two" }),
    );
    expect(words(answeredAfter)).toEqual([
      "person: hi",
      "notice: one did not answer: a is at fault. Do this. This time two took over.",
      "answer: Hello!",
    ]);
    const live = told(
      message("hi"),
      started(),
      failed("overloaded"),
      next,
      writing("Hel"),
      step("Hello!", { model: "b/two" }),
    );
    expect(words(live)).toEqual(words(answeredAfter));
  });
  test("of who took over are told once in a turn of several steps", () => {
    const looked = step("Let me look.", { model: "b/two" });
    const answered = step("Hello!", { model: "b/two", step: 1 });
    const conversation = told(message("hi"), started(), failed("overloaded"), looked, failed("overloaded"), answered);
    expect(words(conversation)).toEqual([
      "person: hi",
      "notice: one did not answer: a is at fault. Do this. This time two took over.",
      "answer: Let me look.",
      "answer: Hello!",
    ]);
  });
  test.each([
    ["credentials", "setup"],
    ["bad_request", "setup"],
    ["overloaded", "again"],
    ["network", "again"],
    ["context_too_long", undefined],
  ] as const)("of a model that failed by %s offer what helps", (kind, help) => {
    const events = [message("hi"), started(), failed(kind)];
    expect(words(told(...events))).toEqual(["person: hi", "notice: one: a is at fault."]);
    expect(told(...events, step("Hello!", { model: "b/two" })).items[1]).toMatchObject({ kind: "notice", help });
    const end = told(...events, ended("unavailable", "Nobody answered."));
    expect(end.items.find((item) => item.kind === "notice")).toMatchObject({ text: "Nobody answered.", help });
  });
  test("tell that earlier messages were summarised, with the summary to read", () => {
    const compacted: NewEvent = {
      ...here,
      type: "conversation.compacted",
      throughSeq: 1,
      summary: "They said hi.",
      messagesBefore: 40,
      messagesAfter: 6,
      model: "a/one",
      usage,
    };
    expect(told(message("hi"), compacted).items).toMatchObject([
      { text: "Earlier messages were summarised: the model now sees 6 instead of 40.", detail: "They said hi." },
    ]);
  });
});
