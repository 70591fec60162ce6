import { afterEach, expect, test } from "vitest";
import type { ChatOddities, FakeAnswer } from "../fakes/model/model-answer.ts";
import { finalOf, type ModelScene, openModelScene } from "../scenes/models/model-scene.ts";

const scenes: ModelScene[] = [];
afterEach(async () => {
  await Promise.all(scenes.splice(0).map((scene) => scene.close()));
});

async function askOnce(answer: FakeAnswer) {
  const scene = await openModelScene({ protocol: "chat", answers: [answer] });
  scenes.push(scene);
  return finalOf(await scene.ask({ tools: [{ name: "look", description: "", inputSchema: { type: "object" } }] }));
}

const looks = [
  { id: "c1", name: "look", arguments: { at: "sky", deep: { er: [1, 2] } } },
  { id: "c2", name: "look", arguments: { at: "sea" } },
];

const oddities: [string, ChatOddities][] = [
  ["calls without an index", { callsWithoutIndex: true }],
  ["whole calls in one chunk", { callsInOneChunk: true }],
  ["arguments as an object", { objectArguments: true }],
  ["arguments as an object in calls without an index", { objectArguments: true, callsWithoutIndex: true }],
  ["calls that end with stop", { stopAfterCalls: true }],
  ["no [DONE]", { noDone: true }],
  ["lines that end with CRLF", { crlf: true }],
  ["a first chunk without choices", { emptyChoices: true }],
  ["null instead of text", { nullContent: true }],
  ["no role", { noRole: true }],
  ["comments between the chunks", { comments: true }],
  [
    "all of it at once",
    {
      objectArguments: true,
      stopAfterCalls: true,
      noDone: true,
      crlf: true,
      emptyChoices: true,
      nullContent: true,
      noUsage: true,
    },
  ],
];

test.each(oddities)("a local server may send %s", async (_, odd) => {
  const final = await askOnce({ text: "I look.", toolCalls: looks, oddities: odd });
  expect(final).toMatchObject({
    text: "I look.",
    finish: "tool_calls",
    toolCalls: looks.map((call) => ({ callId: call.id, tool: "look", arguments: call.arguments })),
  });
});

test("calls without an id get ids of their own", async () => {
  const { toolCalls } = await askOnce({ toolCalls: looks, oddities: { callsWithoutId: true } });
  expect(toolCalls.map((call) => call.arguments)).toEqual(looks.map((call) => call.arguments));
  expect(new Set(toolCalls.map((call) => call.callId)).size).toBe(2);
  expect(toolCalls.every((call) => call.callId !== "")).toBe(true);
});

test.each(["reasoning", "reasoning_content"] as const)("thoughts may come in the field %s", async (reasoningField) => {
  const final = await askOnce({ reasoning: "hm so", text: "Yes", oddities: { reasoningField, nullContent: true } });
  expect([final.reasoning, final.text]).toEqual(["hm so", "Yes"]);
});

test("a server that counts no tokens gets an estimate by length", async () => {
  const { usage, costUsd } = await askOnce({ text: "x".repeat(400), oddities: { noUsage: true } });
  expect([usage.outputTokens, costUsd]).toEqual([100, 0]);
  expect(usage.inputTokens).toBeGreaterThan(0);
});

test("arguments that were encoded twice are read", async () => {
  const call = { id: "c1", name: "look", arguments: JSON.stringify(JSON.stringify({ at: "sky" })) };
  expect((await askOnce({ toolCalls: [call] })).toolCalls[0]?.arguments).toEqual({ at: "sky" });
});

test("an error that comes as plain JSON with status 200 is read as an error", async () => {
  const fault = { kind: "status", status: 200, message: "Context size has been exceeded" } as const;
  const scene = await openModelScene({ protocol: "chat", answers: [{ fault }] });
  scenes.push(scene);
  expect(await scene.ask()).toMatchObject([{ type: "unavailable", kind: "context_too_long" }]);
});

test("an error that comes inside the stream with status 200 is read as an error", async () => {
  const message = "the request exceeds the available context size";
  const fault = { kind: "error event", afterPieces: 0, errorType: "exceed_context_size_error", message } as const;
  const scene = await openModelScene({ protocol: "chat", answers: [{ text: "a b", fault }] });
  scenes.push(scene);
  expect(await scene.ask()).toMatchObject([{ type: "unavailable", kind: "context_too_long" }]);
});
