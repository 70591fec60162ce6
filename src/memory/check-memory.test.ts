import { expect, test } from "vitest";
import { Settings } from "../contract/settings.ts";
import { checkMemory } from "./check-memory.ts";

const look = (memory: unknown) =>
  checkMemory({ settings: Settings.parse({ memory }), environment: {}, storedKeys: {} });

test("the built-in table and a memory that is switched off are well", async () => {
  expect(await look({})).toEqual([{ ok: true, name: "memory", detail: "built-in meaning search" }]);
  expect(await look({ enabled: false })).toMatchObject([{ ok: true, detail: "switched off (memory.enabled)" }]);
});

test.each([
  ["a server that does not answer", { provider: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1", model: "m" }],
  ["a model that is not there", { provider: "node-llama-cpp", modelPath: "/nowhere/model.gguf" }],
])("%s is told, with what to do", async (_, embedder) => {
  const [finding] = await look({ embedder });
  expect(finding).toMatchObject({ ok: false, next: expect.stringContaining("builtin") });
  expect(finding?.detail).not.toBe("");
});
