import { expect, test } from "vitest";
import type { Followed } from "../../src/contract/client.ts";
import { openAssistant } from "../scenes/assistant.ts";
import { eventually } from "../scenes/eventually.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";
import { testTool } from "../scenes/tools.ts";

const call = (value: string, tool = "note") => ({ tool, arguments: { value } });

test("a message is answered, and the answer is in the log", async () => {
  const house = await openAssistant({ model: scriptedModel([{ text: "Good morning." }]) });
  await house.say("hello");
  await house.until("turn.finished");
  expect(await house.replies()).toEqual(["Good morning."]);
});

test("the model sees the result of its call before it answers", async () => {
  const model = scriptedModel([{ text: "", calls: [call("a")] }, { text: "done" }]);
  const house = await openAssistant({ model, tools: [testTool({})] });
  await house.say("go");
  await house.until("turn.finished");
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    role: "tool",
    callId: "call-1-0",
    output: "noted a",
    failed: false,
  });
});

test("two calls of one step run side by side and both results come back in order", async () => {
  const running: string[] = [];
  const tool = testTool({
    run: async (value) => {
      running.push(value);
      await eventually(() => running.length, 2);
      return `result ${value}`;
    },
  });
  const model = scriptedModel([{ text: "", calls: [call("a"), call("b")] }, { text: "both" }]);
  const house = await openAssistant({ model, tools: [tool] });
  await house.say("go");
  await house.until("turn.finished");
  expect(model.requests[1]?.messages.slice(-2).map((message) => "output" in message && message.output)).toEqual([
    "result a",
    "result b",
  ]);
});

test("a tool that does not exist and arguments that do not fit are told to the model, which can go on", async () => {
  const model = scriptedModel([
    { text: "", calls: [call("x", "nothing"), { tool: "note", arguments: { wrong: 1 } }] },
    { text: "sorry" },
  ]);
  const house = await openAssistant({ model, tools: [testTool({})] });
  await house.say("go");
  const returned = await house.until("tool.returned", 2);
  expect(returned.map((event) => [event.outcome, event.output.split("\n")[0]])).toEqual([
    ["failed", "There is no tool called nothing. There are: note."],
    ["failed", expect.stringContaining("The arguments of note do not fit")],
  ]);
});

test("a call that changes the world asks first, ends the turn, and runs once it is approved", async () => {
  const tool = testTool({ effects: ["sends"], class: "unsafe" });
  const house = await openAssistant({
    model: scriptedModel([{ text: "", calls: [call("mail")] }, { text: "sent" }]),
    tools: [tool],
  });
  await house.say("send it");
  const [asked] = await house.until("approval.asked");
  await house.until("turn.waiting");
  expect(tool.runs).toEqual([]);
  await house.call("exec.approve", { approvalId: asked?.approvalId });
  await house.until("turn.finished");
  expect([tool.runs, await house.replies()]).toEqual([["mail"], ["sent"]]);
});

test("an approval given after a restart continues the turn", async () => {
  const home = await temporaryFolder();
  const first = await openAssistant({
    home,
    model: scriptedModel([{ text: "", calls: [call("mail")] }]),
    tools: [testTool({ effects: ["sends"] })],
  });
  await first.say("send it");
  const [asked] = await first.until("approval.asked");
  await first.until("turn.waiting");
  await first.close();
  const tool = testTool({ effects: ["sends"] });
  const second = await openAssistant({ home, model: scriptedModel([{ text: "sent" }]), tools: [tool] });
  await second.call("exec.approve", { approvalId: asked?.approvalId });
  await second.until("turn.finished");
  expect([tool.runs, await second.replies()]).toEqual([["mail"], ["sent"]]);
});

test("a denied call does not run and the model hears why", async () => {
  const tool = testTool({ effects: ["sends"] });
  const model = scriptedModel([{ text: "", calls: [call("mail")] }, { text: "all right" }]);
  const house = await openAssistant({ model, tools: [tool] });
  await house.say("send it");
  const [asked] = await house.until("approval.asked");
  await house.call("exec.deny", { approvalId: asked?.approvalId, reason: "not today" });
  await house.until("turn.finished");
  expect([tool.runs, model.requests[1]?.messages.at(-1)]).toMatchObject([
    [],
    { output: "Not done: the owner said no. not today" },
  ]);
});

