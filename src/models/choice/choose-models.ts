import type { ModelChoice } from "../../contract/model.ts";
import type { Settings } from "../../contract/settings.ts";
import type { LocalServers } from "./local-servers.ts";
import { limitsOf } from "./model-limits.ts";
import { splitModelName } from "./model-name.ts";
import { priceOf } from "./prices.ts";
import type { ProviderPlace } from "./provider-places.ts";

export type ChoiceDeps = {
  settings: Settings;
  places: ReadonlyMap<string, ProviderPlace>;
  localServers: LocalServers;
  offlineName: string;
};

// the first of each is what is used when only a key is there
export const wellKnownModels: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5"],
  openai: ["gpt-6.1-sol", "gpt-6.1-terra", "gpt-6-luna"],
  openrouter: ["anthropic/claude-sonnet-5.5", "openai/gpt-6.1-sol", "openai/gpt-6.1-terra"],
};

/** The model to use first, then the fallbacks; the offline model stands here only when there is no other. */
export async function chooseModels(deps: ChoiceDeps, wish: string | undefined): Promise<readonly ModelChoice[]> {
  const first = wish ? describe(deps, wish, "asked for") : await bestModel(deps);
  const fallbacks = deps.settings.agent.fallbackModels.map((name) => describe(deps, name, "fallback setting"));
  return withoutRepeats([first, ...fallbacks]);
}

/** Every model that could answer now, as far as that can be known without asking a server on the internet. */
export async function listModels(deps: ChoiceDeps): Promise<readonly ModelChoice[]> {
  const { model, fallbackModels } = deps.settings.agent;
  const set = [...(model ? [model] : []), ...fallbackModels].map((name) => describe(deps, name, "setting"));
  const known = Object.entries(wellKnownModels).flatMap(([provider, models]) =>
    deps.places.get(provider)?.key ? models.map((id) => describe(deps, `${provider}/${id}`, "credential")) : [],
  );
  const local = (await localModels(deps)).map((name) => describe(deps, name, "local server"));
  return withoutRepeats([...set, ...known, ...local, describe(deps, deps.offlineName, "built in")]);
}

async function bestModel(deps: ChoiceDeps): Promise<ModelChoice> {
  if (deps.settings.agent.model) return describe(deps, deps.settings.agent.model, "setting");
  for (const [provider, [model]] of Object.entries(wellKnownModels)) {
    if (deps.places.get(provider)?.key) return describe(deps, `${provider}/${model}`, "credential");
  }
  const [local] = await localModels(deps);
  return local ? describe(deps, local, "local server") : describe(deps, deps.offlineName, "built in");
}

async function localModels(deps: ChoiceDeps): Promise<readonly string[]> {
  return deps.settings.models.probeLocal ? deps.localServers.models() : [];
}

function describe(deps: ChoiceDeps, name: string, source: string): ModelChoice {
  const parts = splitModelName(name);
  const place = parts && deps.places.get(parts.provider);
  const isFree = name === deps.offlineName || place?.isLocal === true;
  const price = priceOf(deps.settings.models.prices, name, isFree);
  return { name, ...limitsOf(place, parts?.model ?? name), ...(price && { price }), source };
}

function withoutRepeats(choices: readonly ModelChoice[]): readonly ModelChoice[] {
  return choices.filter((choice, at) => choices.findIndex(({ name }) => name === choice.name) === at);
}
