import { expect, test } from "vitest";
import type { EmbedderSettings } from "../../../contract/memory/memory-settings.ts";
import { findServer } from "./find-server.ts";

const settings: EmbedderSettings = {
  ...{ provider: "openai-compatible", model: null, baseUrl: null, apiKeyEnv: null, modelPath: null },
};
const openAiKeys = { environment: { OPENAI_API_KEY: "from-the-environment" }, storedKeys: { openai: "kept" } };
const noKeys = { environment: {}, storedKeys: {} };
const ollama = "http://127.0.0.1:11434/v1";

test("without an address it is OpenAI, with the key that Steward keeps before that of the environment", () => {
  const expected = { url: "https://api.openai.com/v1/embeddings", host: "OpenAI", model: "text-embedding-3-small" };
  expect(findServer(settings, openAiKeys)).toMatchObject({ ...expected, key: "kept", isLocal: false });
  expect(findServer(settings, { ...openAiKeys, storedKeys: {} }).key).toBe("from-the-environment");
});

test.each([
  ollama,
  "https://api.openai.com.example.org/v1",
  "https://example.org/api.openai.com/v1",
  "http://api.openai.com/v1",
  "https://api.openai.com:8443/v1",
])("OpenAI's key is not for %s", (baseUrl) => {
  expect(findServer({ ...settings, baseUrl }, openAiKeys).key).toBeUndefined();
});

test("a key that the owner has named is for the server that he has named", () => {
  const named = { ...settings, baseUrl: "https://example.org/v1/", apiKeyEnv: "OPENAI_API_KEY" };
  expect(findServer(named, openAiKeys)).toMatchObject({ key: "kept", url: "https://example.org/v1/embeddings" });
});

test("without a key for OpenAI it is said what to do", () => {
  expect(() => findServer(settings, noKeys)).toThrow(
    "OpenAI turns texts into vectors only with a key. Set OPENAI_API_KEY, or set memory.embedder.provider to builtin.",
  );
});

test("a named key that is not set is told by its name", () => {
  expect(() => findServer({ ...settings, baseUrl: ollama, apiKeyEnv: "MY_KEY" }, noKeys)).toThrow(
    "memory.embedder.apiKeyEnv names MY_KEY, which is not set.",
  );
});

test("a key with signs that no key has is refused without showing it", () => {
  const broken = { environment: { MY_KEY: "hidden key\nwith lines" }, storedKeys: {} };
  const find = () => findServer({ ...settings, baseUrl: ollama, apiKeyEnv: "MY_KEY" }, broken);
  expect(find).toThrow("The key in MY_KEY holds spaces or other characters that no key has. Copy it again.");
  expect(find).not.toThrow("hidden");
});

test.each([
  ["http://127.0.0.1:11434/v1", true],
  ["http://localhost:1234/v1", true],
  ["http://[::1]:8080/v1", true],
  ["http://192.168.0.7:11434/v1", false],
  ["http://localhost.example.org/v1", false],
])("texts that go to %s stay on this machine: %s", (baseUrl, isLocal) => {
  expect(findServer({ ...settings, baseUrl }, noKeys).isLocal).toBe(isLocal);
});

test.each(["ftp://example.org/v1", "example.org", ""])("%j is no address of a server", (baseUrl) => {
  expect(() => findServer({ ...settings, baseUrl }, noKeys)).toThrow(
    "memory.embedder.baseUrl is not the address of a server.",
  );
});

test("a password in the address is refused without showing it", () => {
  const find = () => findServer({ ...settings, baseUrl: "https://me:hidden@example.org/v1" }, noKeys);
  expect(find).toThrow("memory.embedder.baseUrl holds a name or a password.");
  expect(find).not.toThrow("hidden");
});

test("what stands behind a question mark is sent, and is no part of what tells servers apart", () => {
  const server = findServer({ ...settings, baseUrl: "https://example.org/v1?api-version=2" }, noKeys);
  expect(server).toMatchObject({
    url: "https://example.org/v1/embeddings?api-version=2",
    address: "example.org/v1",
    secrets: ["?api-version=2"],
  });
});
