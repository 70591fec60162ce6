import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { expect, test } from "vitest";
import { readEvents } from "../../fakes/event-source.ts";
import { openRestScene, type RestScene } from "../../scenes/gateway/rest-scene.ts";
import { scriptedModel } from "../../scenes/scripted-model.ts";
import { testTool } from "../../scenes/tools.ts";

type Completion = {
  id: string;
  model: string;
  choices: { message: { role: string; content: string }; finish_reason: string }[];
  usage: { total_tokens: number };
};

const path = "/v1/chat/completions";
const user = (content: unknown) => ({ role: "user", content });
const asksFirst = () => ({
  model: scriptedModel([
    { text: "One moment.", calls: [{ tool: "note", arguments: { value: "milk" } }] },
    { text: "Noted it." },
  ]),
  tools: [testTool({ effects: ["changes"], class: "unsafe" })],
});

function clientOf(scene: RestScene, headers: Record<string, string> = {}) {
  const provider = createOpenAICompatible({
    name: "steward",
    baseURL: `${scene.address}/v1`,
    apiKey: scene.token,
    includeUsage: true,
    headers,
  });
  return provider.chatModel("steward");
}
const prompt = (text: string) => [{ role: "user" as const, content: [{ type: "text" as const, text }] }];

test("a client library for OpenAI's language gets Steward's answer whole", async () => {
  const scene = await openRestScene({ model: scriptedModel([{ text: "Good day." }]) });
  const { content, finishReason, usage } = await clientOf(scene).doGenerate({ prompt: prompt("Hello") });
  expect(content).toEqual([{ type: "text", text: "Good day." }]);
  expect(finishReason).toMatchObject({ unified: "stop" });
  expect([usage.inputTokens.total, usage.outputTokens.total]).toEqual([10, 5]);
});

test("the same library gets it as a stream, with the tools used in between and the usage at the end", async () => {
  const tool = testTool({});
  const scene = await openRestScene({
    model: scriptedModel([
      { text: "I look.", calls: [{ tool: "note", arguments: { value: "a" } }] },
      { text: "Here it is." },
    ]),
    tools: [tool],
  });
  const { stream } = await clientOf(scene).doStream({ prompt: prompt("Look it up") });
  const parts = [];
  for await (const part of stream) parts.push(part);
  const text = parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : [])).join("");
  expect(text).toBe("I look.\n\nHere it is.");
  expect(tool.runs).toEqual(["a"]);
  expect(parts.find((part) => part.type === "finish")).toMatchObject({
    finishReason: { unified: "stop" },
    usage: { inputTokens: { total: 20 }, outputTokens: { total: 10 } },
  });
});

test("the library shows Steward's own words when a request is refused", async () => {
  const scene = await openRestScene({ model: scriptedModel([{ text: "x" }]) });
  const provider = createOpenAICompatible({ name: "s", baseURL: `${scene.address}/v1`, apiKey: scene.token });
  await expect(provider.chatModel("gpt-4o").doGenerate({ prompt: prompt("Hi") })).rejects.toThrow(
    'There is no model gpt-4o. Ask for "steward"',
  );
});

