import type { Settings } from "../../contract/settings.ts";
import type { ProviderChoice } from "../../contract/wire/methods/settings.ts";
import { splitModelName } from "./model-name.ts";
import { type ProviderPlace, type ProviderSources, readProviderPlaces } from "./provider-places.ts";

export type ChosenPlace = { ok: true; place: ProviderPlace; modelId: string } | { ok: false; problem: string };

export function findChosenPlace(sources: ProviderSources, choice: ProviderChoice): ChosenPlace {
  const { provider, model, apiKey, baseUrl } = choice;
  const parts = splitModelName(model);
  if (parts?.provider !== provider)
    return { ok: false, problem: `${model} is not a model of ${provider}. Its models are named ${provider}/….` };
  const known = readProviderPlaces(sources).get(provider);
  const place = baseUrl === undefined ? known : placeAt(sources, provider, baseUrl);
  if (!place) return { ok: false, problem: `There is no provider called ${provider}. Give the address of its server.` };
  // a key that is known already was meant for the old address, and goes to no other by itself
  const isElsewhere = place.baseUrl !== known?.baseUrl;
  const key = apiKey?.trim() ?? (isElsewhere ? undefined : place.key);
  if (place.needsKey && key === undefined) return { ok: false, problem: missingWords(provider, known) };
  if (key !== undefined && /[^\x21-\x7e]/.test(key))
    return { ok: false, problem: "The key holds spaces or other characters that no key has. Copy it again." };
  return { ok: true, place: { ...place, key }, modelId: parts.model };
}

function missingWords(provider: string, known: ProviderPlace | undefined): string {
  return known?.key === undefined
    ? `${provider} needs a key, and none is known yet.`
    : `The key of ${provider} is known for another address. Give it again for this one.`;
}

function placeAt(sources: ProviderSources, provider: string, baseUrl: string): ProviderPlace | undefined {
  const { settings } = sources;
  const providers = { ...settings.models.providers, [provider]: providerEntry(sources, provider, baseUrl) };
  return readProviderPlaces({ ...sources, settings: { ...settings, models: { ...settings.models, providers } } }).get(
    provider,
  );
}

/** What stands under models.providers for a server that the owner names; its protocol is kept where it is known. */
export function providerEntry(
  sources: ProviderSources,
  provider: string,
  baseUrl: string,
): Settings["models"]["providers"][string] {
  const kind = readProviderPlaces(sources).get(provider)?.kind ?? "openai-compatible";
  return { ...sources.settings.models.providers[provider], kind, baseUrl };
}
