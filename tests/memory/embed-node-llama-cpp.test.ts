import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { EmbedderDeps } from "../../src/memory/embed/embedder.ts";
import { openEmbedder } from "../../src/memory/embed/embedder-list.ts";
import { madeUpVector } from "../fakes/embedding-server.ts";
import { eventually } from "../scenes/eventually.ts";
import { temporaryFolder } from "../scenes/temporary-folder.ts";

test("texts become vectors of length one by the model in the file", async () => {
  const library = standIn();
  const embedder = await embedderWith(library);
  const [cat, empty, again] = await embedder.embed(["a cat", " \n", "a cat"]);
  expect(Math.hypot(...(cat ?? []))).toBeCloseTo(1, 5);
  expect(again).toEqual(cat);
  expect(empty).toEqual(new Float32Array(8));
  expect(embedder).toMatchObject({ dimensions: 8, isLocal: true });
  expect(embedder.key).toMatch(/^node-llama-cpp:model\.gguf:[0-9a-f]{16}:8$/);
});

test("EmbeddingGemma is told what is searched for and what is searched in", async () => {
  const library = standIn();
  const embedder = await embedderWith(library, "embeddinggemma-300M-Q8_0.gguf");
  await embedder.embed(["the cat"], { kind: "query" });
  await embedder.embed(["the cat"]);
  expect(library.asked.slice(1)).toEqual(["task: search result | query: the cat", "title: none | text: the cat"]);
});

test("a text that is longer than what the model sees at once is cut", async () => {
  const library = standIn();
  library.trainContextSize = 64;
  const embedder = await embedderWith(library);
  await embedder.embed(["x".repeat(50_000)]);
  expect(library.asked.at(-1)).toBe("x".repeat(60));
});

test("a text comes in one batch, since the vector of a later batch would be that of its rest", async () => {
  const library = standIn();
  library.trainContextSize = 32_768;
  await embedderWith(library);
  expect(library.contextOptions).toMatchObject({ contextSize: 1_024, batchSize: 1_024 });
});

test("nothing is built, downloaded or written into the terminal", async () => {
  const library = standIn();
  await embedderWith(library);
  expect(library.startOptions).toMatchObject({ build: "never", skipDownload: true, progressLogs: false });
  expect(library.metadataOptions).toMatchObject({ sourceType: "filesystem", logWarnings: false });
});

test("without the package it is said how to add it, and that the built-in embedder needs nothing", async () => {
  const missing = async () => import("node-llama-cpp-that-is-not-there" as string);
  const cause = (await missing().catch((thrown: unknown) => thrown)) as Error;
  cause.message = cause.message.replace("node-llama-cpp-that-is-not-there", "node-llama-cpp");
  expect(await failureWith(async () => Promise.reject(cause))).toBe(
    "memory.embedder.provider is node-llama-cpp, a package that is not installed: add it with npm install --no-save node-llama-cpp@3 in Steward's folder, or set memory.embedder.provider to builtin, which needs nothing.",
  );
});

test("a package that breaks while it is loaded is told apart from one that is not there", async () => {
  expect(await failureWith(() => Promise.reject(new Error("libgomp.so.1 is missing")))).toContain(
    "node-llama-cpp does not run on this machine (libgomp.so.1 is missing).",
  );
});

test("a package of another version is told as such", async () => {
  expect(await failureWith(async () => ({ LlamaModel: class {} }))).toContain("is not of version 3");
});

test("a machine that the package has no program for is told as such", async () => {
  const library = standIn();
  library.fails.start = "No prebuilt binary for this machine";
  expect(await failureWith(library.importPackage)).toContain("(No prebuilt binary for this machine)");
});

test("a file that cannot be read to its end is told as such", async () => {
  const library = standIn();
  library.fails.metadata = "out of range";
  expect(await failureWith(library.importPackage)).toMatch(/model\.gguf is damaged or not whole\. Fetch it again\.$/);
  expect(library.startOptions).toBeUndefined();
});

test("a model of another kind is refused before it is loaded", async () => {
  const library = standIn();
  library.metadata = { general: { architecture: "bert" }, bert: { pooling_type: 4 } };
  expect(await failureWith(library.importPackage)).toContain("holds a model that puts texts in order.");
  expect(library.startOptions).toBeUndefined();
});

test("why a model cannot be loaded is told in llama.cpp's words, and everything is let go", async () => {
  const library = standIn();
  library.fails.load = "llama_model_load: error loading model: unknown model architecture: 'tomorrow'";
  expect(await failureWith(library.importPackage)).toContain(
    "cannot be used (unknown model architecture: 'tomorrow'). Fetch it again,",
  );
  expect(library.disposed).toEqual(["llama"]);
});

