// The embedders of all indexes of this thread: each is opened when it is first needed. The built-in one is always there, for what is
// close in meaning to a word is told by its table.

import type { EmbedderSettings } from "../../contract/memory/memory-settings.ts";
import { openTokenTable, type TokenTable } from "../embed/builtin/token-table.ts";
import { type Embedder, type EmbedderDeps, EmbedderFailure } from "../embed/embedder.ts";
import { openEmbedder } from "../embed/embedder-list.ts";
import { openRanker, type Ranker } from "../search/order/ranker.ts";
import { openKinds } from "../text/kinds.ts";

export type Embedders = {
  /** What every search needs, whichever embedder serves. */
  searching(): Promise<{ table: TokenTable; ranker: Ranker; kinds: ReadonlyMap<string, ReadonlySet<string>> }>;
  /** Undefined: none is wanted. Throws an EmbedderFailure. */
  of(settings: EmbedderSettings): Promise<Embedder | undefined>;
  close(): Promise<void>;
};

// a server that was down is asked again after a while, and not with every search
const forgiveAfterMs = 30_000;

export function openEmbedders(deps: EmbedderDeps): Embedders {
  const opened = new Map<string, Promise<Embedder | undefined>>();
  const failed = new Map<string, { atMs: number; cause: EmbedderFailure }>();
  let searching: ReturnType<Embedders["searching"]> | undefined;
  const nowMs = deps.nowMs ?? Date.now;
  return {
    searching: searchingNow,
    async of(settings) {
      const key = JSON.stringify(settings);
      const failure = failed.get(key);
      if (failure && nowMs() - failure.atMs < forgiveAfterMs) throw failure.cause;
      const embedder = opened.get(key) ?? open(settings);
      opened.set(key, embedder);
      try {
        return await embedder;
      } catch (cause) {
        opened.delete(key);
        if (cause instanceof EmbedderFailure) failed.set(key, { atMs: nowMs(), cause });
        throw cause;
      }
    },
    async close() {
      for (const embedder of opened.values()) await (await embedder.catch(() => undefined))?.close();
    },
  };

  async function open(settings: EmbedderSettings): Promise<Embedder | undefined> {
    const isBuiltin = settings.provider === "builtin";
    return openEmbedder(settings, { ...deps, ...(isBuiltin && { tokenTable: (await searchingNow()).table }) });
  }

  function searchingNow(): ReturnType<Embedders["searching"]> {
    searching ??= openSearching().catch((cause) => {
      // a table that could not be read may be there again
      searching = undefined;
      throw cause;
    });
    return searching;
  }
}

async function openSearching() {
  return { table: await openTokenTable(), ranker: openRanker(), kinds: openKinds() };
}
