// The embeddings request of OpenAI as OpenAI, Ollama, LM Studio and llama.cpp answer it, on loopback, with faults on demand.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { onTestFinished } from "vitest";

export type EmbeddingVendor = "openai" | "ollama" | "lm-studio" | "llama.cpp";

export type EmbeddingFault =
  | { kind: "busy"; retryAfter?: string }
  | { kind: "used up" | "broken" | "drops" | "is silent" | "malformed" | "no vectors" | "huge" }
  | { kind: "counts wrong" | "mixes lengths" | "shuffles" | "changes length" }
  | { kind: "redirects"; to: string };

export type EmbeddingServer = {
  baseUrl: string;
  vendor: EmbeddingVendor;
  models: string[];
  dimensions: number;
  /** Without it, whoever comes is served. */
  key: string | undefined;
  /** What its model takes, at four characters a token. */
  mostTokens: number;
  /** One for each request to come; then all is well. */
  faults: EmbeddingFault[];
  requests: { model: string; texts: string[]; authorization: string | undefined; encoding: unknown }[];
};

export async function startEmbeddingServer(vendor: EmbeddingVendor = "openai"): Promise<EmbeddingServer> {
  const server = createServer((request, response) => void answer(fake, request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const fake: EmbeddingServer = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    vendor,
    models: ["text-embedding-3-small", "nomic-embed-text"],
    dimensions: 8,
    key: undefined,
    mostTokens: 8_192,
    faults: [],
    requests: [],
  };
  return fake;
}

/** A vector that is alike for texts of like letters; not of length one. */
export function madeUpVector(from: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const character of from) {
    const place = (character.codePointAt(0) ?? 0) % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

type Reply = { status: number; body: unknown; headers?: Record<string, string> };

async function answer(fake: EmbeddingServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  if (new URL(request.url ?? "/", "http://fake").pathname !== "/v1/embeddings") {
    send(response, nothingHere(fake, request.url));
    return;
  }
  const { model, input, encoding_format: encoding } = JSON.parse(body) as Wish;
  const { authorization } = request.headers;
  fake.requests.push({ model, texts: input, authorization, encoding });
  const fault = fake.faults.shift();
  if (fault?.kind === "is silent") return;
  if (fault?.kind === "drops") response.socket?.destroy();
  else if (fault?.kind === "huge") await sendForever(response);
  else if (fault?.kind === "changes length") fake.dimensions++;
  const reply = (fault && faultyReply(fake, fault, input)) ?? usualReply(fake, model, input, authorization);
  if (!response.writableEnded && !response.destroyed) send(response, reply);
}

type Wish = { model: string; input: string[]; encoding_format?: unknown };

function usualReply(fake: EmbeddingServer, model: string, input: readonly string[], authorization?: string): Reply {
  if (fake.key !== undefined && authorization !== `Bearer ${fake.key}`)
    return { status: 401, body: openAiError(wrongKey(authorization), "invalid_request_error", "invalid_api_key") };
  if (!fake.models.includes(model)) return noModel(fake, model);
  const longest = Math.max(...input.map((each) => Math.ceil(each.length / 4)));
  if (longest > fake.mostTokens) return tooLong(fake, longest);
  return { status: 200, body: vectorsAs(fake, model, input) };
}

function vectorsAs(fake: EmbeddingServer, model: string, input: readonly string[]) {
  const data = input.map((each, index) => ({
    object: "embedding",
    embedding: madeUpVector(each, fake.dimensions),
    index,
  }));
  // llama.cpp leaves the number of tokens out when it was not asked for
  const usage = fake.vendor === "llama.cpp" ? {} : { usage: { prompt_tokens: 5, total_tokens: 5 } };
  return { object: "list", data, model, ...usage };
}

function nothingHere({ vendor }: EmbeddingServer, url: string | undefined): Reply {
  if (vendor === "lm-studio") return { status: 200, body: { error: `Unexpected endpoint or method. (POST ${url})` } };
  if (vendor === "ollama") return { status: 404, body: "404 page not found" };
  return { status: 404, body: openAiError(`Invalid URL (POST ${url})`, "invalid_request_error") };
}

function noModel({ vendor }: EmbeddingServer, model: string): Reply {
  if (vendor === "ollama")
    return { status: 404, body: openAiError(`model "${model}" not found, try pulling it first`, "api_error") };
  if (vendor === "lm-studio") {
    const error = "No models loaded. Please load a model in the developer page or use the 'lms load' command.";
    return { status: 404, body: { error } };
  }
  const words = `The model \`${model}\` does not exist or you do not have access to it.`;
  return { status: 404, body: openAiError(words, "invalid_request_error", "model_not_found") };
}

function tooLong({ vendor, mostTokens }: EmbeddingServer, tokens: number): Reply {
  if (vendor === "ollama")
    return { status: 400, body: openAiError("the input length exceeds the context length", "api_error") };
  if (vendor === "llama.cpp") {
    const message = `input (${tokens} tokens) is too large to process. increase the physical batch size (current batch size: ${mostTokens})`;
    return { status: 500, body: { error: { code: 500, message, type: "server_error" } } };
  }
  const words = `This model's maximum context length is ${mostTokens} tokens, however you requested ${tokens} tokens. Please reduce your prompt.`;
  return { status: 400, body: openAiError(words, "invalid_request_error") };
}

// OpenAI repeats a part of the key; here it is all of it, so that a test sees where it goes
function wrongKey(authorization: string | undefined): string {
  return `Incorrect API key provided: ${authorization?.replace("Bearer ", "") ?? ""}. You can find your API key at https://platform.openai.com.`;
}

function openAiError(message: string, type: string, code: string | null = null) {
  return { error: { message, type, param: null, code } };
}

function faultyReply(fake: EmbeddingServer, fault: EmbeddingFault, input: readonly string[]): Reply | undefined {
  const whole = vectorsAs(fake, fake.models[0] ?? "", input);
  const withData = (data: readonly object[]): Reply => ({ status: 200, body: { ...whole, data } });
  switch (fault.kind) {
    case "busy": {
      const headers = fault.retryAfter === undefined ? {} : { "retry-after": fault.retryAfter };
      return { status: 429, headers, body: openAiError("Rate limit reached", "requests", "rate_limit_exceeded") };
    }
    case "used up":
      return { status: 429, body: openAiError("You exceeded your quota", "insufficient_quota", "insufficient_quota") };
    case "broken":
      return { status: 500, body: openAiError(`Oops, with ${fake.key}`, "server_error") };
    case "malformed":
      return { status: 200, body: '{"data": [{"embedding": [0.1,' };
    case "no vectors":
      return withData(whole.data.map((one) => ({ ...one, embedding: "AACAPwAAAEA=" })));
    case "counts wrong":
      return withData(whole.data.slice(1));
    case "mixes lengths":
      return withData(whole.data.map((one, at) => ({ ...one, embedding: [1, 2, ...(at > 0 ? [3] : [])] })));
    case "shuffles":
      return withData(whole.data.toReversed());
    case "redirects":
      return { status: 307, headers: { location: fault.to }, body: "" };
    default:
      return undefined;
  }
}

async function sendForever(response: ServerResponse): Promise<void> {
  const piece = " ".repeat(1024 * 1024);
  response.writeHead(200, { "content-type": "application/json" });
  const endless = Readable.from(
    (function* () {
      for (;;) yield piece;
    })(),
  );
  // it ends when whoever asked has hung up
  await pipeline(endless, response).catch(() => {});
}

function send(response: ServerResponse, { status, body, headers }: Reply): void {
  const type = typeof body === "string" ? "text/plain" : "application/json";
  response.writeHead(status, { "content-type": type, ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
