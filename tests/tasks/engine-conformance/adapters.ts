// Every engine that must pass the same tests. What an engine is opened on may have been left by a process that was killed.
import type { Queryable } from "../../../src/store/database/database.ts";
import type { EventLog } from "../../../src/store/log/event-log.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { holdsJob } from "../../../src/store/tasks/jobs.ts";
import { openEmbeddedEngine } from "../../../src/tasks/engine/embedded-engine.ts";
import type { Claim, Engine } from "../../../src/tasks/engine/engine.ts";

export type OpenedEngine = {
  engine: Engine;
  log: EventLog;
  /** Asked in the transaction that writes an event for the job. */
  holds(tx: Queryable, claim: Claim): Promise<boolean>;
  close(): Promise<void>;
};

export type Adapter = { name: string; open(folder: string): Promise<OpenedEngine> };

export const adapters: readonly Adapter[] = [{ name: "embedded", open: openEmbedded }];

export function adapterCalled(name: string | undefined): Adapter {
  const adapter = adapters.find((each) => each.name === name);
  if (!adapter) throw new Error(`There is no engine called ${name}.`);
  return adapter;
}

async function openEmbedded(folder: string): Promise<OpenedEngine> {
  const onTrouble = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  const store = await openStore({ home: folder, nowMs: () => Date.now(), redact: (text) => text, onTrouble });
  const engine = await openEmbeddedEngine({
    database: store.database,
    world: { nowMs: () => Date.now() },
    onTrouble,
    soleProcess: true,
  });
  return {
    engine,
    log: store.log,
    holds: (tx, { job, fence }) => holdsJob(tx, { id: job.id, fence }),
    async close() {
      await engine.close();
      await store.close();
    },
  };
}
