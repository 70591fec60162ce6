// The package that is not among Steward's own, and what of it is used.
import { z } from "zod";
import { codeOf, reasonOf } from "../../../contract/failure.ts";
import { visibleLine } from "../../../contract/words/visible-line.ts";
import { EmbedderFailure } from "../embedder.ts";

export type Llama = {
  loadModel(options: { modelPath: string; loadSignal: AbortSignal | undefined }): Promise<LlamaModel>;
  dispose(): Promise<void>;
};

export type LlamaModel = {
  /** How many tokens it was trained to see at once. */
  trainContextSize: number;
  tokenize(text: string): readonly number[];
  createEmbeddingContext(options: {
    contextSize: number;
    batchSize: number;
    createSignal: AbortSignal | undefined;
  }): Promise<LlamaContext>;
  dispose(): Promise<void>;
};

export type LlamaContext = {
  getEmbeddingFor(tokens: readonly number[]): Promise<{ vector: readonly number[] }>;
  dispose(): Promise<void>;
};

export type Library = {
  /** What a GGUF file says of itself. */
  readMetadata(path: string, signal: AbortSignal | undefined): Promise<unknown>;
  /** `complain` hears what llama.cpp calls an error. */
  start(complain: (words: string) => void): Promise<Llama>;
};

const packageName = "node-llama-cpp";
const otherwise = "or set memory.embedder.provider to builtin, which needs nothing";
const Package = z.object({
  getLlama: z.custom<(options: object) => Promise<Llama>>((value) => typeof value === "function"),
  readGgufFileInfo: z.custom<(path: string, options: object) => Promise<{ metadata: unknown }>>(
    (value) => typeof value === "function",
  ),
});

/** Throws an EmbedderFailure when the package is not there or cannot be used. */
export async function loadPackage(importPackage: (name: string) => Promise<unknown>): Promise<Library> {
  const loaded = await importPackage(packageName).catch((cause: unknown) => {
    throw explainMissing(cause);
  });
  const library = Package.safeParse(loaded);
  if (!library.success)
    throw new EmbedderFailure(
      `The ${packageName} that is installed is not of version 3. Run npm install --no-save ${packageName}@3 in Steward's folder, ${otherwise}.`,
    );
  const { getLlama, readGgufFileInfo } = library.data;
  return {
    async readMetadata(path, signal) {
      // a path that looks like an address is none here, and lists of some hundred thousand words are of no use
      const ignoreKeys = ["tokens", "scores", "token_type", "merges"].map((key) => `tokenizer.ggml.${key}`);
      const options = { sourceType: "filesystem", readTensorInfo: false, logWarnings: false, ignoreKeys, signal };
      return (await readGgufFileInfo(path, options)).metadata;
    },
    async start(complain) {
      const logger = (level: string, words: string) => {
        if (level === "error" || level === "fatal") complain(words);
      };
      // what is not there is not built or fetched behind the owner's back
      const options = { build: "never", skipDownload: true, progressLogs: false, logLevel: "error", logger };
      return getLlama(options).catch((cause: unknown) => {
        throw cannotStart(cause);
      });
    },
  };
}

function explainMissing(cause: unknown): EmbedderFailure {
  if (codeOf(cause) !== "ERR_MODULE_NOT_FOUND" || !reasonOf(cause).includes(`'${packageName}'`))
    return cannotStart(cause);
  return new EmbedderFailure(
    `memory.embedder.provider is ${packageName}, a package that is not installed: add it with npm install --no-save ${packageName}@3 in Steward's folder, ${otherwise}.`,
    { cause },
  );
}

function cannotStart(cause: unknown): EmbedderFailure {
  const reason = visibleLine(reasonOf(cause));
  return new EmbedderFailure(
    `${packageName} does not run on this machine (${reason}). Install it again with npm install --no-save ${packageName}@3, ${otherwise}.`,
    { cause },
  );
}