test("a model that makes no numbers is refused", async () => {
  const library = standIn();
  library.vector = () => [1, Number.NaN];
  expect(await failureWith(library.importPackage)).toContain("makes vectors of something else than numbers");
});

test("a list that is no longer wanted is given up in the middle", async () => {
  const library = standIn();
  const embedder = await embedderWith(library);
  const letAnswer = holdAnswers(library);
  const stopping = new AbortController();
  const outcome = embedder.embed(["one", "two"], { signal: stopping.signal }).catch((cause: Error) => cause.message);
  await eventually(() => library.asked.length, 2);
  stopping.abort(new Error("no longer wanted"));
  letAnswer();
  expect(await outcome).toBe("no longer wanted");
  expect(library.asked.slice(1)).toEqual(["one"]);
});

test("closing waits for the text that is under way, refuses the others and lets everything go", async () => {
  const library = standIn();
  const embedder = await embedderWith(library);
  const letAnswer = holdAnswers(library);
  const outcomes = ["one", "two"].map((text) => embedder.embed([text]).catch((cause: Error) => cause.message));
  await eventually(() => library.asked.length, 2);
  const closing = embedder.close();
  expect(library.disposed).toEqual([]);
  letAnswer();
  await closing;
  expect(library.disposed).toEqual(["context", "model", "llama"]);
  expect(await Promise.all(outcomes)).toEqual([[expect.any(Float32Array)], "The embedder is closed."]);
});

type StandIn = {
  importPackage(name: string): Promise<unknown>;
  metadata: unknown;
  trainContextSize: number;
  vector(text: string): number[];
  fails: { start?: string; metadata?: string; load?: string };
  /** What an answer waits for. */
  held: Promise<void> | undefined;
  startOptions?: { logger(level: string, words: string): void };
  metadataOptions?: object;
  contextOptions?: object;
  asked: string[];
  disposed: string[];
};

/** What the documentation of node-llama-cpp 3 says of the functions that are used; a token is a character. */
function standIn(): StandIn {
  const library: StandIn = {
    importPackage: async () => ({ getLlama, readGgufFileInfo }),
    metadata: { general: { architecture: "bert", type: "model" }, bert: { pooling_type: 1 } },
    trainContextSize: 512,
    vector: (text) => madeUpVector(text, 8),
    fails: {},
    held: undefined,
    asked: [],
    disposed: [],
  };
  const dispose = (name: string) => async () => void library.disposed.push(name);
  return library;

  async function readGgufFileInfo(_path: string, options: object) {
    library.metadataOptions = options;
    if (library.fails.metadata) throw new RangeError(library.fails.metadata);
    return { version: 3, metadata: library.metadata };
  }

  async function getLlama(options: { logger(level: string, words: string): void }) {
    library.startOptions = options;
    if (library.fails.start) throw new Error(library.fails.start);
    return { loadModel, dispose: dispose("llama") };
  }

  async function loadModel() {
    if (library.fails.load) {
      const words = library.fails.load;
      // its log comes after the failure that it explains
      setImmediate(() => library.startOptions?.logger("error", words));
      throw new Error("Failed to load model");
    }
    const { trainContextSize } = library;
    const tokenize = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);
    return { trainContextSize, tokenize, createEmbeddingContext, dispose: dispose("model") };
  }

  async function createEmbeddingContext(options: object) {
    library.contextOptions = options;
    return { getEmbeddingFor, dispose: dispose("context") };
  }

  async function getEmbeddingFor(tokens: readonly number[]) {
    const text = String.fromCodePoint(...tokens);
    library.asked.push(text);
    await library.held;
    return { vector: library.vector(text) };
  }
}

/** Until it is called, no text gets its vector. */
function holdAnswers(library: StandIn): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  library.held = promise;
  return resolve;
}

async function open(importPackage: NonNullable<EmbedderDeps["importPackage"]>, fileName = "model.gguf") {
  const modelPath = join(await temporaryFolder(), fileName);
  await writeFile(modelPath, "GGUF and what follows");
  const settings = { provider: "node-llama-cpp", model: null, baseUrl: null, apiKeyEnv: null, modelPath } as const;
  return openEmbedder(settings, { environment: {}, storedKeys: {}, importPackage });
}

async function embedderWith({ importPackage }: StandIn, fileName?: string) {
  const embedder = await open(importPackage, fileName);
  if (!embedder) throw new Error("there is no embedder");
  onTestFinished(() => embedder.close());
  return embedder;
}

async function failureWith(importPackage: NonNullable<EmbedderDeps["importPackage"]>): Promise<string> {
  const failure = await open(importPackage).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(failure).toMatchObject({ name: "EmbedderFailure" });
  return failure instanceof Error ? failure.message : "";
}
