import { expect, test } from "vitest";
import type { ModelRequest } from "../../src/contract/model.ts";
import { openAssistant } from "../scenes/assistant.ts";
import { scriptedModel } from "../scenes/scripted-model.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";
import { testTool } from "../scenes/tools.ts";

const isSummaryRequest = (request: ModelRequest) => request.system[0]?.text.startsWith("Summarise") === true;
const answering = (request: ModelRequest) =>
  isSummaryRequest(request) ? { text: "They spoke of many things." } : { text: "yes" };

async function talk(assistant: Awaited<ReturnType<typeof openAssistant>>, from: number, to: number) {
  for (let n = from; n <= to; n++) {
    await assistant.say(`message ${n}`);
    await assistant.until("turn.finished", n);
  }
}

test("when there are too many messages, older ones give way to a summary and the log keeps them all", async () => {
  const model = scriptedModel(answering);
  const assistant = await openAssistant({ model, settings: { session: { maxHistoryMessages: 10 } } });
  await talk(assistant, 1, 6);
  const [compacted] = await assistant.until("conversation.compacted");
  const texts = JSON.stringify(model.requests.at(-1)?.messages);
  expect(compacted).toMatchObject({
    summary: "They spoke of many things.",
    messagesBefore: 11,
    messagesAfter: 5,
    model: "scripted/one",
  });
  expect([
    texts.includes("They spoke of many things."),
    texts.includes("message 1"),
    texts.includes("message 6"),
  ]).toEqual([true, false, true]);
  expect((await assistant.events()).filter((event) => event.type === "message.received")).toHaveLength(6);
});

test("the summary survives a restart", async () => {
  const home = await temporaryFolder();
  const first = await openAssistant({
    home,
    model: scriptedModel(answering),
    settings: { session: { maxHistoryMessages: 10 } },
  });
  await talk(first, 1, 6);
  await first.close();
  const model = scriptedModel(answering);
  const second = await openAssistant({ home, model, settings: { session: { maxHistoryMessages: 10 } } });
  await talk(second, 7, 7);
  expect(JSON.stringify(model.requests.at(-1)?.messages[0])).toContain("They spoke of many things.");
});

test("with compaction switched off, older messages are left out and the model is not asked", async () => {
  const model = scriptedModel(answering);
  const assistant = await openAssistant({
    model,
    settings: { session: { maxHistoryMessages: 10, compactionEnabled: false } },
  });
  await talk(assistant, 1, 6);
  expect(model.requests.some(isSummaryRequest)).toBe(false);
  expect(JSON.stringify(model.requests.at(-1)?.messages[0])).toContain("earlier messages are left out");
});

test("no history handed to a model has a tool result without its call, or a call without its result", async () => {
  const model = scriptedModel((request) => {
    if (isSummaryRequest(request)) return { text: "summary" };
    const last = request.messages.at(-1);
    return last?.role === "user"
      ? { text: "", calls: [{ tool: "note", arguments: { value: "x".repeat(2_000) } }] }
      : { text: "ok" };
  }, 12_000);
  const assistant = await openAssistant({
    model,
    tools: [testTool({})],
    settings: { session: { maxHistoryMessages: 8 } },
  });
  await talk(assistant, 1, 12);
  await assistant.until("conversation.compacted", 2);
  for (const request of model.requests) {
    const calls = request.messages.flatMap((message) =>
      message.role === "assistant" ? message.toolCalls.map((call) => call.callId) : [],
    );
    const results = request.messages.flatMap((message) => (message.role === "tool" ? [message.callId] : []));
    expect(results).toEqual(calls);
  }
});

test("a model that says its window is full is given a shorter history and asked again", async () => {
  let full = true;
  const model = scriptedModel((request) => {
    if (isSummaryRequest(request)) return { text: "in short" };
    if (JSON.stringify(request.messages).includes("message 4") && full) {
      full = false;
      return { unavailable: "context_too_long", message: "too long" };
    }
    return { text: "yes" };
  });
  const assistant = await openAssistant({ model });
  await talk(assistant, 1, 4);
  expect((await assistant.replies()).at(-1)).toBe("yes");
});
