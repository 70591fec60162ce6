import { z } from "zod";

const Metadata = z.record(z.string(), z.record(z.string(), z.json()));
const StatePart = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), length: z.number(), metadata: Metadata.optional() }),
  z.object({ type: z.literal("reasoning"), text: z.string(), metadata: Metadata.optional() }),
  z.object({ type: z.literal("call"), metadata: Metadata.optional() }),
]);
export type StatePart = z.infer<typeof StatePart>;

// the order of the parts and what the provider attached to them (signatures, item ids, encrypted reasoning);
// the text itself is in the message, only its pieces' lengths are kept here
const ProviderState = z.object({ model: z.string(), parts: z.array(StatePart) });
export type ProviderState = z.infer<typeof ProviderState>;

export function makeState(model: string, parts: readonly StatePart[]): ProviderState | undefined {
  return parts.some((part) => part.metadata) ? { model, parts: [...parts] } : undefined;
}

/** Only the model that made a state gets it back: signatures are bound to it, and another one would refuse the request. */
export function readState(raw: unknown, model: string): ProviderState | undefined {
  if (raw === undefined) return undefined;
  const state = ProviderState.safeParse(raw);
  return state.success && state.data.model === model ? state.data : undefined;
}

const rememberedStates = 2000;

/** States that a provider refused once, such as thinking whose earlier messages have been summarised since. */
export type RefusedStates = { has(state: ProviderState): boolean; add(states: readonly ProviderState[]): void };

export function openRefusedStates(): RefusedStates {
  const keys = new Set<string>();
  return {
    has: (state) => keys.has(keyOf(state)),
    add(states) {
      for (const state of states) keys.add(keyOf(state));
      for (const key of keys) {
        if (keys.size <= rememberedStates) break;
        keys.delete(key);
      }
    },
  };
}

// the ends of signatures and ids tell states apart; keeping them whole would keep megabytes
function keyOf(state: ProviderState): string {
  return state.parts.map((part) => JSON.stringify(part.metadata ?? part.type).slice(-48)).join("|");
}
