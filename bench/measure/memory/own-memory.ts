// The memory itself, with its thread and its index on the disk, over the notes of one folder.
import { MemorySettings } from "../../../src/contract/memory/memory-settings.ts";
import type { Memory } from "../../../src/memory/memory.ts";
import { openMemory } from "../../../src/memory/open-memory.ts";
import { pause } from "../figures.ts";
import type { Result } from "./judged.ts";

export type Ranking = MemorySettings["search"]["ranking"];

export function openOwnMemory(place: { home: string; workspace: string }, ranking: Ranking = "learned"): Memory {
  return openMemory({
    ...place,
    settings: MemorySettings.parse({ conversations: false, search: { ranking } }),
    ...{ environment: {}, storedKeys: {}, groups: async () => [], nowMs: Date.now },
    conversations: { next: async () => undefined, subscribe: () => () => {} },
    trouble: (message, cause) => console.error(message, cause ?? ""),
  });
}

/** Resolves with how many units there are once everything has been read. */
export async function readWhole(memory: Memory): Promise<number> {
  await memory.search({}, "everything");
  for (;;) {
    const askedMs = performance.now();
    const { state, units, trouble } = await memory.status({});
    if (trouble !== undefined) throw new Error(`The memory is not well: ${trouble}`);
    if (state !== "reading") return units;
    // asking must not hold up what it asks about
    await pause(Math.max(20, (performance.now() - askedMs) * 10));
  }
}

export async function resultsOf(
  memory: Memory,
  query: string,
  options: { limit: number; maxTokens?: number },
): Promise<{ ms: number; results: readonly Result[] }> {
  const { finds, ms, note } = await memory.search({}, query, options);
  if (note !== undefined) throw new Error(`The memory did not see everything: ${note}`);
  return {
    ms,
    results: finds.flatMap(({ path, startLine, endLine }) =>
      path === undefined || startLine === undefined || endLine === undefined ? [] : [{ path, startLine, endLine }],
    ),
  };
}
