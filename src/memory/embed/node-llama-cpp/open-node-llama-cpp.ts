// A model from a GGUF file, run inside Steward by llama.cpp.
import { reasonOf } from "../../../contract/failure.ts";
import { visibleLine } from "../../../contract/words/visible-line.ts";
import { EmbedderFailure, type OpenEmbedder } from "../embedder.ts";
import { promptsOf } from "../model-prompts.ts";
import { toUnitLength } from "../unit-length.ts";
import { checkKind } from "./check-kind.ts";
import { findModelFile, type ModelFile } from "./find-model-file.ts";
import { type Library, loadPackage } from "./load-package.ts";
import { type RunningModel, runModel } from "./run-model.ts";

export const openNodeLlamaCpp: OpenEmbedder = async ({ modelPath }, deps, openSignal) => {
  const file = await findModelFile(modelPath);
  const library = await loadPackage(deps.importPackage ?? ((name) => import(name)));
  await checkKind(library, file, openSignal);
  const { model, dimensions } = await startModel(library, file, openSignal);
  const prompts = promptsOf(file.name);
  return {
    key: `node-llama-cpp:${file.name}:${file.fingerprint}:${dimensions}`,
    dimensions,
    isLocal: true,
    async embed(texts, { kind = "text", signal } = {}) {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        signal?.throwIfAborted();
        const vector = text.trim() === "" ? [] : await model.vectorOf(`${prompts[kind]}${text}`);
        vectors.push(toUnitLength(vector.length === 0 ? new Float32Array(dimensions) : Float32Array.from(vector)));
      }
      return vectors;
    },
    close: () => model.close(),
  };
};

async function startModel(
  library: Library,
  file: ModelFile,
  signal: AbortSignal | undefined,
): Promise<{ model: RunningModel; dimensions: number }> {
  const complaints: string[] = [];
  const llama = await library.start((words) => complaints.push(words));
  try {
    const model = await runModel(llama, file, signal);
    // a model may have several sizes of vectors: what it sends is what counts
    return { model, dimensions: (await model.vectorOf("Steward")).length };
  } catch (cause) {
    // llama.cpp throws that there is a reason and writes it into its log, which may arrive a moment later
    for (let moment = 0; moment < 2; moment++) await new Promise(setImmediate);
    await llama.dispose();
    signal?.throwIfAborted();
    if (cause instanceof EmbedderFailure) throw cause;
    const reason = visibleLine((complaints[0] ?? reasonOf(cause)).replace(/^.*error loading model: /, ""));
    const sentence = `${file.path} cannot be used (${reason}). Fetch it again, or set memory.embedder.modelPath to another.`;
    throw new EmbedderFailure(sentence, { cause });
  }
}
