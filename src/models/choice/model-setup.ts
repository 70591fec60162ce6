// What connecting a model needs of this room: where models could come from, whether one answers, what is to be kept.
import type { Settings } from "../../contract/settings.ts";
import type { ProviderChoice } from "../../contract/wire/methods/settings.ts";
import { findChosenPlace, providerEntry } from "./chosen-place.ts";
import { listProviders } from "./list-providers.ts";
import type { LocalPorts, ProviderSources } from "./provider-places.ts";
import { testModel } from "./test-model.ts";

export type ModelSetupDeps = {
  /** As saved, with the environment's values in place: a choice may have been kept that is not in force yet. */
  settings(): Promise<Settings>;
  storedKeys(): Promise<Readonly<Record<string, string>>>;
  environment: Readonly<Record<string, string | undefined>>;
  fetch: typeof fetch;
  nowMs(): number;
  redact(text: string): string;
  localPorts: LocalPorts;
  timeLimitMs?: number;
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

function planChoice(sources: ProviderSources, choice: ProviderChoice): SetupPlan {
  const { provider, model, baseUrl } = choice;
  const chosen = findChosenPlace(sources, choice);
  if (!chosen.ok) return chosen;
  const changes: { key: string; value: unknown }[] = [{ key: "agent.model", value: model }];
  if (baseUrl !== undefined)
    changes.push({ key: `models.providers.${provider}`, value: providerEntry(sources, provider, baseUrl) });
  return { ok: true, changes };
}
