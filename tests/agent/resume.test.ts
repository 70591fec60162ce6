import { expect, test } from "vitest";
import type { NewEvent } from "../../src/contract/event.ts";
import { openAssistant } from "../scenes/assistant.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { conversation, messageReceived, storeIn } from "../scenes/stores.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";
import { testTool } from "../scenes/tools.ts";

const turn = "turn_1";
const at = { conversation, turn };
const started: NewEvent = { type: "turn.started", ...at, messages: [1] };
const step: NewEvent = {
  type: "step.finished",
  ...at,
  step: 0,
  model: "scripted/one",
  text: "",
  toolCalls: [{ callId: "c1", tool: "note", arguments: { value: "a" } }],
  finish: "tool_calls",
  usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
};
const sent: NewEvent = { type: "tool.sent", ...at, callId: "c1", tool: "note" };
const returnedOf = (callId: string): NewEvent => {
  return { type: "tool.returned", ...at, callId, tool: "note", outcome: "done", output: "noted", attachments: [] };
};

// a data folder as a process leaves it that dies right after these events
async function leftBehind(...events: readonly NewEvent[]): Promise<string> {
  const home = await temporaryFolder();
  const store = await storeIn(home);
  await store.log.append([messageReceived("do it"), ...events]);
  await store.close();
  return home;
}

const allow = {
  decide: async () => ({ verdict: "allow" as const }),
  bindingOf: async () => "",
  filesReadBy: async () => [],
};

test("a message that nobody had taken up is answered after the restart", async () => {
  const assistant = await openAssistant({ home: await leftBehind(), model: scriptedModel([{ text: "hello" }]) });
  await assistant.until("turn.finished");
  expect(await assistant.replies()).toEqual(["hello"]);
});

test("a turn cut off before the model answered asks the model again, in the same turn", async () => {
  const assistant = await openAssistant({ home: await leftBehind(started), model: scriptedModel([{ text: "hello" }]) });
  const [finished] = await assistant.until("turn.finished");
  expect([finished?.turn, await assistant.replies()]).toEqual([turn, ["hello"]]);
});

test("a call that had not begun runs, and the model is not asked for it again", async () => {
  const tool = testTool({ class: "unsafe" });
  const model = scriptedModel([{ text: "done" }]);
  const assistant = await openAssistant({ home: await leftBehind(started, step), model, tools: [tool], guard: allow });
  await assistant.until("turn.finished");
  expect([tool.runs, model.requests.length]).toEqual([["a"], 1]);
});

test("a call that only reads and is cut off by the end of the process runs again in the next one", async () => {
  const home = await leftBehind(started, step);
  const broken = async (_value: string, signal: AbortSignal) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    throw new Error("it was cut off");
  };
  const model = scriptedModel([{ text: "done" }]);
  const first = await openAssistant({ home, model, tools: [testTool({ run: broken })], guard: allow });
  await first.until("tool.sent");
  await first.close();
  const tool = testTool({});
  const second = await openAssistant({ home, model, tools: [tool], guard: allow });
  await second.until("turn.finished");
  expect([tool.runs, (await second.until("tool.returned")).map(({ outcome }) => outcome)]).toEqual([["a"], ["done"]]);
});

test("an unsafe call that was under way is not repeated; its outcome is reported as unknown", async () => {
  const tool = testTool({ class: "unsafe" });
  const model = scriptedModel([{ text: "I do not know whether it worked." }]);
  const assistant = await openAssistant({
    home: await leftBehind(started, step, sent),
    model,
    tools: [tool],
    guard: allow,
  });
  await assistant.until("turn.finished");
  const [returned] = await assistant.until("tool.returned");
  expect([tool.runs, returned?.outcome, model.requests[0]?.messages.at(-1)]).toMatchObject([
    [],
    "unknown",
    { output: expect.stringContaining("It was not repeated") },
  ]);
});

test("an unsafe call that can tell that it had not begun runs now", async () => {
  const tool = testTool({ class: "unsafe", recover: async () => ({ kind: "not started" }) });
  const assistant = await openAssistant({
    home: await leftBehind(started, step, sent),
    model: scriptedModel([{ text: "done" }]),
    tools: [tool],
    guard: allow,
  });
  await assistant.until("turn.finished");
  expect(tool.runs).toEqual(["a"]);
});

