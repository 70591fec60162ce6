import { describe, expect, test } from "vitest";
import type { ModelMessage, ModelRequest, ThinkingLevel } from "../../src/contract/model.ts";
import type { FakeAnswer, FakeRequest, Protocol } from "../fakes/model/model-answer.ts";
import { finalOf, openModelScene, protocols, screenText } from "../scenes/models/model-scene.ts";

const tools = [
  {
    name: "read_file",
    description: "Reads a file.",
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
  },
  { name: "list", description: "Lists files.", inputSchema: { type: "object", properties: {} } },
];
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47]);
const pngText = Buffer.from(png).toString("base64");

async function askOnce(protocol: Protocol, answer: FakeAnswer, request: Partial<ModelRequest> = {}) {
  const scene = await openModelScene({ protocol, answers: [answer] });
  const events = await scene.ask(request);
  await scene.close();
  return { events, sent: scene.server.requests[0] as FakeRequest };
}

describe.each(protocols)("over %s", (protocol) => {
  test("the text arrives in pieces and whole at the end, with what it cost", async () => {
    const usage = { input: 1000, output: 100 };
    const { events } = await askOnce(protocol, { text: "It is five degrees.", usage });
    expect(events.filter((event) => event.type === "text").length).toBe(4);
    expect(screenText(events)).toBe("It is five degrees.");
    expect(finalOf(events)).toMatchObject({
      text: "It is five degrees.",
      finish: "stop",
      toolCalls: [],
      usage: { inputTokens: 1000, outputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0 },
      costUsd: protocol === "chat" ? 0 : (1000 * 2 + 100 * 10) / 1_000_000,
    });
  });

  test("thoughts are shown apart from the text", async () => {
    const { events } = await askOnce(protocol, { reasoning: "first this", text: "Yes" }, { thinking: "low" });
    const thoughts = events.flatMap((event) => (event.type === "reasoning" ? [event.delta] : [])).join("");
    expect([thoughts, finalOf(events).reasoning, finalOf(events).text]).toEqual(["first this", "first this", "Yes"]);
  });

  test("several tool calls in one step come complete, and text before them is kept", async () => {
    const toolCalls = [
      { id: "call_a", name: "read_file", arguments: { path: "a.txt" } },
      { id: "call_b", name: "list", arguments: {} },
    ];
    const { events } = await askOnce(protocol, { text: "Let me look.", toolCalls }, { tools });
    const expected = [
      { callId: "call_a", tool: "read_file", arguments: { path: "a.txt" } },
      { callId: "call_b", tool: "list", arguments: {} },
    ];
    expect(events.flatMap((event) => (event.type === "tool_call" ? [event.call] : []))).toEqual(expected);
    expect(finalOf(events)).toMatchObject({ text: "Let me look.", toolCalls: expected, finish: "tool_calls" });
  });

  test("arguments that are not JSON are handed on as the model wrote them", async () => {
    const { events } = await askOnce(
      protocol,
      { toolCalls: [{ id: "c1", name: "list", arguments: '{"path": ' }] },
      { tools },
    );
    expect(finalOf(events).toolCalls).toEqual([{ callId: "c1", tool: "list", arguments: {}, malformed: '{"path": ' }]);
  });

  test("arguments nested beyond all measure count as broken, since nobody could walk through them", async () => {
    const deep = `{"path": ${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
    const { events } = await askOnce(protocol, { toolCalls: [{ id: "c1", name: "list", arguments: deep }] }, { tools });
    const [call] = finalOf(events).toolCalls;
    expect(call).toMatchObject({ tool: "list", arguments: {}, malformed: deep });
  });

  test("calls that share an id get ids of their own, also against earlier steps", async () => {
    const call = { id: "same", name: "list", arguments: {} };
    const messages: ModelMessage[] = [
      { role: "user", content: [{ type: "text", text: "Hi" }] },
      {
        role: "assistant",
        text: "",
        toolCalls: [{ callId: "same", tool: "list", arguments: {} }],
        model: "other/model",
      },
      { role: "tool", callId: "same", tool: "list", failed: false, output: "a", images: [] },
    ];
    const { events } = await askOnce(protocol, { toolCalls: [call, call] }, { tools, messages });
    const ids = finalOf(events).toolCalls.map(({ callId }) => callId);
    expect(new Set([...ids, "same"]).size).toBe(3);
  });

  test("an answer cut off by the output limit says so", async () => {
    const { events } = await askOnce(protocol, { text: "It is", finish: "length" });
    expect(finalOf(events)).toMatchObject({ text: "It is", finish: "length" });
  });

  test("a refusal is told apart from an answer", async () => {
    const { events } = await askOnce(protocol, { text: "I will not.", finish: "refused" });
    expect(finalOf(events).finish).toBe("refused");
  });

  test("the output limit, the tools and the stream are always asked for", async () => {
    const { sent } = await askOnce(protocol, { text: "Yes" }, { tools, maxOutputTokens: 777 });
    const limit = sent.body.max_tokens ?? sent.body.max_output_tokens;
    expect([limit, sent.body.stream, (sent.body.tools as unknown[]).length]).toEqual([777, true, 2]);
  });

  test("an image from a person reaches the model", async () => {
    const content = [
      { type: "text", text: "What is this?" },
      { type: "image", mediaType: "image/png", data: png },
    ] as const;
    const { sent } = await askOnce(protocol, { text: "A dot" }, { messages: [{ role: "user", content }] });
    const wire = JSON.stringify(sent.body);
    const shapes = {
      anthropic: `"media_type":"image/png","data":"${pngText}"`,
      responses: "input_image",
      chat: "image_url",
    };
    expect(wire).toContain(shapes[protocol]);
    expect(wire).toContain(pngText);
  });

  test("text files are read out, and what the model cannot read is at least named", async () => {
    const content = [
      { type: "file", mediaType: "text/csv", name: "sums.csv", data: Buffer.from("a,1\nb,2") },
      { type: "file", mediaType: "application/zip", name: "old.zip", data: new Uint8Array(12) },
    ] as const;
    const { sent } = await askOnce(protocol, { text: "Yes" }, { messages: [{ role: "user", content }] });
    expect(sent.lastUserText).toContain('<file name="sums.csv">\na,1\nb,2\n</file>');
    expect(sent.lastUserText).toContain("old.zip (application/zip, 12 bytes)");
  });

  test("half a character at the edge of a text does not make the request invalid", async () => {
    const messages: ModelMessage[] = [{ role: "user", content: [{ type: "text", text: "cut \ud83d" }] }];
    const { sent } = await askOnce(protocol, { text: "Yes" }, { messages });
    expect(sent.lastUserText).toBe("cut \ufffd");
  });
});

test("a PDF goes to the providers that read it and is named to a local model", async () => {
  const file = { type: "file", mediaType: "application/pdf", name: "bill.pdf", data: Buffer.from("%PDF-1.7") } as const;
  const messages: ModelMessage[] = [{ role: "user", content: [{ type: "text", text: "Read" }, file] }];
  const wires = await Promise.all(
    protocols.map(async (protocol) =>
      JSON.stringify((await askOnce(protocol, { text: "Yes" }, { messages })).sent.body),
    ),
  );
  const data = Buffer.from("%PDF-1.7").toString("base64");
  expect(wires.map((wire) => wire.includes(data))).toEqual([true, true, false]);
  expect(wires[2]).toContain("bill.pdf");
});

const levels: ThinkingLevel[] = ["off", "low", "medium", "high", "max"];

test("every thinking level becomes what the provider calls it", async () => {
  const wishes = await Promise.all(
    protocols.map((protocol) =>
      Promise.all(
        levels.map(async (thinking) => {
          const { body } = (await askOnce(protocol, { text: "Yes" }, { thinking })).sent;
          return {
            thinking: body.thinking,
            output_config: body.output_config,
            reasoning: body.reasoning,
            effort: body.reasoning_effort,
          };
        }),
      ),
    ),
  );
  const adaptive = { type: "adaptive", display: "summarized" };
  const summary = "auto";
  expect(wishes).toEqual([
    [
      { thinking: { type: "between_tools" } },
      { thinking: adaptive, output_config: { effort: "low" } },
      { thinking: adaptive, output_config: { effort: "medium" } },
      { thinking: adaptive, output_config: { effort: "high" } },
      { thinking: adaptive, output_config: { effort: "max" } },
    ],
    // this model cannot think less than low
    ["low", "low", "medium", "high", "max"].map((effort, at) => ({
      reasoning: at === 0 ? { effort } : { effort, summary },
    })),
    [{ effort: "none" }, { effort: "low" }, { effort: "medium" }, { effort: "high" }, { effort: "high" }],
  ]);
});

test("a model that is asked to think has room for thoughts and answer", async () => {
  const { sent } = await askOnce("anthropic", { text: "Yes" }, { thinking: "max", maxOutputTokens: 1000 });
  expect(sent.body.max_tokens).toBe(1000 + 32_768);
});

test("OpenAI keeps nothing of the conversation", async () => {
  const { sent } = await askOnce("responses", { text: "Yes" });
  expect(sent.body).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
});

test("Anthropic is asked to cache tools, stable system text, and the ends of the last and of this request", async () => {
  const messages: ModelMessage[] = [
    { role: "user", content: [{ type: "text", text: "first" }] },
    { role: "assistant", text: "second", toolCalls: [], model: "anthropic/claude-sonnet-5-5" },
    { role: "user", content: [{ type: "text", text: "third" }] },
  ];
  const system = [
    { text: "who you are", stable: true },
    { text: "what you may do", stable: true },
    { text: "what time it is", stable: false },
  ];
  const { sent } = await askOnce("anthropic", { text: "Yes" }, { tools, messages, system });
  const marked: string[] = [];
  JSON.stringify(sent.body, (_, value) => {
    if (value?.cache_control) marked.push(value.name ?? value.text);
    return value;
  });
  expect(marked.sort()).toEqual(["first", "list", "third", "what you may do"]);
});

test("tokens read from and written to the cache are counted and priced as such", async () => {
  const usage = { input: 100, output: 10, cacheRead: 1000, cacheWrite: 200 };
  const { events } = await askOnce("anthropic", { text: "Yes", usage });
  expect(finalOf(events).usage).toEqual({
    inputTokens: 1300,
    outputTokens: 10,
    cacheReadTokens: 1000,
    cacheWriteTokens: 200,
  });
  expect(finalOf(events).costUsd).toBeCloseTo((100 * 2 + 1000 * 0.2 + 200 * 2.5 + 10 * 10) / 1_000_000, 12);
});

test("each provider gets its own key and no other", async () => {
  const headers = await Promise.all(
    protocols.map(async (protocol) => (await askOnce(protocol, { text: "Yes" })).sent.headers),
  );
  expect([headers[0]?.["x-api-key"], headers[1]?.authorization]).toEqual(["key-anthropic", "Bearer key-openai"]);
  expect(JSON.stringify(headers[2])).not.toContain("key-");
});
