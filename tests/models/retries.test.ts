import { afterEach, describe, expect, test } from "vitest";
import type { ModelEvent } from "../../src/contract/model.ts";
import type { FakeAnswer, FakeFault, Protocol } from "../fakes/model/model-answer.ts";
import { eventually } from "../scenes/eventually.ts";
import {
  finalOf,
  type ModelScene,
  modelOf,
  openModelScene,
  protocols,
  type SceneOptions,
  screenText,
} from "../scenes/models/model-scene.ts";

const scenes: ModelScene[] = [];
afterEach(async () => {
  await Promise.all(scenes.splice(0).map((scene) => scene.close()));
});

async function open(options: SceneOptions): Promise<ModelScene> {
  const scene = await openModelScene(options);
  scenes.push(scene);
  return scene;
}

const status = (code: number, more: Partial<FakeFault & { kind: "status" }> = {}): FakeAnswer => ({
  fault: { kind: "status", status: code, ...more },
});
const typesOf = (events: readonly ModelEvent[]) => events.map((event) => event.type);

describe.each(protocols)("over %s", (protocol) => {
  test.each([429, 500, 503, 529])("a %i is tried again after a growing wait and announced", async (code) => {
    const scene = await open({ protocol, answers: [status(code), status(code), { text: "Here" }] });
    const events = await scene.ask();
    expect(typesOf(events)).toEqual(["retry", "retry", "text", "final"]);
    expect(events[0]).toMatchObject({ type: "retry", attempt: 2, delayMs: 500, model: modelOf[protocol] });
    expect(events[1]).toMatchObject({ type: "retry", attempt: 3, delayMs: 1000 });
    expect(scene.waits).toEqual([500, 1000]);
    const reason = expect.stringContaining(String(code));
    const failure = { model: modelOf[protocol], reason, message: expect.stringContaining("Try again later") };
    expect(scene.failures).toMatchObject([
      { ...failure, attempt: 1 },
      { ...failure, attempt: 2 },
    ]);
  });

  test("the server's own wish for a wait is honoured, in seconds and as a date, up to a minute", async () => {
    const nowMs = Date.parse("2026-11-15T10:00:00Z");
    const scene = await open({
      protocol,
      nowMs: () => nowMs,
      answers: [
        status(429, { retryAfter: "7" }),
        status(503, { retryAfter: "Sun, 15 Nov 2026 10:00:12 GMT" }),
        status(429, { retryAfter: "3600" }),
        { text: "Here" },
      ],
    });
    await scene.ask();
    expect(scene.waits).toEqual([7000, 12_000, 60_000]);
  });

  const breaks: FakeFault[] = [
    { kind: "error event", afterPieces: 2 },
    { kind: "drop", afterPieces: 2 },
    { kind: "end", afterPieces: 2 },
    { kind: "garbled line", afterPieces: 2 },
  ];
  test.each(breaks)(
    "after $kind in mid-stream the shown text is taken back and the answer begins anew",
    async (fault) => {
      const scene = await open({ protocol, answers: [{ text: "It is five degrees", fault }, { text: "It is six" }] });
      const events = await scene.ask();
      expect(typesOf(events)).toEqual(["text", "text", "text_reset", "retry", "text", "text", "text", "final"]);
      expect([screenText(events), finalOf(events).text]).toEqual(["It is six", "It is six"]);
    },
  );

  test("an error event before any text is tried again without a reset", async () => {
    const fault = { kind: "error event", afterPieces: 0 } as const;
    const scene = await open({ protocol, answers: [{ text: "It is five", fault }, { text: "Six" }] });
    expect(typesOf(await scene.ask())).toEqual(["retry", "text", "final"]);
  });

  test("a silence inside an answer ends the attempt", async () => {
    const fault = { kind: "hang", afterPieces: 1 } as const;
    const settings = { idleTimeoutSeconds: 1 };
    const scene = await open({ protocol, settings, answers: [{ text: "It is five", fault }, { text: "Six" }] });
    const events = await scene.ask();
    expect(typesOf(events)).toEqual(["text", "text_reset", "retry", "text", "final"]);
    expect(events[2]).toMatchObject({ reason: expect.stringContaining("nothing came for 1 seconds") });
    await eventually(() => scene.server.requests[0]?.closedByClient);
  });

  test("a server that never answers is not waited for longer than the idle limit", async () => {
    const settings = { idleTimeoutSeconds: 1 };
    const scene = await open({ protocol, settings, answers: [{ fault: { kind: "silence" } }, { text: "Six" }] });
    expect(typesOf(await scene.ask())).toEqual(["retry", "text", "final"]);
  });

  test("an empty answer is tried once more and then taken as it is", async () => {
    const scene = await open({ protocol, answers: [{ text: "" }, { text: "" }, { text: "never asked for" }] });
    const events = await scene.ask();
    expect(typesOf(events)).toEqual(["retry", "final"]);
    expect([finalOf(events).text, scene.server.requests.length]).toEqual(["", 2]);
  });

  test.each([401, 403])("a %i is not tried again and says where the key is looked for", async (code) => {
    const scene = await open({
      protocol,
      answers: [status(code, { message: "bad key" }), { text: "never asked for" }],
    });
    const events = await scene.ask();
    expect(scene.server.requests.length).toBe(1);
    expect(events[0]).toMatchObject({
      type: "retry",
      model: "offline/rules",
      reason: expect.stringMatching(/refuses the key .*bad key.*_API_KEY/),
    });
    expect(scene.failures).toMatchObject([{ model: modelOf[protocol], kind: "credentials", attempt: 1 }]);
  });

  test("another 400 is not tried again and is never answered offline", async () => {
    const scene = await open({
      protocol,
      answers: [status(400, { message: "tools.0 is odd" }), { text: "never asked for" }],
    });
    const events = await scene.ask();
    expect(events).toEqual([
      { type: "unavailable", kind: "bad_request", message: expect.stringContaining("tools.0 is odd") },
    ]);
    expect([scene.server.requests.length, scene.offlineRequests.length]).toEqual([1, 0]);
  });

  const tooLong: Record<Protocol, Partial<FakeFault & { kind: "status" }>[]> = {
    anthropic: [
      { message: "prompt is too long: 210000 tokens > 200000 maximum" },
      { message: "input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000" },
    ],
    responses: [{ message: "Your input exceeds the context window of this model.", code: "context_length_exceeded" }],
    chat: [
      {
        message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      },
      { message: "the request exceeds the available context size, try increasing it" },
      {
        message:
          "Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens",
      },
      { message: "Context size has been exceeded" },
    ],
  };
  test.each(tooLong[protocol])("too long a conversation is recognised: $message", async (fault) => {
    const scene = await open({ protocol, answers: [status(400, fault)] });
    const events = await scene.ask({ models: [modelOf[protocol], modelOf.anthropic] });
    expect(events).toMatchObject([{ type: "unavailable", kind: "context_too_long" }]);
    expect(scene.offlineRequests).toEqual([]);
  });

  test("the next model is asked when all attempts have failed, and then the offline one", async () => {
    const scene = await open({ protocol, settings: { maxAttempts: 2 }, answers: () => status(500) });
    const next = protocol === "chat" ? modelOf.anthropic : modelOf.chat;
    const events = await scene.ask({ models: [modelOf[protocol], next] });
    const retries = events.flatMap((event) => (event.type === "retry" ? [[event.model, event.attempt]] : []));
    expect(retries).toEqual([
      [modelOf[protocol], 2],
      [next, 1],
      [next, 2],
      ["offline/rules", 1],
    ]);
    expect([finalOf(events).model, finalOf(events).costUsd]).toEqual(["offline/rules", 0]);
    expect(scene.server.requests.length).toBe(4);
  });

  test("a fallback that answers ends the search", async () => {
    const answers = [status(529), { text: "I stand in." }];
    const scene = await open({ protocol, settings: { maxAttempts: 1 }, answers });
    const next = protocol === "chat" ? modelOf.anthropic : modelOf.chat;
    const events = await scene.ask({ models: [modelOf[protocol], next] });
    expect(finalOf(events)).toMatchObject({ model: next, text: "I stand in." });
  });
});

