// A model that is loaded and turns one text after the other into a vector.
import { reasonOf } from "../../../contract/failure.ts";
import { visibleLine } from "../../../contract/words/visible-line.ts";
import { EmbedderFailure } from "../embedder.ts";
import type { Llama } from "./load-package.ts";

export type RunningModel = {
  /** Of any length; empty for a text without tokens. What is too long is cut. Throws an EmbedderFailure. */
  vectorOf(text: string): Promise<readonly number[]>;
  close(): Promise<void>;
};

// more than any unit has; what a longer context needs in memory grows with it
const mostTokens = 1_024;
// the marks that a model wants around a text, and the one token that must stay free
const reservedTokens = 4;
// a text is cut to so many before its tokens are counted
const mostCharacters = 8_000;

/** Throws what the library throws. */
export async function runModel(
  llama: Llama,
  { path, name }: { path: string; name: string },
  signal: AbortSignal | undefined,
): Promise<RunningModel> {
  const model = await llama.loadModel({ modelPath: path, loadSignal: signal });
  const contextSize = Math.min(mostTokens, model.trainContextSize);
  // a text that comes in two batches would get the vector of its second half
  const context = await model.createEmbeddingContext({ contextSize, batchSize: contextSize, createSignal: signal });
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  return {
    // one after the other, so that nothing is under way when the model is let go
    vectorOf(text) {
      const vector = last.then(() => ask(text));
      // whoever asked hears of it
      last = vector.catch(() => {});
      return vector;
    },
    async close() {
      isClosed = true;
      await last;
      await context.dispose();
      await model.dispose();
      await llama.dispose();
    },
  };

  async function ask(text: string): Promise<readonly number[]> {
    if (isClosed) throw new EmbedderFailure("The embedder is closed.");
    const tokens = model.tokenize(text.slice(0, mostCharacters).toWellFormed());
    const { vector } = await context
      .getEmbeddingFor(tokens.slice(0, contextSize - reservedTokens))
      .catch((cause: unknown) => {
        const reason = visibleLine(reasonOf(cause));
        throw new EmbedderFailure(`${name} has no vector for a text (${reason}). Try another model.`, { cause });
      });
    if (vector.every(Number.isFinite)) return vector;
    throw new EmbedderFailure(`${name} makes vectors of something else than numbers. Fetch the file again.`);
  }
}
