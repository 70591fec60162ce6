// The embedder that is always there: no key, no network, no model to run.
import type { OpenEmbedder } from "../embedder.ts";
import { openTokenTable } from "./token-table.ts";

// it is quick, yet a long list must not keep a thread from being asked to stop
const textsAtOnce = 500;

export const openBuiltin: OpenEmbedder = async (_settings, { tokenTable }) => {
  const { vectorOf, dimensions } = tokenTable ?? (await openTokenTable());
  return {
    key: `builtin:static-minilm:${dimensions}`,
    dimensions,
    isLocal: true,
    async embed(texts, { signal } = {}) {
      const vectors: Float32Array[] = [];
      for (const [at, text] of texts.entries()) {
        if (at > 0 && at % textsAtOnce === 0) await new Promise(setImmediate);
        signal?.throwIfAborted();
        vectors.push(vectorOf(text));
      }
      return vectors;
    },
    async close() {},
  };
};