test("a server that cannot be reached is tried as often as the setting says, then the offline model answers", async () => {
  const scene = await open({ protocol: "chat", settings: { maxAttempts: 3 }, answers: [] });
  await scene.server.close();
  const events = await scene.ask();
  expect(scene.waits.length).toBe(2);
  expect(events.at(-3)).toMatchObject({
    type: "retry",
    model: "offline/rules",
    reason: expect.stringContaining("ECONNREFUSED"),
  });
  expect(screenText(events)).toBe("I am the offline model.");
});

test("an account without credit is named as such and not hammered", async () => {
  const answers = [status(400, { message: "Your credit balance is too low to access the Anthropic API." })];
  const scene = await open({ protocol: "anthropic", answers });
  const events = await scene.ask();
  expect(events[0]).toMatchObject({
    type: "retry",
    model: "offline/rules",
    reason: expect.stringContaining("Add credit"),
  });
});

test("a model that the provider does not know leaves the turn to the fallback", async () => {
  const scene = await open({ answers: [status(404, { message: "model: claude-old" }), { text: "I stand in." }] });
  const events = await scene.ask({ models: ["anthropic/claude-old", modelOf.chat] });
  expect(finalOf(events).text).toBe("I stand in.");
});

test("an answer that takes longer than the whole limit is given up", async () => {
  const answers = [{ text: "a b c d e f g h", delayPerPieceMs: 300 }, { text: "Six" }];
  const scene = await open({ protocol: "anthropic", settings: { timeoutSeconds: 1 }, answers });
  const events = await scene.ask();
  expect(events.find((event) => event.type === "retry")).toMatchObject({
    reason: expect.stringContaining("longer than 1 seconds"),
  });
  expect(finalOf(events).text).toBe("Six");
});

test("keep-alive comments of a slow server do not count as silence", async () => {
  const answers = [{ text: "a b c d e", delayPerPieceMs: 400, oddities: { comments: true } }];
  const scene = await open({ protocol: "chat", settings: { idleTimeoutSeconds: 1 }, answers });
  expect(finalOf(await scene.ask()).text).toBe("a b c d e");
});

test("a key that the server repeats in its complaint does not get out", async () => {
  const scene = await open({ answers: [status(401, { message: "wrong key key-anthropic" })] });
  expect(JSON.stringify(await scene.ask())).not.toContain("key-anthropic");
});
