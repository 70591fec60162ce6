import { AsyncLocalStorage } from "node:async_hooks";
import type { AnthropicProvider } from "@ai-sdk/anthropic";
import type { ProviderPlace } from "../choice/provider-places.ts";

export type LanguageModel = ReturnType<AnthropicProvider["languageModel"]>;
export type CallOptions = Parameters<LanguageModel["doStream"]>[0];
export type PromptMessage = CallOptions["prompt"][number];
export type ProviderOptions = NonNullable<CallOptions["providerOptions"]>;
type StreamOf<Result> = Result extends { stream: ReadableStream<infer Part> } ? Part : never;
export type StreamPart = StreamOf<Awaited<ReturnType<LanguageModel["doStream"]>>>;

type Fetch = typeof globalThis.fetch;
type Target = { place: ProviderPlace; modelId: string };
export type LanguageModels = ReturnType<typeof openLanguageModels>;

/** Each model is built once, which costs more than a request; what differs from request to request is its fetch. */
export function openLanguageModels() {
  const models = new Map<string, Promise<LanguageModel>>();
  const ownFetch = new AsyncLocalStorage<Fetch>();
  const fetchOfRequest: Fetch = (input, init) => {
    const fetch = ownFetch.getStore();
    if (!fetch) throw new Error("a model spoke outside of a request");
    return fetch(input, init);
  };
  return {
    /** Loads what the first request to this model will need. */
    async prepare(target: Target): Promise<void> {
      await modelFor(target);
    },
    async stream(target: Target, fetch: Fetch, options: CallOptions): Promise<ReadableStream<StreamPart>> {
      const model = await modelFor(target);
      const { stream } = await ownFetch.run(fetch, () => model.doStream(options));
      return stream;
    },
  };

  function modelFor({ place, modelId }: Target): Promise<LanguageModel> {
    const key = JSON.stringify([place.kind, place.baseUrl, place.key, modelId]);
    const known = models.get(key) ?? loadLanguageModel(place, modelId, fetchOfRequest);
    models.set(key, known);
    return known;
  }
}

/** Imports the wire protocol's package only now: a start without a model pays for none of them. */
async function loadLanguageModel(place: ProviderPlace, modelId: string, fetch: Fetch): Promise<LanguageModel> {
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
