// What connecting a model needs of this room: where models could come from, whether one answers, what is to be kept.
import type { Settings } from "../../contract/settings.ts";
import type { ProviderChoice, ProviderSummary } from "../../contract/wire/methods/settings.ts";
import { wellKnownModels } from "./choose-models.ts";
import { findChosenPlace, providerEntry } from "./chosen-place.ts";
import { openLocalServers } from "./local-servers.ts";
import { type ProviderPlace, type ProviderSources, readProviderPlaces } from "./provider-places.ts";
import { type TestModelDeps, testModel } from "./test-model.ts";

export type ModelSetupDeps = Omit<TestModelDeps, "settings" | "storedKeys"> & {
  /** As saved, with the environment's values in place: a choice may have been kept that is not in force yet. */
  settings(): Promise<Settings>;
  storedKeys(): Promise<Readonly<Record<string, string>>>;
};

export type ModelSetup = ReturnType<typeof openModelSetup>;

/** The settings that make the choice, or why it cannot be made. */
type SetupPlan = { ok: true; changes: { key: string; value: unknown }[] } | { ok: false; problem: string };

export function openModelSetup(deps: ModelSetupDeps) {
  return {
    providers: async () => listProviders(await now()),
    test: async (choice: ProviderChoice) => testModel(await now(), choice),
    plan: async (choice: ProviderChoice) => planChoice(await now(), choice),
  };

  async function now() {
    const [settings, storedKeys] = await Promise.all([deps.settings(), deps.storedKeys()]);
    return { ...deps, settings, storedKeys };
  }
}

const names: Readonly<Record<string, string>> = {
  anthropic: "Anthropic",
  openai: "OpenAI",
  openrouter: "OpenRouter",
  ollama: "Ollama",
  lmstudio: "LM Studio",
  llamacpp: "llama.cpp",
};

/** Every place that could serve a model, with what is known without asking a server on the internet. */
async function listProviders(deps: TestModelDeps): Promise<ProviderSummary[]> {
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
      ...(settings.models.probeLocal && place.name in deps.localPorts && { running: server !== undefined }),
      models: server ? [...server.models] : knownModels(settings, place.name),
    };
  });
}

function whereFrom(deps: ProviderSources, place: ProviderPlace): string | undefined {
  if (place.key === undefined) return undefined;
  return deps.storedKeys[place.name] === undefined ? place.keyVariable : "auth.json";
}

function knownModels(settings: Settings, provider: string): string[] {
  const { model, fallbackModels } = settings.agent;
  const set = [...(model ? [model] : []), ...fallbackModels].filter((name) => name.startsWith(`${provider}/`));
  const known = (wellKnownModels[provider] ?? []).map((id) => `${provider}/${id}`);
  return [...new Set([...known, ...set])];
}

function planChoice(sources: ProviderSources, choice: ProviderChoice): SetupPlan {
  const { provider, model, baseUrl } = choice;
  const chosen = findChosenPlace(sources, choice);
  if (!chosen.ok) return chosen;
  const changes: { key: string; value: unknown }[] = [{ key: "agent.model", value: model }];
  if (baseUrl !== undefined)
    changes.push({ key: `models.providers.${provider}`, value: providerEntry(sources, provider, baseUrl) });
  return { ok: true, changes };
}
