import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import type { ModelEvent } from "../../src/contract/model.ts";
import { Settings } from "../../src/contract/settings.ts";
import { type ModelsDeps, openModels } from "../../src/models/open-models.ts";
import { startFakeModelServer } from "../fakes/model/fake-model-server.ts";
import { collect, finalOf, makeRequest } from "../scenes/models/model-scene.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

type Given = Partial<Omit<ModelsDeps, "settings">> & { settings?: Record<string, unknown> };

function open(given: Given = {}) {
  const answered: string[] = [];
  const models = openModels({
    environment: {},
    storedKeys: {},
    offline: {
      name: "offline/rules",
      async *stream(): AsyncIterable<ModelEvent> {
        answered.push("offline");
        const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
        yield { type: "final", model: "offline/rules", text: "offline", toolCalls: [], finish: "stop", usage };
      },
    },
    fetch,
    sleep: async () => {},
    nowMs: Date.now,
    random: () => 1,
    // ports that nobody listens on
    localPorts: { ollama: 1, lmstudio: 1, llamacpp: 1 },
    ...given,
    settings: Settings.parse(given.settings ?? {}),
  });
  return { models, answered };
}

async function startServer(names: readonly string[]) {
  const server = await startFakeModelServer({ answers: () => ({ text: "Hi" }), models: names });
  closers.push(() => server.close());
  return server;
}

const namesOf = (choices: readonly { name: string }[]) => choices.map(({ name }) => name);

test("with nothing at all the offline model is chosen", async () => {
  const [choice] = await open().models.choose(undefined);
  expect(choice).toMatchObject({ name: "offline/rules", source: "built in" });
});

test("a wish comes first, the fallbacks after it, none twice", async () => {
  const settings = { agent: { model: "openai/gpt-5.5", fallbackModels: ["openai/gpt-5.4", "ollama/qwen3"] } };
  const choices = await open({ settings }).models.choose("openai/gpt-5.4");
  expect(namesOf(choices)).toEqual(["openai/gpt-5.4", "ollama/qwen3"]);
});

test("without a wish the setting decides", async () => {
  const settings = { agent: { model: "openai/gpt-5.5", fallbackModels: ["ollama/qwen3"] } };
  const choices = await open({ settings, storedKeys: { anthropic: "k" } }).models.choose(undefined);
  expect(namesOf(choices)).toEqual(["openai/gpt-5.5", "ollama/qwen3"]);
});

test.each([
  [{ ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "b" }, "anthropic/claude-sonnet-5-5"],
  [{ OPENAI_API_KEY: "b", OPENROUTER_API_KEY: "c" }, "openai/gpt-6.1-sol"],
  [{ OPENROUTER_API_KEY: "c" }, "openrouter/anthropic/claude-sonnet-5.5"],
  [{ OPENAI_API_KEY: "  " }, "offline/rules"],
])("a key in the environment is enough: %o", async (environment, name) => {
  expect(namesOf(await open({ environment }).models.choose(undefined))).toEqual([name]);
});

test("a local server's first model that can talk is taken when there is no key", async () => {
  const server = await startServer(["nomic-embed-text", "qwen3:8b", "llama4"]);
  const { models } = open({ localPorts: { ollama: server.port, lmstudio: 1, llamacpp: 1 } });
  const choices = await models.choose(undefined);
  expect(choices).toMatchObject([{ name: "ollama/qwen3:8b", source: "local server" }]);
  const events = await collect(models.stream(makeRequest("chat", { models: namesOf(choices) })));
  expect(finalOf(events)).toMatchObject({ model: "ollama/qwen3:8b", text: "Hi", costUsd: 0 });
});

test("LM Studio and llama.cpp are found too, and everything that could answer is listed", async () => {
  const [studio, llama] = [await startServer(["gemma-4"]), await startServer(["model.gguf"])];
  const localPorts = { ollama: 1, lmstudio: studio.port, llamacpp: llama.port };
  const { models } = open({ localPorts, storedKeys: { anthropic: "k" } });
  expect(namesOf(await models.list())).toEqual([
    "anthropic/claude-sonnet-5-5",
    "anthropic/claude-opus-5-5",
    "anthropic/claude-haiku-5-5",
    "lmstudio/gemma-4",
    "llamacpp/model.gguf",
    "offline/rules",
  ]);
});

test("local servers are asked at the first need, once a minute, and not at all when the setting says so", async () => {
  const asked: string[] = [];
  let nowMs = 0;
  const fetchNothing = async (url: string | URL | Request) => {
    asked.push(String(url));
    throw new TypeError("fetch failed");
  };
  const { models } = open({ fetch: fetchNothing, nowMs: () => nowMs });
  expect(asked.length).toBe(0);
  await Promise.all([models.choose(undefined), models.list()]);
  nowMs = 59_000;
  await models.choose(undefined);
  expect(asked.length).toBe(3);
  nowMs = 60_000;
  await models.choose(undefined);
  expect(asked.length).toBe(6);
  const silent = open({ fetch: fetchNothing, settings: { models: { probeLocal: false } } });
  await silent.models.choose(undefined);
  expect(asked.length).toBe(6);
});

