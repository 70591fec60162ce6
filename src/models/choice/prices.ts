import type { Usage } from "../../contract/model.ts";
import type { Settings } from "../../contract/settings.ts";
import { plainModelId, splitModelName } from "./model-name.ts";

export type Price = Settings["models"]["prices"][string];

// US dollars for a million tokens: read, written, read from the cache, written to the cache.
// The first line whose beginning fits decides, so the longer names of a family stand first.
const table: readonly (readonly [beginning: RegExp, number, number, number?, number?])[] = [
  [/^claude-fable-5-1(-|$)/, 10, 50, 0.25, 12.5],
  [/^claude-fable-5(-|$)/, 10, 50, 1, 12.5],
  [/^claude-opus-5-5(-|$)/, 4, 20, 0.4, 5],
  [/^claude-opus-(5|4-[5-8])(-|$)/, 5, 25, 0.5, 6.25],
  [/^claude-opus-4(-|$)/, 15, 75, 1.5, 18.75],
  [/^claude-sonnet-5(-|$)/, 2, 10, 0.2, 2.5],
  [/^claude-sonnet-4(-|$)/, 3, 15, 0.3, 3.75],
  [/^claude-haiku-5-5(-|$)/, 0.1, 0.5, 0.01, 0.125],
  [/^claude-haiku-4-5(-|$)/, 1, 5, 0.1, 1.25],
  [/^gpt-6-1-sol(-|$)/, 2, 10, 0.1, 2.5],
  [/^gpt-6-1-terra(-|$)/, 1, 5, 0.05, 1.25],
  [/^gpt-6-sol(-|$)/, 2, 10, 0.2, 2.5],
  [/^gpt-6-luna(-|$)/, 0.1, 0.5, 0.01, 0.125],
  [/^gpt-5-6-sol(-|$)/, 4, 20],
  [/^gpt-5-6-terra(-|$)/, 2, 12, 0.2],
  [/^gpt-5-6-luna(-|$)/, 0.2, 1.2],
  [/^gpt-5-[45]-pro(-|$)/, 30, 180],
  [/^gpt-5-5(-|$)/, 5, 30, 0.5],
  [/^gpt-5-4-mini(-|$)/, 0.75, 4.5, 0.075],
  [/^gpt-5-4-nano(-|$)/, 0.2, 1.25, 0.02],
  [/^gpt-5-4(-|$)/, 2.5, 15, 0.25],
];

/** Undefined: nobody here knows what the model costs. */
export function priceOf(prices: Readonly<Record<string, Price>>, name: string, isLocal: boolean): Price | undefined {
  const set = prices[name];
  if (set) return set;
  if (isLocal) return { input: 0, output: 0 };
  const id = plainModelId(splitModelName(name)?.model ?? name);
  const line = table.find(([beginning]) => beginning.test(id));
  if (!line) return undefined;
  const [, input, output, cacheRead, cacheWrite] = line;
  return { input, output, cacheRead, cacheWrite };
}

/** `inputTokens` counts everything that was read, so what the cache read or wrote is taken out of it first. */
export function costUsdOf(price: Price | undefined, usage: Usage): number | undefined {
  if (!price) return undefined;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const uncached = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const dollars =
    uncached * price.input +
    cacheReadTokens * (price.cacheRead ?? price.input) +
    cacheWriteTokens * (price.cacheWrite ?? price.input) +
    outputTokens * price.output;
  return dollars / 1_000_000;
}