test("an approval is used once: the second answer is refused", async () => {
  const house = await openAssistant({
    model: scriptedModel([{ text: "", calls: [call("mail")] }, { text: "sent" }]),
    tools: [testTool({ effects: ["sends"] })],
  });
  await house.say("send it");
  const [asked] = await house.until("approval.asked");
  await house.call("exec.approve", { approvalId: asked?.approvalId });
  await expect(house.call("exec.approve", { approvalId: asked?.approvalId })).rejects.toThrow(
    "That question is not open",
  );
});

test("of two calls, the harmless one runs at once and the other waits for its answer", async () => {
  const harmless = testTool({ name: "look" });
  const model = scriptedModel([{ text: "", calls: [call("a", "look"), call("b")] }, { text: "ok" }]);
  const house = await openAssistant({ model, tools: [harmless, testTool({ effects: ["sends"] })] });
  await house.say("go");
  await house.until("turn.waiting");
  expect(harmless.runs).toEqual(["a"]);
});

test("nobody answering in time counts as no", async () => {
  let nowMs = Date.now();
  const tool = testTool({ effects: ["sends"] });
  const home = await temporaryFolder();
  const script = scriptedModel([{ text: "", calls: [call("mail")] }, { text: "never mind" }]);
  const first = await openAssistant({ home, model: script, tools: [tool], nowMs: () => nowMs });
  await first.say("send it");
  await first.until("turn.waiting");
  await first.close();
  nowMs += 73 * 3_600_000;
  const second = await openAssistant({
    home,
    model: scriptedModel([{ text: "never mind" }]),
    tools: [tool],
    nowMs: () => nowMs,
  });
  await second.until("turn.finished");
  expect([tool.runs, await second.replies()]).toEqual([[], ["never mind"]]);
});

test("the owner who writes instead of answering withdraws the question, and is heard", async () => {
  const tool = testTool({ effects: ["sends"] });
  const model = scriptedModel([{ text: "", calls: [call("mail")] }, { text: "it is a letter" }]);
  const house = await openAssistant({ model, tools: [tool] });
  await house.say("send it");
  await house.until("turn.waiting");
  await house.say("what is it?");
  await house.until("turn.finished");
  const texts = model.requests[1]?.messages
    .slice(-2)
    .map((message) => (message.role === "user" ? message.content[0] : "output" in message && message.output));
  expect([tool.runs, texts]).toMatchObject([
    [],
    ["Not done: the owner wrote something else instead of answering.", { text: "what is it?" }],
  ]);
});

test("a message that arrives during a turn joins it at the next step", async () => {
  const model = scriptedModel([{ text: "", calls: [call("a")] }, { text: "both answered" }]);
  const house = await openAssistant({
    model,
    tools: [testTool({ run: () => house.say("and this").then(() => "ok") })],
  });
  await house.say("this");
  await house.until("turn.finished");
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "user", content: [{ text: "and this" }] });
  expect(await house.replies()).toEqual(["both answered"]);
});

test("with whenBusy wait, a message during a turn gets a turn of its own", async () => {
  const model = scriptedModel([{ text: "", calls: [call("a")] }, { text: "first" }, { text: "second" }]);
  const house = await openAssistant({
    model,
    settings: { queue: { whenBusy: "wait" } },
    tools: [testTool({ run: () => house.say("and this").then(() => "ok") })],
  });
  await house.say("this");
  await house.until("turn.finished", 2);
  expect(await house.replies()).toEqual(["first", "second"]);
});

test("the message over the limit is refused with a reply that says so, and the others are kept", async () => {
  const house = await openAssistant({
    model: scriptedModel([{ hangsAfter: "…" }]),
    settings: { queue: { maxWaiting: 2, whenBusy: "wait" } },
  });
  await house.say("0");
  await house.until("turn.started");
  for (const text of ["1", "2", "3"]) await house.say(text);
  expect((await house.replies())[0]).toContain("Messages limit reached: 2 are waiting already");
});

test("stop ends a streaming turn and keeps what was said", async () => {
  const house = await openAssistant({ model: scriptedModel([{ hangsAfter: "I was about to" }]) });
  const seen: Followed[] = [];
  house.follow(0, (followed) => seen.push(followed));
  await house.say("tell me");
  await eventually(() => seen.some((followed) => followed.type === "live.text"));
  await house.call("chat.abort", { sessionKey: "terminal--default" });
  const [finished] = await house.until("turn.finished");
  expect([finished?.ending, await house.replies()]).toEqual(["stopped", ["I was about to\n\n(Stopped.)"]]);
});

