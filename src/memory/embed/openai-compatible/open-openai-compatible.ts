// Embedders behind the embeddings request of OpenAI: OpenAI itself, Ollama, LM Studio, llama.cpp and others.
import { setTimeout as sleep } from "node:timers/promises";
import { EmbedderFailure, type OpenEmbedder } from "../embedder.ts";
import { promptsOf } from "../model-prompts.ts";
import { askServer } from "./ask-server.ts";
import { cutIntoBatches } from "./cut-into-batches.ts";
import { findServer } from "./find-server.ts";

// a model that is not in memory yet is loaded first
const usualTimeLimitMs = 60_000;
// more than any unit has, and less than the 8,192 tokens that OpenAI takes
const mostCharacters = 8_000;
// a text this short is not what a model finds too long
const leastCharacters = 100;

export const openOpenAiCompatible: OpenEmbedder = async (settings, deps, openSignal) => {
  const server = findServer(settings, deps);
  const prompts = promptsOf(server.model);
  const closing = new AbortController();
  const askDeps = {
    nowMs: deps.nowMs ?? Date.now,
    sleep: deps.sleep ?? ((ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal })),
    timeLimitMs: deps.timeLimitMs ?? usualTimeLimitMs,
  };
  // only an answer tells how long the vectors are, and so whose they are
  const [first] = await vectorsOf(["Steward"], untilClosed(openSignal));
  const dimensions = first?.length ?? 0;
  return {
    key: `openai-compatible:${server.address}:${server.model}:${dimensions}`,
    dimensions,
    isLocal: server.isLocal,
    async embed(texts, { kind = "text", signal } = {}) {
      const vectors: Float32Array[] = texts.map(() => new Float32Array(dimensions));
      const cut = texts.map((text) => text.slice(0, mostCharacters).toWellFormed());
      for (const batch of cutIntoBatches(cut)) {
        const prompted = batch.map((at) => `${prompts[kind]}${cut[at] ?? ""}`);
        for (const [place, vector] of (await vectorsOf(prompted, untilClosed(signal))).entries())
          vectors[batch[place] ?? -1] = keepingDimensions(vector);
      }
      return vectors;
    },
    async close() {
      closing.abort(new EmbedderFailure("The embedder is closed."));
    },
  };

  function untilClosed(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
  }

  // how many tokens a text has, only the server knows: what it finds too long comes again in halves
  async function vectorsOf(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    const outcome = await askServer(server, texts, askDeps, signal);
    if (outcome.kind === "vectors") return outcome.vectors;
    const [text = ""] = texts;
    if (texts.length === 1 && text.length < leastCharacters) throw outcome.failure;
    if (texts.length === 1) return vectorsOf([text.slice(0, text.length / 2).toWellFormed()], signal);
    const middle = Math.ceil(texts.length / 2);
    const before = await vectorsOf(texts.slice(0, middle), signal);
    return [...before, ...(await vectorsOf(texts.slice(middle), signal))];
  }

  function keepingDimensions(vector: Float32Array): Float32Array {
    if (vector.length === dimensions) return vector;
    throw new EmbedderFailure(
      `${server.host} sends vectors of ${vector.length} numbers now, and sent ${dimensions} before: its model has changed. Restart Steward, so that the index is made again.`,
    );
  }
};
