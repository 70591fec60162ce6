import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { EmbedderSettings } from "../../src/contract/memory/memory-settings.ts";
import type { EmbedderDeps } from "../../src/memory/embed/embedder.ts";
import { openEmbedder } from "../../src/memory/embed/embedder-list.ts";
import { type EmbeddingServer, madeUpVector, startEmbeddingServer } from "../fakes/embedding-server.ts";
import { eventually } from "../scenes/eventually.ts";

test.each(["openai", "ollama", "lm-studio", "llama.cpp"] as const)(
  "texts become vectors of length one, in their order, as %s sends them",
  async (vendor) => {
    const server = await startEmbeddingServer(vendor);
    const embedder = await embedderAt(server);
    const vectors = await embedder.embed(["a cat", "a longer text about a dog", "a cat"]);
    expect(vectors.map(rounded)).toEqual(["a cat", "a longer text about a dog", "a cat"].map(expected));
    expect(embedder).toMatchObject({ dimensions: 8, isLocal: true });
    expect(server.requests.at(-1)).toMatchObject({ encoding: "float", authorization: undefined });
  },
);

test("the key of vectors names provider, server, model and dimensions", async () => {
  const server = await startEmbeddingServer();
  const { key } = await embedderAt(server);
  expect(key).toBe(`openai-compatible:${new URL(server.baseUrl).host}/v1:text-embedding-3-small:8`);
});

test("a text with nothing in it becomes zeros, and the server never sees it", async () => {
  const server = await startEmbeddingServer();
  const embedder = await embedderAt(server);
  const [empty, blank, text] = await embedder.embed(["", " \n", "words"]);
  expect([empty, blank]).toEqual([new Float32Array(8), new Float32Array(8)]);
  expect(rounded(text)).toEqual(expected("words"));
  expect(server.requests.at(-1)?.texts).toEqual(["words"]);
});

test("many texts go in several requests and come back in their order", async () => {
  const server = await startEmbeddingServer();
  const embedder = await embedderAt(server);
  const texts = Array.from({ length: 200 }, (_, at) => `text ${at}`);
  expect((await embedder.embed(texts)).map(rounded)).toEqual(texts.map(expected));
  expect(server.requests.slice(1).map((request) => request.texts.length)).toEqual([96, 96, 8]);
});

test("vectors that come in another order are put to their texts by their numbers", async () => {
  const server = await startEmbeddingServer();
  const embedder = await embedderAt(server);
  server.faults.push({ kind: "shuffles" });
  expect((await embedder.embed(["first", "second one"])).map(rounded)).toEqual(["first", "second one"].map(expected));
});

test("a model that was trained with words before a text gets them", async () => {
  const server = await startEmbeddingServer("ollama");
  const embedder = await embedderAt(server, { model: "nomic-embed-text" });
  await embedder.embed(["the cat"], { kind: "query" });
  await embedder.embed(["the cat"]);
  expect(server.requests.slice(1).map(({ texts }) => texts)).toEqual([
    ["search_query: the cat"],
    ["search_document: the cat"],
  ]);
});

