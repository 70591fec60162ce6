import { expect, test } from "vitest";
import type { Followed } from "../../src/contract/wire/client.ts";
import { openAssistant } from "../scenes/assistant.ts";
import { eventually } from "../scenes/eventually.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";
import { testTool } from "../scenes/tools.ts";

const call = (value: string, tool = "note") => ({ tool, arguments: { value } });

test("a message is answered, and the answer is in the log", async () => {
  const assistant = await openAssistant({ model: scriptedModel([{ text: "Good morning." }]) });
  await assistant.say("hello");
  await assistant.until("turn.finished");
  expect(await assistant.replies()).toEqual(["Good morning."]);
});

test("the model sees the result of its call before it answers", async () => {
  const model = scriptedModel([{ text: "", calls: [call("a")] }, { text: "done" }]);
  const assistant = await openAssistant({ model, tools: [testTool({})] });
  await assistant.say("go");
  await assistant.until("turn.finished");
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
  const assistant = await openAssistant({ model, tools: [tool] });
  await assistant.say("go");
  await assistant.until("turn.finished");
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
  const assistant = await openAssistant({ model, tools: [testTool({})] });
  await assistant.say("go");
  const returned = await assistant.until("tool.returned", 2);
  expect(returned.map((event) => [event.outcome, event.output.split("\n")[0]])).toEqual([
    ["failed", "There is no tool called nothing. There are: note."],
    ["failed", expect.stringContaining("The arguments of note do not fit")],
  ]);
});

test("a call that changes the world asks first, ends the turn, and runs once it is approved", async () => {
  const tool = testTool({ effects: ["sends"], class: "unsafe" });
  const assistant = await openAssistant({
    model: scriptedModel([{ text: "", calls: [call("mail")] }, { text: "sent" }]),
    tools: [tool],
  });
  await assistant.say("send it");
  const [asked] = await assistant.until("approval.asked");
  await assistant.until("turn.waiting");
  expect(tool.runs).toEqual([]);
  await assistant.call("exec.approve", { approvalId: asked?.approvalId });
  await assistant.until("turn.finished");
  expect([tool.runs, await assistant.replies()]).toEqual([["mail"], ["sent"]]);
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
  const assistant = await openAssistant({ model, tools: [tool] });
  await assistant.say("send it");
  const [asked] = await assistant.until("approval.asked");
  await assistant.call("exec.deny", { approvalId: asked?.approvalId, reason: "not today" });
  await assistant.until("turn.finished");
  expect([tool.runs, model.requests[1]?.messages.at(-1)]).toMatchObject([
    [],
    { output: "Not done: the owner said no. not today" },
  ]);
});

test("an approval is used once: the second answer is refused", async () => {
  const assistant = await openAssistant({
    model: scriptedModel([{ text: "", calls: [call("mail")] }, { text: "sent" }]),
    tools: [testTool({ effects: ["sends"] })],
  });
  await assistant.say("send it");
  const [asked] = await assistant.until("approval.asked");
  await assistant.call("exec.approve", { approvalId: asked?.approvalId });
  await expect(assistant.call("exec.approve", { approvalId: asked?.approvalId })).rejects.toThrow(
    "That question is not open",
  );
});

test("of two calls, the harmless one runs at once and the other waits for its answer", async () => {
  const harmless = testTool({ name: "look" });
  const model = scriptedModel([{ text: "", calls: [call("a", "look"), call("b")] }, { text: "ok" }]);
  const assistant = await openAssistant({ model, tools: [harmless, testTool({ effects: ["sends"] })] });
  await assistant.say("go");
  await assistant.until("turn.waiting");
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
  const assistant = await openAssistant({ model, tools: [tool] });
  await assistant.say("send it");
  await assistant.until("turn.waiting");
  await assistant.say("what is it?");
  await assistant.until("turn.finished");
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
  const assistant = await openAssistant({
    model,
    tools: [testTool({ run: () => assistant.say("and this").then(() => "ok") })],
  });
  await assistant.say("this");
  await assistant.until("turn.finished");
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: "user", content: [{ text: "and this" }] });
  expect(await assistant.replies()).toEqual(["both answered"]);
});

test("with whenBusy wait, a message during a turn gets a turn of its own", async () => {
  const model = scriptedModel([{ text: "", calls: [call("a")] }, { text: "first" }, { text: "second" }]);
  const assistant = await openAssistant({
    model,
    settings: { queue: { whenBusy: "wait" } },
    tools: [testTool({ run: () => assistant.say("and this").then(() => "ok") })],
  });
  await assistant.say("this");
  await assistant.until("turn.finished", 2);
  expect(await assistant.replies()).toEqual(["first", "second"]);
});

test("the message over the limit is refused with a reply that says so, and the others are kept", async () => {
  const assistant = await openAssistant({
    model: scriptedModel([{ hangsAfter: "…" }]),
    settings: { queue: { maxWaiting: 2, whenBusy: "wait" } },
  });
  await assistant.say("0");
  await assistant.until("turn.started");
  for (const text of ["1", "2", "3"]) await assistant.say(text);
  expect((await assistant.replies())[0]).toContain("Messages limit reached: 2 are waiting already");
});

