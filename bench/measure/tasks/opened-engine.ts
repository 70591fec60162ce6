import { openStore } from "../../../src/store/open-store.ts";
import { openEmbeddedEngine } from "../../../src/tasks/engine/embedded-engine.ts";
import type { Engine } from "../../../src/tasks/engine/engine.ts";

export type OpenedEngine = AsyncDisposable & { engine: Engine };

/** The embedded engine on a store of its own, as the daemon has it. */
export async function openEngineIn(home: string): Promise<OpenedEngine> {
  const onTrouble = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  const store = await openStore({ home, nowMs: () => Date.now(), redact: (text) => text, onTrouble });
  const world = { nowMs: () => Date.now() };
  const engine = await openEmbeddedEngine({ database: store.database, world, onTrouble, soleProcess: true });
  return {
    engine,
    async [Symbol.asyncDispose]() {
      await engine.close();
      await store.close();
    },
  };
}
