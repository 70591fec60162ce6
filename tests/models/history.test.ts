import { afterEach, describe, expect, test } from "vitest";
import type { ModelEvent, ModelMessage } from "../../src/contract/model.ts";
import type { FakeAnswer, Protocol } from "../fakes/model/model-answer.ts";
import {
  finalOf,
  type ModelScene,
  makeRequest,
  modelOf,
  openModelScene,
  protocols,
} from "../scenes/models/model-scene.ts";

const scenes: ModelScene[] = [];
afterEach(async () => {
  await Promise.all(scenes.splice(0).map((scene) => scene.close()));
});

async function open(answers: FakeAnswer[] | (() => FakeAnswer)): Promise<ModelScene> {
  const scene = await openModelScene({ answers });
  scenes.push(scene);
  return scene;
}

const user = (text: string): ModelMessage => ({ role: "user", content: [{ type: "text", text }] });
const result = (callId: string, output: string, failed = false): ModelMessage => {
  return { role: "tool", callId, tool: "look", failed, output, images: [] };
};
const step = (events: readonly ModelEvent[]): ModelMessage => ({ role: "assistant", ...finalOf(events) });
const tools = [{ name: "look", description: "Looks.", inputSchema: { type: "object", properties: {} } }];
const lookCall = { id: "call_1", name: "look", arguments: { at: "sky" } };

/** One step with a call on the first protocol, then the next step on the second; returns what went over the wire for it. */
async function goOnWith(first: Protocol, second: Protocol) {
  const scene = await open([{ reasoning: "hm", text: "I look.", toolCalls: [lookCall] }, { text: "Blue" }]);
  const messages: ModelMessage[] = [user("What colour is the sky?")];
  const request = { tools, thinking: "high" as const, messages };
  messages.push(step(await scene.ask(makeRequest(first, request))), result("call_1", "blue"));
  const events = await scene.ask(makeRequest(second, request));
  expect(finalOf(events).text).toBe("Blue");
  return scene.server.requests[1]?.body as Record<string, unknown>;
}

describe("the provider that made a state gets it back", () => {
  test("Anthropic sees its own signed thoughts before the call", async () => {
    const body = await goOnWith("anthropic", "anthropic");
    expect(body.messages).toMatchObject([
      { role: "user" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "signature-1" },
          { type: "text", text: "I look." },
          { type: "tool_use", id: "call_1", name: "look", input: { at: "sky" } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "blue" }] },
    ]);
  });

  test("OpenAI sees its own encrypted reasoning", async () => {
    const body = await goOnWith("responses", "responses");
    expect(body.input).toMatchObject([
      { role: "developer" },
      { role: "user" },
      { type: "reasoning", id: "rs_1", encrypted_content: "encrypted-1" },
      { role: "assistant", content: "I look." },
      { type: "function_call", call_id: "call_1", name: "look", arguments: '{"at":"sky"}' },
      { type: "function_call_output", call_id: "call_1", output: "blue" },
    ]);
  });

  test("a chat model sees its thoughts again as long as it works on the same question", async () => {
    const body = await goOnWith("chat", "chat");
    expect(body.messages).toMatchObject([
      { role: "system" },
      { role: "user" },
      { role: "assistant", content: "I look.", reasoning_content: "hm", tool_calls: [{ id: "call_1" }] },
      { role: "tool", tool_call_id: "call_1", content: "blue" },
    ]);
  });
});

const switches = protocols.flatMap((first) =>
  protocols.filter((second) => second !== first).map((second) => ({ first, second })),
);
test.each(switches)(
  "a conversation moves from $first to $second in the middle of a tool call",
  async ({ first, second }) => {
    const wire = JSON.stringify(await goOnWith(first, second));
    expect(wire).toContain("call_1");
    expect(wire).toContain("blue");
    // thoughts, signatures and item ids stay with the provider that made them
    expect(wire).not.toMatch(/signature-1|encrypted-1|rs_1|"hm"/);
  },
);

test("another model of the same provider does not get the state either, as signatures are bound to their model", async () => {
  const scene = await open([{ reasoning: "hm", text: "Yes" }, { text: "No" }]);
  const messages = [user("Is it?")];
  messages.push(step(await scene.ask({ messages, thinking: "high" })), user("Sure?"));
  await scene.ask({ models: ["anthropic/claude-opus-5-5"], messages, thinking: "high" });
  expect(JSON.stringify(scene.server.requests[1]?.body)).not.toContain("signature-1");
});

test("a state that the provider refuses is left out, now and in later requests, and the conversation goes on", async () => {
  const refusal =
    "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.";
  const scene = await open([
    { reasoning: "hm", text: "Yes" },
    { fault: { kind: "status", status: 400, message: refusal } },
    { text: "Still here" },
    { text: "And here" },
  ]);
  const messages = [user("Is it?")];
  messages.push(step(await scene.ask({ messages, thinking: "high" })), user("Sure?"));
  const events = await scene.ask({ messages, thinking: "high" });
  expect(events[0]).toMatchObject({
    type: "retry",
    delayMs: 0,
    reason: expect.stringContaining("different conversation"),
  });
  expect(finalOf(events).text).toBe("Still here");
  expect(finalOf(await scene.ask({ messages, thinking: "high" })).text).toBe("And here");
  const sent = scene.server.requests.map(({ body }) => JSON.stringify(body).includes("signature-1"));
  expect(sent).toEqual([false, true, false, false]);
});

