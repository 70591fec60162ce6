import { expect, test } from "vitest";
import { explainRefusal } from "./explain-refusal.ts";
import type { EmbeddingServer } from "./find-server.ts";

const server: EmbeddingServer = {
  ...{ url: "http://127.0.0.1:11434/v1/embeddings", host: "127.0.0.1:11434", address: "127.0.0.1:11434/v1" },
  ...{ model: "mine", isModelChosen: true, key: undefined, secrets: [], keyName: "MY_KEY", isLocal: true },
};
const notFound = { words: 'model "mine" not found, try pulling it first', code: "api_error" };

test("a model that Ollama has not is fetched by a command that is named", () => {
  expect(refusal(404, notFound)).toBe("127.0.0.1:11434 has no model mine for this. Fetch it with: ollama pull mine");
  const usual = { ...server, model: "text-embedding-3-small", isModelChosen: false };
  expect(refusal(404, notFound, usual)).toBe(
    "127.0.0.1:11434 has no model text-embedding-3-small for this. Fetch one with: ollama pull nomic-embed-text, and set memory.embedder.model to nomic-embed-text.",
  );
});

test("a model that LM Studio has not loaded is loaded there", () => {
  const studio = { ...server, host: "127.0.0.1:1234" };
  expect(refusal(404, { words: "No models loaded.", code: "" }, studio)).toContain("Load one in LM Studio");
});

test("a server that wants a key is told apart from one that does not like the key", () => {
  expect(refusal(401)).toBe(
    "127.0.0.1:11434 wants a key. Name the environment variable that holds it in memory.embedder.apiKeyEnv.",
  );
  expect(refusal(403, undefined, { ...server, key: "hidden" })).toBe(
    "127.0.0.1:11434 does not accept the key in MY_KEY. Make a new one there and set it.",
  );
});

test("only what may pass is tried again", () => {
  const again = [408, 429, 500, 502, 503, 301, 400, 401, 404, 422, 501].filter((status) => {
    const found = explain(status);
    return found.kind === "failed" && found.again;
  });
  expect(again).toEqual([408, 429, 500, 502, 503]);
});

test.each([
  [413, ""],
  [400, "This model's maximum context length is 8192 tokens, however you requested 9000 tokens"],
  [400, "Invalid 'input[0]': maximum input length is 8192 tokens."],
  [400, "the input length exceeds the context length"],
  [500, "input (600 tokens) is too large to process. increase the physical batch size"],
])("%i with %j means that a text is too long", (status, words) => {
  expect(explain(status, { words, code: "" }).kind).toBe("too long");
});

test.each([
  ["20", "in 20 seconds"],
  ["600", "in 10 minutes"],
  ["Thu, 01 Jan 1970 00:01:00 GMT", "in 60 seconds"],
  ["soon", "later"],
])("a server that says %j is asked again %s", (retryAfter, words) => {
  expect(refusal(429, undefined, server, { "retry-after": retryAfter })).toContain(`Try again ${words}.`);
});

test("an account without credit is told, with the key's name where there is a key", () => {
  const empty = { words: "You exceeded your quota", code: "insufficient_quota" };
  expect(refusal(429, empty)).toBe("The account has no credit left at 127.0.0.1:11434. Top it up there.");
  expect(refusal(429, empty, { ...server, key: "hidden" })).toBe(
    "The account of the key in MY_KEY has no credit left at 127.0.0.1:11434. Top it up there.",
  );
});

function explain(status: number, complaint = { words: "", code: "" }, at = server, headers = {}) {
  return explainRefusal(at, new Response(null, { status, headers }), complaint, 0);
}

function refusal(...args: Parameters<typeof explain>): string {
  return explain(...args).failure.message;
}