test("a program on the port that never answers does not hold up the choice", async () => {
  const mute = createServer(() => {});
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  closers.push(async () => {
    mute.closeAllConnections();
    await new Promise((resolve) => mute.close(resolve));
  });
  const { port } = mute.address() as AddressInfo;
  const choices = await open({ localPorts: { ollama: port, lmstudio: port, llamacpp: port } }).models.choose(undefined);
  expect(namesOf(choices)).toEqual(["offline/rules"]);
});

test("a missing key is told with the name of the variable, and the offline model answers", async () => {
  const { models, answered } = open();
  const events = await collect(models.stream(makeRequest("anthropic")));
  const reason = 'There is no key for anthropic. Set ANTHROPIC_API_KEY, or put the key under "anthropic" in auth.json.';
  expect(events[0]).toEqual({ type: "retry", attempt: 1, delayMs: 0, reason, model: "offline/rules" });
  expect(answered).toEqual(["offline"]);
});

test("an unknown provider is told with the names of the known ones", async () => {
  const events = await collect(open().models.stream(makeRequest("chat", { models: ["antropic/claude"] })));
  expect(events[0]).toMatchObject({
    type: "retry",
    reason: expect.stringMatching(/antropic\/claude.*anthropic, openai, openrouter, ollama.*config\.json/),
  });
});

test("a key with a line end inside is told instead of sent", async () => {
  const { models } = open({ storedKeys: { anthropic: "sk-\n123" } });
  const events = await collect(models.stream(makeRequest("anthropic")));
  expect(events[0]).toMatchObject({
    type: "retry",
    reason: expect.stringContaining("Copy it again into ANTHROPIC_API_KEY"),
  });
});

test("a stored key wins over the environment", async () => {
  const server = await startServer([]);
  const environment = { ANTHROPIC_API_KEY: "from environment", ANTHROPIC_BASE_URL: server.url };
  const { models } = open({ environment, storedKeys: { anthropic: "stored" } });
  await collect(models.stream(makeRequest("anthropic")));
  expect(server.requests[0]?.headers["x-api-key"]).toBe("stored");
});

test("a provider from the settings is asked at its address with its own variable's key and its own limits", async () => {
  const server = await startServer([]);
  const providers = {
    work: {
      kind: "openai-compatible",
      baseUrl: `${server.url}/v1`,
      apiKeyEnv: "WORK_KEY",
      contextTokens: 32_000,
      maxOutputTokens: 500,
    },
  };
  const { models } = open({ settings: { models: { providers } }, environment: { WORK_KEY: "w" } });
  const [choice] = await models.choose("work/big/model");
  expect(choice).toMatchObject({ name: "work/big/model", contextTokens: 32_000, maxOutputTokens: 500 });
  await collect(models.stream(makeRequest("chat", { models: ["work/big/model"], maxOutputTokens: 8000 })));
  expect(server.requests[0]).toMatchObject({
    headers: { authorization: "Bearer w" },
    body: { model: "big/model", max_tokens: 500 },
  });
});

test("a price from the settings wins, and an unknown price stays unknown", async () => {
  const server = await startServer([]);
  const prices = { "openai/gpt-6.1-sol": { input: 100, output: 0 } };
  const { models } = open({
    settings: { models: { prices } },
    storedKeys: { openai: "k" },
    environment: { OPENAI_BASE_URL: `${server.url}/v1` },
  });
  const costs = await Promise.all(
    ["openai/gpt-6.1-sol", "openai/brand-new"].map(async (name) => {
      const final = finalOf(await collect(models.stream(makeRequest("responses", { models: [name] }))));
      return [final.costUsd, final.usage.inputTokens / 10_000];
    }),
  );
  expect(costs[0]?.[0]).toBeCloseTo(costs[0]?.[1] ?? 0, 10);
  expect(costs[1]?.[0]).toBeUndefined();
});

test("opening the models and choosing the offline one loads none of the providers' packages", async () => {
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ resolve(name, context, next) { const found = next(name, context); if (found.url.includes("@ai-sdk")) loaded.push(name); return found; } });
    const { openModels } = await import(${JSON.stringify(new URL("../../src/models/open-models.ts", import.meta.url).href)});
    const { Settings } = await import(${JSON.stringify(new URL("../../src/contract/settings.ts", import.meta.url).href)});
    const models = openModels({ settings: Settings.parse({ models: { probeLocal: false } }), environment: {}, storedKeys: {}, offline: { name: "offline/rules" }, fetch, nowMs: Date.now });
    const [choice] = await models.choose(undefined);
    console.log(JSON.stringify([choice.name, loaded]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  expect(JSON.parse(stdout)).toEqual(["offline/rules", []]);
});