test("stop also ends a tool that does not listen, and its outcome is called unknown when it acts on the world", async () => {
  const deaf = testTool({ effects: ["changes"], class: "unsafe", run: () => new Promise(() => {}) });
  const guard = { decide: async () => ({ verdict: "allow" as const }), bindingOf: async () => "" };
  const house = await openAssistant({
    model: scriptedModel([{ text: "", calls: [call("x")] }]),
    tools: [deaf],
    guard,
    hardStopAfterMs: 30,
  });
  await house.say("go");
  await house.until("tool.sent");
  await house.call("chat.abort", { sessionKey: "terminal--default" });
  const [returned] = await house.until("tool.returned");
  await house.until("turn.finished");
  expect(returned?.outcome).toBe("unknown");
});

test("stop also ends a turn that waits for an answer", async () => {
  const house = await openAssistant({
    model: scriptedModel([{ text: "", calls: [call("mail")] }]),
    tools: [testTool({ effects: ["sends"] })],
  });
  await house.say("send it");
  await house.until("turn.waiting");
  await house.call("chat.abort", { sessionKey: "terminal--default" });
  const [finished] = await house.until("turn.finished");
  expect([finished?.ending, await house.call("approvals.list", {})]).toEqual(["stopped", { approvals: [] }]);
});

test("the same call with the same result again and again is stopped and said", async () => {
  const model = scriptedModel([{ text: "", calls: [call("a")] }]);
  const house = await openAssistant({ model, tools: [testTool({})] });
  await house.say("go");
  const [finished] = await house.until("turn.finished");
  expect([finished?.ending, await house.replies(), model.requests.length]).toEqual([
    "no_progress",
    ["I stopped: I called note 3 times in the same way and got the same result each time."],
    3,
  ]);
});

test("a turn that never ends is ended at the limit, and says so", async () => {
  let count = 0;
  const model = scriptedModel(() => ({ text: "", calls: [call(`${count++}`)] }));
  const house = await openAssistant({ model, tools: [testTool({})], settings: { agent: { maxSteps: 4 } } });
  await house.say("go");
  const [finished] = await house.until("turn.finished");
  expect([finished?.ending, model.requests.length]).toEqual(["step_limit", 4]);
});

test("a model that cannot be reached ends the turn with its reason, and the next message is answered", async () => {
  const model = scriptedModel([
    { unavailable: "credentials", message: "There is no key. Set one." },
    { text: "here again" },
  ]);
  const house = await openAssistant({ model });
  await house.say("hello");
  await house.until("turn.finished");
  await house.say("hello?");
  await house.until("turn.finished", 2);
  expect(await house.replies()).toEqual(["There is no key. Set one.", "here again"]);
  expect(model.requests[1]?.messages.map((message) => message.role)).toEqual(["user", "user"]);
});

test("a tool that throws is a failed result, not a broken turn", async () => {
  const house = await openAssistant({
    model: scriptedModel([{ text: "", calls: [call("a")] }, { text: "I see" }]),
    tools: [testTool({ run: () => Promise.reject(new Error("boom")) })],
  });
  await house.say("go");
  const [returned] = await house.until("tool.returned");
  await house.until("turn.finished");
  expect([returned?.outcome, returned?.output]).toEqual(["failed", "The tool broke: boom"]);
});

test("a follower that joins in the middle of a stream is shown what was said so far, once", async () => {
  const house = await openAssistant({ model: scriptedModel([{ hangsAfter: "half a sentence" }]) });
  const early: Followed[] = [];
  house.follow(0, (followed) => early.push(followed));
  await house.say("go");
  await eventually(() => early.some((followed) => followed.type === "live.text"));
  const seen: Followed[] = [];
  house.follow(0, (followed) => seen.push(followed));
  const shown = ["message.received", "turn.started", "live.text_reset", "live.text"];
  await eventually(() => seen.map((followed) => followed.type), shown);
  // time in which it could be shown once more
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(seen.map((followed) => followed.type)).toEqual(shown);
});

test("conversations do not wait for each other", async () => {
  const model = scriptedModel((request) =>
    JSON.stringify(request.messages).includes("slow") ? { hangsAfter: "" } : { text: "quick" },
  );
  const house = await openAssistant({ model });
  await house.say("slow", "terminal--one");
  await house.until("turn.started");
  await house.say("fast", "terminal--two");
  await house.until("turn.finished");
  expect(await house.replies()).toEqual(["quick"]);
});