test("OpenAI's key goes to no other server", async () => {
  const server = await startEmbeddingServer();
  const keys = {
    storedKeys: { openai: "hidden-key-of-openai" },
    environment: { OPENAI_API_KEY: "hidden-key-of-openai" },
  };
  const embedder = await embedderAt(server, {}, keys);
  await embedder.embed(["words"]);
  expect(server.requests.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
});

test("a key that is named for the server is sent to it", async () => {
  const server = await startEmbeddingServer();
  server.key = "hidden-mine";
  await embedderAt(server, { apiKeyEnv: "MY_KEY" }, { environment: { MY_KEY: " hidden-mine\n" } });
  expect(server.requests[0]?.authorization).toBe("Bearer hidden-mine");
});

test("a key that is not accepted is told by the name of its variable, and never itself", async () => {
  const server = await startEmbeddingServer();
  server.key = "hidden-other";
  const failure = await failureAt(server, { apiKeyEnv: "MY_KEY" }, { environment: { MY_KEY: "hidden-secret" } });
  expect(failure).toBe(`${hostOf(server)} does not accept the key in MY_KEY. Make a new one there and set it.`);
});

test("a server that repeats the key in its trouble does not bring it into a message", async () => {
  const server = await startEmbeddingServer();
  server.key = "hidden-secret";
  server.faults.push(...Array.from({ length: 4 }, () => ({ kind: "broken" as const })));
  const failure = await failureAt(server, { apiKeyEnv: "MY_KEY" }, { environment: { MY_KEY: "hidden-secret" } });
  expect(failure).toBe(
    `${hostOf(server)} answered 500 (Oops, with [key]): it has trouble of its own. Look at its log, or try again later.`,
  );
});

test("a key in the address does not come into a message either", async () => {
  const server = await startEmbeddingServer("lm-studio");
  const failure = await failureAt({ baseUrl: `${server.baseUrl.replace("/v1", "")}?key=hidden-secret` });
  expect(failure).toContain("Unexpected endpoint or method. (POST /embeddings[key])");
});

test.each([
  ["openai", "has no model mine for this. Set memory.embedder.model to one that it has."],
  ["ollama", "has no model mine for this. Set memory.embedder.model to one that it has."],
  ["lm-studio", "has no model mine for this. Set memory.embedder.model to one that it has."],
] as const)("a model that is not there is told as such, as %s says it", async (vendor, words) => {
  const server = await startEmbeddingServer(vendor);
  expect(await failureAt(server, { model: "mine" })).toBe(`${hostOf(server)} ${words}`);
});

test("an address without its /v1 is told as such", async () => {
  const server = await startEmbeddingServer("ollama");
  const failure = await failureAt({ baseUrl: server.baseUrl.replace("/v1", "") });
  expect(failure).toBe(
    `There is nothing at ${hostOf(server)}/embeddings. Check memory.embedder.baseUrl, which usually ends in /v1.`,
  );
});

test("a busy server is asked again after the time that it names", async () => {
  const server = await startEmbeddingServer();
  const waitsMs: number[] = [];
  const embedder = await embedderAt(server, {}, { sleep: async (ms) => void waitsMs.push(ms) });
  server.faults.push({ kind: "busy", retryAfter: "7" }, { kind: "busy" }, { kind: "broken" });
  expect((await embedder.embed(["words"])).map(rounded)).toEqual([expected("words")]);
  expect(waitsMs).toEqual([7_000, 4_000, 16_000]);
});

test("a server that wants to be left alone for long is left alone", async () => {
  const server = await startEmbeddingServer();
  server.faults.push({ kind: "busy", retryAfter: "600" });
  expect(await failureAt(server)).toBe(
    `${hostOf(server)} answered 429 (Rate limit reached): too many requests. Try again in 10 minutes.`,
  );
  expect(server.requests).toHaveLength(1);
});

test("a server that stays in trouble is asked four times and no more", async () => {
  const server = await startEmbeddingServer();
  server.faults.push(...Array.from({ length: 9 }, () => ({ kind: "busy" as const, retryAfter: "1" })));
  expect(await failureAt(server)).toContain("Try again in 1 seconds.");
  expect(server.requests).toHaveLength(4);
});

test("an account without credit is told at once", async () => {
  const server = await startEmbeddingServer();
  server.faults.push({ kind: "used up" });
  expect(await failureAt(server)).toContain("has no credit left");
  expect(server.requests).toHaveLength(1);
});

test("a connection that breaks is tried again", async () => {
  const server = await startEmbeddingServer();
  const embedder = await embedderAt(server);
  server.faults.push({ kind: "drops" }, { kind: "drops" });
  expect((await embedder.embed(["words"])).map(rounded)).toEqual([expected("words")]);
});

test("nobody at the address is told as such", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  await new Promise((resolve) => server.close(resolve));
  expect(await failureAt({ baseUrl: `http://${host}/v1` })).toBe(
    `Nobody answers at ${host}. Is it running? Start it, or check memory.embedder.baseUrl.`,
  );
});

test("a server that says nothing is given up after its time", async () => {
  const server = await startEmbeddingServer();
  server.faults.push(...Array.from({ length: 4 }, () => ({ kind: "is silent" as const })));
  expect(await failureAt(server, {}, { timeLimitMs: 20 })).toContain("did not answer within");
});

test.each([
  ["malformed", "sent something that is not a list of vectors"],
  ["no vectors", "sent something that is not a list of vectors"],
  ["counts wrong", "sent 1 vectors for 2 texts"],
  ["mixes lengths", "sent vectors of different lengths"],
] as const)("an answer that is %s is refused", async (kind, words) => {
  const server = await startEmbeddingServer();
  const embedder = await embedderAt(server);
  server.faults.push({ kind });
  await expect(embedder.embed(["one", "two"])).rejects.toThrow(
    `${hostOf(server)} ${words}. Check memory.embedder.baseUrl and memory.embedder.model.`,
  );
});

