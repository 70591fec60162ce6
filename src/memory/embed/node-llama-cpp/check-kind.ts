// Whether the model in a file is of the kind that turns texts into vectors.
import { z } from "zod";
import { EmbedderFailure } from "../embedder.ts";
import type { ModelFile } from "./find-model-file.ts";
import type { Library } from "./load-package.ts";

const General = z.object({ general: z.object({ architecture: z.string(), type: z.string().optional() }) });
const Pooling = z.object({ pooling_type: z.number().optional() });
const Tokenizer = z.object({ tokenizer: z.object({ chat_template: z.string() }) });

// how the vectors of its tokens become one, as llama.cpp numbers it
const noPooling = 0;
const ranking = 4;

/** Throws an EmbedderFailure when it is not, or the signal's reason once it is aborted. */
export async function checkKind(library: Library, file: ModelFile, signal: AbortSignal | undefined): Promise<void> {
  const metadata = await library.readMetadata(file.path, signal).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new EmbedderFailure(`${file.path} is damaged or not whole. Fetch it again.`, { cause });
  });
  const wrong = wrongKind(metadata);
  if (wrong === undefined) return;
  throw new EmbedderFailure(
    `${file.path} holds ${wrong}. Set memory.embedder.modelPath to an embedding model, such as EmbeddingGemma.`,
  );
}

/** What it holds instead, in words. */
export function wrongKind(metadata: unknown): string | undefined {
  const { architecture, type = "model" } = General.safeParse(metadata).data?.general ?? {};
  if (architecture === undefined) return "no model that is known";
  if (architecture === "clip") return "the part of a model that sees pictures";
  if (type !== "model") return `no model of its own (${type})`;
  const ofArchitecture = z.record(z.string(), z.unknown()).safeParse(metadata).data?.[architecture];
  const pooling = Pooling.safeParse(ofArchitecture).data?.pooling_type ?? noPooling;
  if (pooling === ranking) return "a model that puts texts in order";
  if (pooling === noPooling && Tokenizer.safeParse(metadata).success) return "a model for conversations";
  return undefined;
}
