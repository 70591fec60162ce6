import { plainModelId } from "./model-name.ts";
import type { ProviderPlace } from "./provider-places.ts";

export type ModelLimits = { contextTokens: number; maxOutputTokens: number };

// the first line whose pattern fits decides
const table: readonly (readonly [beginning: RegExp, contextTokens: number, maxOutputTokens: number])[] = [
  [/^claude-(fable|opus|sonnet|haiku)-5/, 1_000_000, 128_000],
  [/^claude-opus-4-[678]/, 200_000, 128_000],
  [/^claude-(opus-4-5|sonnet-4|haiku-4)/, 200_000, 64_000],
  [/^claude-opus-4/, 200_000, 32_000],
  [/^claude-3/, 200_000, 4_096],
  [/^gpt-(6|5-6)/, 1_050_000, 128_000],
  [/^gpt-5-[45]/, 1_000_000, 128_000],
  [/^gpt-5/, 400_000, 128_000],
  [/^gpt-4-1/, 1_000_000, 32_768],
  [/^gpt-4o/, 128_000, 16_384],
];

// a local server cuts what is too long without saying so, hence the careful guess; the setting contextTokens corrects it
const localLimits: ModelLimits = { contextTokens: 16_384, maxOutputTokens: 8_192 };
const unknownLimits: ModelLimits = { contextTokens: 128_000, maxOutputTokens: 16_384 };

export function limitsOf(place: ProviderPlace | undefined, model: string): ModelLimits {
  const id = plainModelId(model);
  const line = place?.isLocal ? undefined : table.find(([beginning]) => beginning.test(id));
  const known = line ? { contextTokens: line[1], maxOutputTokens: line[2] } : unknownLimits;
  const usual = place?.isLocal ? localLimits : known;
  return {
    contextTokens: place?.contextTokens ?? usual.contextTokens,
    maxOutputTokens: place?.maxOutputTokens ?? usual.maxOutputTokens,
  };
}