test("an answer without end is cut off", async () => {
  const server = await startEmbeddingServer();
  server.faults.push({ kind: "huge" });
  expect(await failureAt(server)).toBe(`${hostOf(server)} sent far more than vectors. Check memory.embedder.baseUrl.`);
});

test("a server that sends on to another one gets neither key nor texts there", async () => {
  const [server, other] = [await startEmbeddingServer(), await startEmbeddingServer()];
  server.faults.push({ kind: "redirects", to: `${other.baseUrl}/embeddings` });
  const failure = await failureAt(server, { apiKeyEnv: "MY_KEY" }, { environment: { MY_KEY: "hidden-secret" } });
  expect(failure).toContain("sends on to another address, and the key stays here");
  expect(other.requests).toEqual([]);
});

test("vectors of another length than before are refused, since the model has changed", async () => {
  const server = await startEmbeddingServer();
  const embedder = await embedderAt(server);
  server.faults.push({ kind: "changes length" });
  await expect(embedder.embed(["words"])).rejects.toThrow("sends vectors of 9 numbers now, and sent 8 before");
});

test.each(["openai", "ollama", "llama.cpp"] as const)(
  "a text that is too long for the model is cut, and the others stay whole, as %s says it",
  async (vendor) => {
    const server = await startEmbeddingServer(vendor);
    const embedder = await embedderAt(server);
    server.mostTokens = 256;
    const long = "abcdefgh".repeat(400);
    expect((await embedder.embed(["one", long, "three"])).map(rounded)).toEqual(
      ["one", long.slice(0, 800), "three"].map(expected),
    );
  },
);

test("a model that takes hardly anything is told as such", async () => {
  const server = await startEmbeddingServer();
  server.mostTokens = 0;
  expect(await failureAt(server)).toContain("its model takes only very short texts");
});

test("a text that is cut in the middle of a sign is still well-formed", async () => {
  const server = await startEmbeddingServer();
  const embedder = await embedderAt(server);
  await embedder.embed([`x${"🙂".repeat(5_000)}`]);
  expect(server.requests.at(-1)?.texts[0]?.isWellFormed()).toBe(true);
});

test("whoever stops asking hears his own reason, in the middle of an answer and of a wait", async () => {
  const server = await startEmbeddingServer();
  const embedder = await embedderAt(server, {}, { sleep: (ms, signal) => sleep(ms, undefined, { signal }) });
  for (const fault of [{ kind: "is silent" }, { kind: "busy", retryAfter: "20" }] as const) {
    const stopping = new AbortController();
    server.requests.length = 0;
    server.faults.push(fault);
    const asked = embedder.embed(["words"], { signal: stopping.signal });
    await eventually(() => server.requests.length, 1);
    stopping.abort(new Error("no longer wanted"));
    await expect(asked).rejects.toThrow("no longer wanted");
  }
});

test("an embedder that is closed ends what is under way", async () => {
  const server = await startEmbeddingServer();
  const embedder = await embedderAt(server);
  server.faults.push({ kind: "is silent" });
  const asked = embedder.embed(["words"]);
  const outcome = asked.catch((cause: Error) => cause.message);
  await eventually(() => server.requests.length, 2);
  await embedder.close();
  expect(await outcome).toBe("The embedder is closed.");
});

type Place = Pick<EmbeddingServer, "baseUrl">;

async function embedderAt(
  { baseUrl }: Place,
  settings: Partial<EmbedderSettings> = {},
  deps: Partial<EmbedderDeps> = {},
) {
  const whole = { provider: "openai-compatible", model: null, apiKeyEnv: null, modelPath: null, baseUrl } as const;
  const world: EmbedderDeps = { environment: {}, storedKeys: {}, sleep: async () => {}, ...deps };
  const embedder = await openEmbedder({ ...whole, ...settings }, world);
  if (!embedder) throw new Error("there is no embedder");
  onTestFinished(() => embedder.close());
  return embedder;
}

async function failureAt(place: Place, settings?: Partial<EmbedderSettings>, deps?: Partial<EmbedderDeps>) {
  const failure = await embedderAt(place, settings, deps).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(failure).toMatchObject({ name: "EmbedderFailure" });
  expect(inspect(failure)).not.toContain("hidden-");
  return failure instanceof Error ? failure.message : "";
}

function hostOf({ baseUrl }: Place): string {
  return new URL(baseUrl).host;
}

function expected(text: string): number[] {
  const vector = madeUpVector(text, 8);
  const length = Math.hypot(...vector);
  return rounded(vector.map((each) => each / length));
}

function rounded(vector: ArrayLike<number> = []): number[] {
  return Array.from(vector, (each) => Math.round(each * 1e5) / 1e5);
}
