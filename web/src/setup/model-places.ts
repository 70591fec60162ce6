import type { MethodResult } from "../../../src/contract/wire/method.ts";

export type ModelPlace = MethodResult<"setup.status">["providers"][number];

/** What is nearest at hand first: running here, then with a known key, then the rest. */
export function orderPlaces(places: readonly ModelPlace[]): ModelPlace[] {
  return [...places].sort((one, other) => rank(one) - rank(other));
}

function rank(place: ModelPlace): number {
  if (place.running) return 0;
  return place.keyFrom === undefined ? 2 : 1;
}

/** A server of this machine that does not answer cannot be chosen; it is named so that people know it could. */
export function isOffered(place: ModelPlace): boolean {
  return place.running !== false || place.needsKey || place.keyFrom !== undefined;
}

/** What is known of the model in use, without having asked it anything. */
export function chosenWords(chosen: string, places: readonly ModelPlace[]): { isWell: boolean; words: string } {
  const place = places.find(({ id }) => chosen.startsWith(`${id}/`));
  if (place?.running === false)
    return {
      isWell: false,
      words: `is chosen, but ${place.name} is not running. Start it, or choose another one here.`,
    };
  if (place?.needsKey && place.keyFrom === undefined)
    return { isWell: false, words: `is chosen, but no key for ${place.name} is known. Give it one here.` };
  return { isWell: true, words: "is chosen. You can test it or choose another one here." };
}

export function placeWords(place: ModelPlace): string {
  if (place.running)
    return place.models.length > 0 ? `Running here with ${modelCount(place)}` : "Running here, with no model yet";
  if (place.keyFrom !== undefined) return `Key found in ${place.keyFrom}`;
  if (place.needsKey) return "Needs a key";
  return place.running === false ? "Not running" : "Needs no key";
}

function modelCount(place: ModelPlace): string {
  return place.models.length === 1 ? "one model" : `${place.models.length} models`;
}

/** The model names to choose from, without the provider in front. */
export function suggestedModels(place: ModelPlace): string[] {
  return place.models.map((model) => bareModel(place.id, model));
}

/** `ollama`, `llama3.2` → `ollama/llama3.2`, also when the provider stands in front already. */
export function fullModel(provider: string, model: string): string {
  return `${provider}/${bareModel(provider, model.trim())}`;
}

function bareModel(provider: string, model: string): string {
  return model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model;
}

export type SetupForm = { provider: string; apiKey: string; baseUrl: string; model: string };

/** What keeps the form from being tried, by field; nothing when it can be. */
export function setupProblems(
  form: SetupForm,
  place: ModelPlace | undefined,
): Partial<Record<keyof SetupForm, string>> {
  const isOwnServer = place === undefined;
  const key = form.apiKey.trim();
  return {
    ...(isOwnServer &&
      !/^[a-z0-9-]{1,40}$/.test(form.provider) && { provider: "Small letters, figures and dashes only." }),
    ...(place?.needsKey && place.keyFrom === undefined && key === "" && { apiKey: "Paste the key here." }),
    ...(/\s/.test(key) && { apiKey: "A key has no spaces in it: something was copied along." }),
    ...addressProblem(form.baseUrl.trim(), isOwnServer),
    ...(form.model.trim() === "" && { model: "Choose or type a model." }),
  };
}

function addressProblem(address: string, needed: boolean): { baseUrl?: string } {
  if (address === "") return needed ? { baseUrl: "Say where the server is." } : {};
  const isAddress = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  return isAddress ? {} : { baseUrl: "This must be an address such as http://127.0.0.1:8080/v1." };
}

/** What models.test and models.connect are told. */
export function toChoice(form: SetupForm): { provider: string; model: string; apiKey?: string; baseUrl?: string } {
  const apiKey = form.apiKey.trim();
  const baseUrl = form.baseUrl.trim();
  return {
    provider: form.provider,
    model: fullModel(form.provider, form.model),
    ...(apiKey !== "" && { apiKey }),
    ...(baseUrl !== "" && { baseUrl }),
  };
}
