// Every embedder: a folder and a line. Each is loaded when it is chosen.
import type { EmbedderSettings } from "../../contract/memory/memory-settings.ts";
import type { Embedder, EmbedderDeps, OpenEmbedder } from "./embedder.ts";

const embedders: Readonly<Record<Exclude<EmbedderSettings["provider"], "none">, () => Promise<OpenEmbedder>>> = {
  builtin: async () => (await import("./builtin/open-builtin.ts")).openBuiltin,
  "openai-compatible": async () => (await import("./openai-compatible/open-openai-compatible.ts")).openOpenAiCompatible,
  "node-llama-cpp": async () => (await import("./node-llama-cpp/open-node-llama-cpp.ts")).openNodeLlamaCpp,
};

/** Nothing when the provider is "none". Throws an EmbedderFailure, or the signal's reason once it is aborted. */
export async function openEmbedder(
  settings: EmbedderSettings,
  deps: EmbedderDeps,
  signal?: AbortSignal,
): Promise<Embedder | undefined> {
  if (settings.provider === "none") return undefined;
  const open = await embedders[settings.provider]();
  return open(settings, deps, signal);
}
