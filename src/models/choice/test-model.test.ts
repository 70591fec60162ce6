import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startFakeModelServer } from "../../../tests/fakes/model/fake-model-server.ts";
import { Settings } from "../../contract/settings.ts";
import { type ModelSetupDeps, openModelSetup } from "./model-setup.ts";

type Given = Partial<Omit<ModelSetupDeps, "settings" | "storedKeys">> & {
  settings?: unknown;
  storedKeys?: Record<string, string>;
};

function setup({ settings, storedKeys = {}, ...given }: Given = {}) {
  return openModelSetup({
    settings: async () => Settings.parse(settings ?? {}),
    storedKeys: async () => storedKeys,
    environment: {},
    fetch,
    nowMs: Date.now,
    redact: (text) => text,
    // ports that nobody listens on
    localPorts: { ollama: 1, lmstudio: 1, llamacpp: 1 },
    ...given,
  });
}

async function modelServer(answers: Parameters<typeof startFakeModelServer>[0]["answers"], models?: readonly string[]) {
  const server = await startFakeModelServer({ answers, ...(models && { models }) });
  onTestFinished(() => server.close());
  return server;
}

test("a model that answers is shown with its own words, asked once and shortly", async () => {
  const server = await modelServer(() => ({ text: "Hello there, nice to meet!" }));
  const tested = await setup().test({
    provider: "box",
    model: "box/llama",
    apiKey: " key-1\n",
    baseUrl: `${server.url}/v1`,
  });
  expect(tested).toMatchObject({ ok: true, text: "Hello there, nice to meet!" });
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]).toMatchObject({
    headers: { authorization: "Bearer key-1" },
    body: { model: "llama", max_tokens: 64, messages: [{ role: "user", content: "Say hello in five words." }] },
  });
});

test("a refused key is told in plain words, and the key is not in them", async () => {
  const { url } = await refusingServer(401, { error: { message: "The key sk-typed-1234 is not known." } });
  const choice = { provider: "openai", model: "openai/gpt-6.1-sol", apiKey: "sk-typed-1234", baseUrl: url };
  const { ok, text } = await setup().test(choice);
  expect({ ok, text }).toEqual({
    ok: false,
    text: "openai refuses the key (401: The key … is not known). Check the key and the account.",
  });
});

test("a server that is not there is told as such, with what to check", async () => {
  const { ok, text } = await setup().test({ provider: "ollama", model: "ollama/qwen3" });
  expect(ok).toBe(false);
  expect(text).toMatch(/nobody answers at the address of ollama.*Check the address, and that the server runs\.$/i);
});

test("a server that never answers is given up, and the answer says so", async () => {
  const server = createServer(() => {});
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const { ok, text } = await setup({ timeLimitMs: 100 }).test({ provider: "box", model: "box/llama", baseUrl });
  expect(ok).toBe(false);
  expect(text).toMatch(/^box did not give a whole answer \(.*0\.1 seconds\)/);
});

test("a key that is missing, and a model of somebody else, are told without asking anybody", async () => {
  const never: typeof fetch = () => expect.unreachable("nobody should be asked");
  const { test: tryModel } = setup({ fetch: never });
  const words = async (choice: Parameters<typeof tryModel>[0]) => (await tryModel(choice)).text;
  expect(await words({ provider: "anthropic", model: "anthropic/claude" })).toBe(
    "anthropic needs a key, and none is known yet.",
  );
  expect(await words({ provider: "openai", model: "anthropic/claude", apiKey: "k" })).toContain(
    "not a model of openai",
  );
  expect(await words({ provider: "box", model: "box/llama" })).toContain("Give the address of its server");
  expect(await words({ provider: "openai", model: "openai/x", apiKey: "a b" })).toContain("Copy it again");
});

test("a key that is known for one address is not sent to another", async () => {
  const server = await modelServer(() => ({ text: "Hi" }));
  const known = setup({ storedKeys: { openai: "sk-stored" }, environment: { BOX_API_KEY: "sk-box" } });
  expect(await known.test({ provider: "openai", model: "openai/x", baseUrl: `${server.url}/v1` })).toMatchObject({
    ok: false,
    text: "The key of openai is known for another address. Give it again for this one.",
  });
  await known.test({ provider: "box", model: "box/llama", baseUrl: `${server.url}/v1` });
  expect(JSON.stringify(server.requests)).not.toContain("sk-box");
  expect(server.requests).toHaveLength(1);
});

test("what the model says is masked like everything else that is shown", async () => {
  const server = await modelServer(() => ({ text: "My secret is hunter2." }));
  const { text } = await setup({ redact: (said) => said.replaceAll("hunter2", "***") }).test({
    provider: "box",
    model: "box/llama",
    baseUrl: `${server.url}/v1`,
  });
  expect(text).toBe("My secret is ***.");
});

test("the providers are those built in, those configured and those that run here, with where their keys come from", async () => {
  const server = await modelServer(() => ({ text: "" }), ["qwen3:8b"]);
  const settings = { models: { providers: { box: { kind: "openai-compatible", baseUrl: "http://10.0.0.2/v1" } } } };
  const providers = await setup({
    settings,
    storedKeys: { anthropic: "sk-a" },
    environment: { OPENROUTER_API_KEY: "sk-r" },
    localPorts: { ollama: server.port, lmstudio: 1, llamacpp: 1 },
  }).providers();
  expect(Object.fromEntries(providers.map((one) => [one.id, one]))).toMatchObject({
    anthropic: { name: "Anthropic", needsKey: true, keyFrom: "auth.json" },
    openai: { name: "OpenAI", needsKey: true },
    openrouter: { keyFrom: "OPENROUTER_API_KEY" },
    ollama: { name: "Ollama", needsKey: false, running: true, models: ["ollama/qwen3:8b"] },
    lmstudio: { name: "LM Studio", running: false, models: [] },
    box: { name: "box", needsKey: false, models: [] },
  });
  expect(providers.find(({ id }) => id === "openai")).not.toHaveProperty("keyFrom");
  expect(JSON.stringify(providers)).not.toMatch(/sk-/);
});

test("a choice becomes the settings that make it", async () => {
  const { plan } = setup({ storedKeys: { anthropic: "sk" } });
  expect(await plan({ provider: "anthropic", model: "anthropic/claude" })).toEqual({
    ok: true,
    changes: [{ key: "agent.model", value: "anthropic/claude" }],
  });
  expect(await plan({ provider: "box", model: "box/llama", baseUrl: "http://127.0.0.1:9/v1" })).toEqual({
    ok: true,
    changes: [
      { key: "agent.model", value: "box/llama" },
      { key: "models.providers.box", value: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:9/v1" } },
    ],
  });
});

async function refusingServer(status: number, body: unknown): Promise<{ url: string }> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}