test("an unsafe call that can tell that it was done is not run again", async () => {
  const tool = testTool({
    class: "unsafe",
    recover: async () => ({ kind: "finished", result: { outcome: "done", output: "it is there" } }),
  });
  const assistant = await openAssistant({
    home: await leftBehind(started, step, sent),
    model: scriptedModel([{ text: "done" }]),
    tools: [tool],
    guard: allow,
  });
  const [returned] = await assistant.until("tool.returned");
  await assistant.until("turn.finished");
  expect([tool.runs, returned?.outcome, returned?.output]).toEqual([[], "done", "it is there"]);
});

test("an unsafe call that never began is judged anew before it runs", async () => {
  const tool = testTool({ class: "unsafe", recover: async () => ({ kind: "not started" }) });
  const assistant = await openAssistant({
    home: await leftBehind(started, step, sent),
    model: scriptedModel([{ text: "done" }]),
    tools: [tool],
    settings: { guard: { tools: { note: "ask" } } },
  });
  const [question] = await assistant.until("approval.asked");
  await assistant.until("turn.waiting");
  expect([question?.rule, tool.runs]).toEqual(["tool policy", []]);
  await assistant.call("exec.approve", { approvalId: question?.approvalId });
  await assistant.until("turn.finished");
  expect(tool.runs).toEqual(["a"]);
});

test("a call that only reads runs again", async () => {
  const tool = testTool({ class: "read" });
  const assistant = await openAssistant({
    home: await leftBehind(started, step, sent),
    model: scriptedModel([{ text: "done" }]),
    tools: [tool],
  });
  await assistant.until("turn.finished");
  expect(tool.runs).toEqual(["a"]);
});

test("a wish to stop outlives the process that heard it", async () => {
  const stop: NewEvent = { type: "turn.stop_requested", ...at, by: { kind: "owner", id: "owner" } };
  const model = scriptedModel([{ text: "never said" }]);
  const assistant = await openAssistant({ home: await leftBehind(started, stop), model });
  const [finished] = await assistant.until("turn.finished");
  expect([finished?.ending, model.requests.length]).toEqual(["stopped", 0]);
});

const resumed: NewEvent = { type: "turn.resumed", ...at };
const interrupted: NewEvent = { type: "turn.interrupted", ...at };
const asked: NewEvent = {
  ...{ type: "approval.asked", ...at, approvalId: "ask_1", callId: "c1", tool: "note", arguments: {}, binding: "" },
  ...{ display: "", rule: "", reason: "", labels: [], expiresAtMs: Number.MAX_SAFE_INTEGER },
};
const waiting: NewEvent = { type: "turn.waiting", ...at, approvals: ["ask_1"] };

test("a turn with which two processes have died is set aside in words, and nothing is done for it", async () => {
  const model = scriptedModel([{ text: "never said" }]);
  const assistant = await openAssistant({ home: await leftBehind(started, resumed), model });
  const [finished] = await assistant.until("turn.finished");
  expect([finished?.ending, await assistant.replies(), model.requests]).toEqual([
    "failed",
    [
      'I was cut off twice at the same place (before the next answer) and have set this aside. Nothing was lost: say "go on" and I try again.',
    ],
    [],
  ]);
});

test("a call that has ended two processes is named, and is not run a third time", async () => {
  const tool = testTool({ class: "read" });
  const home = await leftBehind(started, step, sent, resumed, sent);
  const assistant = await openAssistant({ home, model: scriptedModel([{ text: "never said" }]), tools: [tool] });
  const [returned] = await assistant.until("tool.returned");
  await assistant.until("turn.finished");
  expect([tool.runs, returned?.outcome, (await assistant.replies())[0]]).toEqual([
    [],
    "unknown",
    expect.stringContaining("while note ran"),
  ]);
});

test("the owner says go on, and it is tried again", async () => {
  const home = await leftBehind(started, resumed);
  const assistant = await openAssistant({ home, model: scriptedModel([{ text: "it works now" }]) });
  await assistant.until("turn.finished");
  await assistant.say("go on");
  await assistant.until("turn.finished", 2);
  expect((await assistant.replies()).at(-1)).toBe("it works now");
});

const goesOn: readonly [string, readonly NewEvent[]][] = [
  ["cut off once", [started]],
  ["stopped as often as you like", [started, ...Array(30).fill([interrupted, resumed]).flat(), interrupted]],
  ["cut off once and stopped in between", [started, resumed, interrupted]],
  ["cut off again and again, but further on each time", [started, resumed, step, resumed, sent, returnedOf("c1")]],
];

