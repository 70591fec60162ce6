import type { AnthropicProvider } from "@ai-sdk/anthropic";
import type { ProviderPlace } from "./provider-places.ts";

export type LanguageModel = ReturnType<AnthropicProvider["languageModel"]>;
export type CallOptions = Parameters<LanguageModel["doStream"]>[0];
export type PromptMessage = CallOptions["prompt"][number];
export type ProviderOptions = NonNullable<CallOptions["providerOptions"]>;
type StreamOf<Result> = Result extends { stream: ReadableStream<infer Part> } ? Part : never;
export type StreamPart = StreamOf<Awaited<ReturnType<LanguageModel["doStream"]>>>;

/** Imports the wire protocol's package only now: a start without a model pays for none of them. */
export async function loadLanguageModel(
  place: ProviderPlace,
  modelId: string,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel> {
  // a key must always be given, because the packages would look into the environment for a missing one
  const server = { baseURL: place.baseUrl, apiKey: place.key ?? "none", fetch };
  switch (place.kind) {
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic(server)(modelId);
    }
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      return createOpenAI(server).responses(modelId);
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({ ...server, name: "chat", includeUsage: true })(modelId);
    }
    default:
      return place.kind satisfies never;
  }
}