test("a model that cannot think at all is asked again without a word about thinking", async () => {
  const scene = await open([
    { fault: { kind: "status", status: 400, message: '"qwen3:8b" does not support thinking' } },
    { text: "Plainly" },
  ]);
  const events = await scene.ask({ models: [modelOf.chat], thinking: "high" });
  expect(finalOf(events).text).toBe("Plainly");
  expect(scene.server.requests.map(({ body }) => body.reasoning_effort)).toEqual(["high", undefined]);
});

test("a text that was changed since, by redaction for example, is sent as it now is", async () => {
  const scene = await open([{ reasoning: "hm", text: "The password is abc" }, { text: "Fine" }]);
  const first = step(await scene.ask({ messages: [user("Which?")], thinking: "high" }));
  const changed = { ...first, text: "The password is [hidden]" } as ModelMessage;
  await scene.ask({ messages: [user("Which?"), changed, user("Thanks")], thinking: "high" });
  const wire = JSON.stringify(scene.server.requests[1]?.body);
  expect(wire).toContain("The password is [hidden]");
});

const bluePixel = { type: "image", mediaType: "image/png", data: Buffer.from("blue pixel") } as const;
const pixelText = Buffer.from("blue pixel").toString("base64");

test.each(protocols)("an image that a tool returned reaches the model over %s", async (protocol) => {
  const scene = await open([{ text: "Blue" }]);
  const call = { callId: "c1", tool: "look", arguments: {} };
  const other = { callId: "c2", tool: "look", arguments: {} };
  const messages: ModelMessage[] = [
    user("Look"),
    { role: "assistant", text: "", toolCalls: [call, other], model: "other/model" },
    { role: "tool", callId: "c1", tool: "look", failed: false, output: "seen", images: [bluePixel] },
    result("c2", "nothing"),
  ];
  await scene.ask({ models: [modelOf[protocol]], tools, messages });
  const body = scene.server.requests[0]?.body as Record<string, unknown>;
  const list = (body.messages ?? body.input) as Record<string, unknown>[];
  const places = { anthropic: -1, responses: -2, chat: -1 };
  expect(JSON.stringify(list.at(places[protocol]))).toContain(pixelText);
  // chat completions know no image in a result: it stands in a person's message after all results
  if (protocol === "chat") expect(list.slice(-3).map(({ role }) => role)).toEqual(["tool", "tool", "user"]);
});

test("a failed result is marked for Anthropic and readable for the others", async () => {
  const scene = await open(() => ({ text: "Oh" }));
  const messages: ModelMessage[] = [
    user("Look"),
    { role: "assistant", text: "", toolCalls: [{ callId: "c1", tool: "look", arguments: {} }], model: "other/model" },
    result("c1", "no such file", true),
  ];
  for (const protocol of protocols) await scene.ask({ models: [modelOf[protocol]], tools, messages });
  expect(scene.server.requests.map(({ toolOutputs }) => toolOutputs)).toEqual([
    ["no such file"],
    ["no such file"],
    ["no such file"],
  ]);
  expect(JSON.stringify(scene.server.requests[0]?.body)).toContain('"is_error":true');
});

test.each(protocols)("lost, stray and late tool results do not make the history invalid over %s", async (protocol) => {
  const scene = await open([{ text: "Fine" }]);
  const call = (callId: string) => ({ callId, tool: "look", arguments: {} });
  const messages: ModelMessage[] = [
    result("gone", "its call was summarised away"),
    { role: "assistant", text: "", toolCalls: [call("0"), call("1")], model: "ollama/a" },
    result("1", "late one"),
    user("hurry"),
    result("0", "late zero"),
    { role: "assistant", text: "", toolCalls: [], model: "ollama/a" },
    { role: "assistant", text: "", toolCalls: [call("0"), call("1")], model: "ollama/a" },
    result("0", "second zero"),
  ];
  await scene.ask({ models: [modelOf[protocol]], tools, messages });
  const body = scene.server.requests[0]?.body as Record<string, unknown>;
  const wire = JSON.stringify(body);
  expect(wire).not.toContain("summarised away");
  expect(wire).toContain("There is no result: the call was cut off.");
  expect(idPairs(protocol, body)).toEqual({ calls: ["0", "1", "0-2", "1-2"], results: ["0", "1", "0-2", "1-2"] });
});

function idPairs(protocol: Protocol, body: Record<string, unknown>): { calls: unknown[]; results: unknown[] } {
  const list = (body.messages ?? body.input) as Record<string, unknown>[];
  const parts = protocol === "anthropic" ? list.flatMap(({ content }) => content as Record<string, unknown>[]) : list;
  const chatCalls = list.flatMap(({ tool_calls }) => (tool_calls ?? []) as { id: string }[]);
  return {
    calls: [
      ...parts
        .filter(({ type }) => type === "tool_use" || type === "function_call")
        .map((part) => part.call_id ?? part.id),
      ...chatCalls.map(({ id }) => id),
    ],
    results: parts.flatMap(
      (part) => part.tool_use_id ?? part.tool_call_id ?? (part.type === "function_call_output" ? part.call_id : []),
    ),
  };
}