test("the chunks of a stream begin with the role, end with a reason and [DONE]", async () => {
  const scene = await openRestScene({ model: scriptedModel([{ text: "Good day." }]) });
  const body = { model: "steward", stream: true, messages: [user("Hello")] };
  const response = await scene.request(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  expect(response.headers.get("x-steward-session")).toMatch(/^api--/);
  const reader = readEvents(response);
  await reader.ended;
  const chunks = reader.events.slice(0, -1).map(({ data }) => data as { object: string; choices: readonly object[] });
  expect(reader.events.at(-1)?.data).toBe("[DONE]");
  expect(chunks.map(({ choices }) => choices[0])).toMatchObject([
    { delta: { role: "assistant", content: "" }, finish_reason: null },
    { delta: { content: "Good day." }, finish_reason: null },
    { delta: {}, finish_reason: "stop" },
  ]);
  expect(chunks.every(({ object }) => object === "chat.completion.chunk")).toBe(true);
});

test("a new conversation is told what was said before, a known one is not told twice", async () => {
  const model = scriptedModel([{ text: "Yes." }]);
  const scene = await openRestScene({ model });
  const headers = { "x-steward-session": "notes" };
  const earlier = [
    { role: "system", content: "Be brief." },
    user("My cat is Mia."),
    { role: "assistant", content: "Noted." },
  ];
  const first = await scene.send("POST", path, { messages: [...earlier, user("What is she called?")] }, { headers });
  expect(first.headers.get("x-steward-session")).toBe("api--notes");
  await scene.send("POST", path, { messages: [...earlier, user("Sure?")] }, { headers });
  const said = (await scene.until("message.received", 2)).map((event) => event.text);
  expect(said[0]).toContain("Instructions: Be brief.\n\nUser: My cat is Mia.\n\nAssistant: Noted.");
  expect(said[0]?.endsWith("What is she called?")).toBe(true);
  expect(said[1]).toBe("Sure?");
});

test("without a name every request has a conversation of its own", async () => {
  const scene = await openRestScene({ model: scriptedModel([{ text: "Yes." }]) });
  const ask = () => scene.send("POST", path, { messages: [user("Hello")] });
  const sessions = [(await ask()).headers.get("x-steward-session"), (await ask()).headers.get("x-steward-session")];
  expect(new Set(sessions).size).toBe(2);
});

test("a repeated Idempotency-Key gets the same answer, and the turn is run once", async () => {
  const model = scriptedModel([{ text: "Once." }, { text: "Twice." }]);
  const scene = await openRestScene({ model });
  const ask = () => scene.send("POST", path, { messages: [user("Do it")] }, { headers: { "idempotency-key": "k1" } });
  const [first, second] = [(await ask()).body as Completion, (await ask()).body as Completion];
  expect([second.id, second.choices[0]?.message.content]).toEqual([first.id, "Once."]);
  expect(model.requests.length).toBe(1);
});

test("a turn that waits for a person says what it wants and how to answer, and then goes on without the client", async () => {
  const scene = await openRestScene(asksFirst());
  const key = { headers: { "idempotency-key": "k2" } };
  const asked = await scene.send("POST", path, { messages: [user("note milk")] }, key);
  const [choice] = (asked.body as Completion).choices;
  expect(choice?.finish_reason).toBe("stop");
  expect(choice?.message.content).toContain("note milk");
  const [, answerPath] = /POST (\/api\/approvals\/\S+)/.exec(choice?.message.content ?? "") ?? [];
  expect((await scene.send("POST", answerPath ?? "", { decision: "approved" })).status).toBe(200);
  await scene.until("turn.finished");
  const again = await scene.send("POST", path, { messages: [user("note milk")] }, key);
  expect((again.body as Completion).choices[0]?.message.content).toBe("Noted it.");
});

test("a stream that waits for a person ends with the question", async () => {
  const scene = await openRestScene(asksFirst());
  const { stream } = await clientOf(scene).doStream({ prompt: prompt("note milk") });
  let text = "";
  for await (const part of stream) if (part.type === "text-delta") text += part.delta;
  expect(text).toMatch(
    /^One moment\.\n\nI need your permission.*\n```text\nnote milk\n```\n.*POST \/api\/approvals\//s,
  );
});

test("a client that goes away does not take the turn with it", async () => {
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  const model = scriptedModel([{ text: "All the same." }]);
  const slow = {
    ...model,
    async *stream(request: Parameters<typeof model.stream>[0]) {
      await mayAnswer;
      yield* model.stream(request);
    },
  };
  const scene = await openRestScene({ model: slow });
  const gone = new AbortController();
  const asked = scene.send("POST", path, { messages: [user("Hello")] }, { signal: gone.signal });
  await scene.until("turn.started");
  gone.abort();
  await expect(asked).rejects.toThrow();
  answer();
  expect((await scene.until("reply.written"))[0]?.text).toBe("All the same.");
  expect(scene.troubles).toEqual([]);
});

test("a turn that fails is an error that no client repeats by itself", async () => {
  const scene = await openRestScene({ model: scriptedModel([{ unavailable: "network", message: "Nobody answers." }]) });
  const failed = await scene.send("POST", path, { messages: [user("Hello")] });
  expect(failed).toMatchObject({
    status: 424,
    body: { error: { message: "Nobody answers.", type: "server_error", param: null, code: "unavailable" } },
  });
  expect(failed.headers.get("x-should-retry")).toBe("false");
  const { stream } = await clientOf(scene).doStream({ prompt: prompt("Hello") });
  const parts = [];
  for await (const part of stream) parts.push(part);
  expect(JSON.stringify(parts)).toContain("Nobody answers.");
});

test("whoever waits for a message that is taken back before its turn is told so", async () => {
  const scene = await openRestScene({
    model: scriptedModel([{ hangsAfter: "Let me" }]),
    settings: { queue: { whenBusy: "wait" } },
  });
  await scene.say("think", "api--one");
  await scene.until("turn.started");
  const headers = { "x-steward-session": "api--one" };
  const waiting = scene.send("POST", path, { messages: [user("me too")] }, { headers });
  const [, second] = await scene.until("message.received", 2);
  expect(await scene.call("chat.abort", { runId: second?.messageId })).toEqual({ ok: true });
  expect(await waiting).toMatchObject({ status: 424, body: { error: { code: "cancelled" } } });
});

test("a picture goes along as a data URL, and nothing is fetched", async () => {
  const scene = await openRestScene({ model: scriptedModel([{ text: "A cat." }]) });
  const image = (url: string) => [
    { type: "text", text: "What is it?" },
    { type: "image_url", image_url: { url } },
  ];
  const png = Buffer.from("png bytes").toString("base64");
  const seen = await scene.send("POST", path, { messages: [user(image(`data:image/png;base64,${png}`))] });
  expect(seen.status).toBe(200);
  const [message] = await scene.until("message.received");
  expect(message?.attachments).toMatchObject([{ mediaType: "image/png", bytes: 9 }]);
  const remote = await scene.send("POST", path, { messages: [user(image("https://example.com/cat.png"))] });
  expect(remote).toMatchObject({
    status: 400,
    body: { error: { type: "invalid_request_error", param: "messages.0.content" } },
  });
});

test("what cannot be done is refused in OpenAI's own shape, and what is unknown is read past", async () => {
  const scene = await openRestScene({ model: scriptedModel([{ text: "Yes." }]) });
  const ask = async (body: object) => (await scene.send("POST", path, body)) as { status: number; body: Completion };
  const messages = [user("Hi")];
  const bad = [
    { messages, n: 2 },
    { messages: [] },
    { messages: [{ role: "assistant", content: "x" }] },
    { messages: [{ role: "nobody", content: "x" }] },
    { messages: [user("  ")] },
    { messages: [user([{ type: "input_audio", input_audio: {} }])] },
    [],
  ];
  for (const body of bad) {
    const refused = await ask(body);
    expect([refused.status, Object.keys((refused.body as unknown as { error: object }).error).sort()]).toEqual([
      400,
      ["code", "message", "param", "type"],
    ]);
  }
  const fine = await ask({
    messages,
    n: 1,
    temperature: 0.2,
    tools: [],
    user: "me",
    metadata: { a: 1 },
    model: "scripted/one",
  });
  expect([fine.status, fine.body.model]).toEqual([200, "scripted/one"]);
  const { token } = await scene.tokenFor("read");
  const headers = { authorization: `Bearer ${token}` };
  expect((await scene.send("POST", path, { messages }, { headers })).status).toBe(403);
});

test("the models are listed, Steward itself first", async () => {
  const scene = await openRestScene({ model: scriptedModel([{ text: "Yes." }]) });
  const { body } = await scene.send("GET", "/v1/models");
  expect(body).toMatchObject({
    object: "list",
    data: [
      { id: "steward", object: "model", owned_by: "steward" },
      { id: "scripted/one", owned_by: "scripted" },
    ],
  });
});
