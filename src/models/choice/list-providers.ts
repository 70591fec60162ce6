import type { Settings } from "../../contract/settings.ts";
import type { ProviderSummary } from "../../contract/wire/methods/settings.ts";
import { wellKnownModels } from "./choose-models.ts";
import { openLocalServers } from "./local-servers.ts";
import { type ProviderPlace, type ProviderSources, readProviderPlaces } from "./provider-places.ts";

export type ProvidersDeps = ProviderSources & { fetch: typeof fetch; nowMs(): number };

const names: Readonly<Record<string, string>> = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  openrouter: "OpenRouter",
  ollama: "Ollama",
  lmstudio: "LM Studio",
  llamacpp: "llama.cpp",
};

/** Every place that could serve a model, with what is known without asking a server on the internet. */
export async function listProviders(deps: ProvidersDeps): Promise<ProviderSummary[]> {
  const { settings, fetch, nowMs } = deps;
  const probes = openLocalServers({ fetch, nowMs, ports: deps.localPorts });
  const running = settings.models.probeLocal ? await probes.running() : [];
  return [...readProviderPlaces(deps).values()].map((place) => {
    const server = running.find(({ provider }) => provider === place.name);
    const keyFrom = whereFrom(deps, place);
    return {
      id: place.name,
      name: names[place.name] ?? place.name,
      needsKey: place.needsKey,
      ...(keyFrom !== undefined && { keyFrom }),
      running: server !== undefined,
      models: server ? [...server.models] : knownModels(settings, place.name),
    };
  });
}

function whereFrom(deps: ProvidersDeps, place: ProviderPlace): string | undefined {
  if (place.key === undefined) return undefined;
  return deps.storedKeys[place.name] === undefined ? place.keyVariable : "auth.json";
}

function knownModels(settings: Settings, provider: string): string[] {
  const { model, fallbackModels } = settings.agent;
  const set = [...(model ? [model] : []), ...fallbackModels].filter((name) => name.startsWith(`${provider}/`));
  const known = (wellKnownModels[provider] ?? []).map((id) => `${provider}/${id}`);
  return [...new Set([...known, ...set])];
}