test("stop ends a streaming turn and keeps what was said", async () => {
  const assistant = await openAssistant({ model: scriptedModel([{ hangsAfter: "I was about to" }]) });
  const seen: Followed[] = [];
  assistant.follow(0, (followed) => seen.push(followed));
  await assistant.say("tell me");
  await eventually(() => seen.some((followed) => followed.type === "live.text"));
  await assistant.call("chat.abort", { sessionKey: "terminal--default" });
  const [finished] = await assistant.until("turn.finished");
  expect([finished?.ending, await assistant.replies()]).toEqual(["stopped", ["I was about to\n\n(Stopped.)"]]);
});

test("stop also ends a tool that does not listen, and its outcome is called unknown when it acts on the world", async () => {
  const deaf = testTool({ effects: ["changes"], class: "unsafe", run: () => new Promise(() => {}) });
  const guard = {
    decide: async () => ({ verdict: "allow" as const }),
    bindingOf: async () => "",
    filesReadBy: async () => [],
  };
  const assistant = await openAssistant({
    model: scriptedModel([{ text: "", calls: [call("x")] }]),
    tools: [deaf],
    guard,
    hardStopAfterMs: 30,
  });
  await assistant.say("go");
  await assistant.until("tool.sent");
  await assistant.call("chat.abort", { sessionKey: "terminal--default" });
  const [returned] = await assistant.until("tool.returned");
  await assistant.until("turn.finished");
  expect(returned?.outcome).toBe("unknown");
});

test("stop also ends a turn that waits for an answer", async () => {
  const assistant = await openAssistant({
    model: scriptedModel([{ text: "", calls: [call("mail")] }]),
    tools: [testTool({ effects: ["sends"] })],
  });
  await assistant.say("send it");
  await assistant.until("turn.waiting");
  await assistant.call("chat.abort", { sessionKey: "terminal--default" });
  const [finished] = await assistant.until("turn.finished");
  expect([finished?.ending, await assistant.call("approvals.list", {})]).toEqual(["stopped", { approvals: [] }]);
});

test("the same call with the same result again and again is stopped and said", async () => {
  const model = scriptedModel([{ text: "", calls: [call("a")] }]);
  const assistant = await openAssistant({ model, tools: [testTool({})] });
  await assistant.say("go");
  const [finished] = await assistant.until("turn.finished");
  expect([finished?.ending, await assistant.replies(), model.requests.length]).toEqual([
    "no_progress",
    ["I stopped: I called note 3 times in the same way and got the same result each time."],
    3,
  ]);
});

test("a turn that never ends is ended at the limit, and says so", async () => {
  let count = 0;
  const model = scriptedModel(() => ({ text: "", calls: [call(`${count++}`)] }));
  const assistant = await openAssistant({ model, tools: [testTool({})], settings: { agent: { maxSteps: 4 } } });
  await assistant.say("go");
  const [finished] = await assistant.until("turn.finished");
  expect([finished?.ending, model.requests.length]).toEqual(["step_limit", 4]);
});

test("a model that cannot be reached ends the turn with its reason, and the next message is answered", async () => {
  const model = scriptedModel([
    { unavailable: "credentials", message: "There is no key. Set one." },
    { text: "here again" },
  ]);
  const assistant = await openAssistant({ model });
  await assistant.say("hello");
  await assistant.until("turn.finished");
  await assistant.say("hello?");
  await assistant.until("turn.finished", 2);
  expect(await assistant.replies()).toEqual(["There is no key. Set one.", "here again"]);
  expect(model.requests[1]?.messages.map((message) => message.role)).toEqual(["user", "user"]);
});

test("a tool that throws is a failed result, not a broken turn", async () => {
  const assistant = await openAssistant({
    model: scriptedModel([{ text: "", calls: [call("a")] }, { text: "I see" }]),
    tools: [testTool({ run: () => Promise.reject(new Error("boom")) })],
  });
  await assistant.say("go");
  const [returned] = await assistant.until("tool.returned");
  await assistant.until("turn.finished");
  expect([returned?.outcome, returned?.output]).toEqual(["failed", "The tool broke: boom"]);
});

test("a follower that joins in the middle of a stream is shown what was said so far, once", async () => {
  const assistant = await openAssistant({ model: scriptedModel([{ hangsAfter: "half a sentence" }]) });
  const early: Followed[] = [];
  assistant.follow(0, (followed) => early.push(followed));
  await assistant.say("go");
  await eventually(() => early.some((followed) => followed.type === "live.text"));
  const seen: Followed[] = [];
  assistant.follow(0, (followed) => seen.push(followed));
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
  const assistant = await openAssistant({ model });
  await assistant.say("slow", "terminal--one");
  await assistant.until("turn.started");
  await assistant.say("fast", "terminal--two");
  await assistant.until("turn.finished");
  expect(await assistant.replies()).toEqual(["quick"]);
});