test.each(goesOn)("a turn that was %s goes on", async (_, events) => {
  const assistant = await openAssistant({
    home: await leftBehind(...events),
    model: scriptedModel([{ text: "here it is" }]),
    tools: [testTool({ class: "read" })],
  });
  await assistant.until("turn.finished");
  expect(await assistant.replies()).toEqual(["here it is"]);
});

test("a turn that waits for a person does not mind how often the machine is switched off meanwhile", async () => {
  const answered: NewEvent = {
    ...{ type: "approval.answered", ...at, approvalId: "ask_1", callId: "c1", decision: "denied" },
    by: { kind: "owner", id: "owner" },
  };
  const home = await leftBehind(started, step, asked, waiting, resumed, waiting, resumed, waiting, answered);
  const assistant = await openAssistant({
    home,
    model: scriptedModel([{ text: "as you wish" }]),
    tools: [testTool({})],
  });
  await assistant.until("turn.finished");
  expect(await assistant.replies()).toEqual(["as you wish"]);
});

test("a turn whose question was answered after a restart has been cut off by nobody", async () => {
  const home = await leftBehind(started, step, asked, waiting);
  const assistant = await openAssistant({
    home,
    model: scriptedModel([{ text: "as you wish" }]),
    tools: [testTool({})],
  });
  await assistant.call("exec.deny", { approvalId: "ask_1" });
  await assistant.until("turn.finished");
  expect((await assistant.events()).filter(({ type }) => type === "turn.resumed")).toEqual([]);
});

test("a question of a turn that is set aside is withdrawn", async () => {
  const home = await leftBehind(started, step, asked, resumed, resumed);
  const assistant = await openAssistant({
    home,
    model: scriptedModel([{ text: "never said" }]),
    tools: [testTool({})],
  });
  const [answer] = await assistant.until("approval.answered");
  await assistant.until("turn.finished");
  expect([answer?.decision, answer?.by.kind]).toEqual(["withdrawn", "system"]);
});

test("closing notes which turns it puts down, so that the next start does not hold it against them", async () => {
  const home = await temporaryFolder();
  for (let starts = 0; starts < 4; starts++) {
    const assistant = await openAssistant({ home, model: scriptedModel([{ hangsAfter: "half" }]) });
    if (starts === 0) await assistant.say("hello");
    await assistant.until(starts === 0 ? "turn.started" : "turn.resumed", Math.max(1, starts));
    await assistant.close();
  }
  const last = await openAssistant({ home, model: scriptedModel([{ text: "whole" }]) });
  await last.until("turn.finished");
  expect(await last.replies()).toEqual(["whole"]);
});

test("turns with which a process died are begun one after another, so that one of them is to blame and not all", async () => {
  const home = await temporaryFolder();
  const store = await storeIn(home);
  for (const name of ["a", "b", "c"]) {
    const own = { conversation: `terminal--${name}`, turn: `turn_${name}` };
    const { events } = await store.log.append([
      messageReceived("do it", { conversation: own.conversation, messageId: name }),
    ]);
    await store.log.append([{ type: "turn.started", ...own, messages: [events[0]?.seq ?? 0] }]);
  }
  await store.close();
  const model = scriptedModel(() => ({ text: "done" }));
  const assistant = await openAssistant({ home, model });
  await assistant.until("turn.finished", 3);
  const order = (await assistant.events()).flatMap((event) =>
    event.type === "turn.resumed" || event.type === "turn.finished" ? [event.type] : [],
  );
  expect(order).toEqual(Array(3).fill(["turn.resumed", "turn.finished"]).flat());
});

test("closing in the middle of an answer leaves a turn that the next process finishes, once", async () => {
  const home = await temporaryFolder();
  const first = await openAssistant({ home, model: scriptedModel([{ hangsAfter: "half" }]) });
  await first.say("hello", conversation, "key-1");
  await first.until("turn.started");
  await first.close();
  const second = await openAssistant({ home, model: scriptedModel([{ text: "whole" }]) });
  await second.say("hello", conversation, "key-1");
  await second.until("turn.finished");
  expect([
    await second.replies(),
    (await second.events()).filter((event) => event.type === "message.received").length,
  ]).toEqual([["whole"], 1]);
});
