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

test("a turn on which process after process dies is given up in words", async () => {
  const resumed: NewEvent = { type: "turn.resumed", ...at };
  const assistant = await openAssistant({
    home: await leftBehind(started, ...Array(20).fill(resumed)),
    model: scriptedModel([{ text: "never said" }]),
  });
  const [finished] = await assistant.until("turn.finished");
  expect([finished?.ending, (await assistant.replies())[0]]).toEqual([
    "failed",
    expect.stringContaining("I was cut off 21 times"),
  ]);
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
