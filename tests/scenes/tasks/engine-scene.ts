import { expect, onTestFinished, vi } from "vitest";
import type { Database } from "../../../src/store/database/database.ts";
import { openEmbeddedEngine } from "../../../src/tasks/engine/embedded-engine.ts";
import type { Claim, Engine } from "../../../src/tasks/engine/engine.ts";
import { storeIn } from "../stores.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export const noon = Date.UTC(2026, 10, 16, 12);
export const [second, hour, day] = [1_000, 3_600_000, 24 * 3_600_000];
export const leaseMs = 30 * second;

export function job(id: string): { id: string; lane: string; payload: unknown } {
  return { id, lane: "main", payload: `of ${id}` };
}

export function idsOf(claims: readonly Claim[]): readonly string[] {
  return claims.map((claim) => claim.job.id);
}

export async function statesIn(engine: Engine): Promise<readonly (readonly [string, string])[]> {
  return (await engine.list({ limit: 100 })).map(({ id, state }) => [id, state] as const).toSorted();
}

/** How far the clock is from where it would be if nobody had set it. */
type Clock = { aheadMs: number };

export function openEngine(database: Database, clock: Clock, onTrouble?: (message: string) => void) {
  return openEmbeddedEngine({
    database,
    world: { nowMs: () => Date.now() + clock.aheadMs },
    steadyMs: () => Date.now(),
    onTrouble: onTrouble ?? ((message) => expect.unreachable(message)),
    soleProcess: true,
  });
}

/** The embedded engine on a real store at noon; time goes by only when `pass` lets it. */
export async function engineScene() {
  // only the engine's own timer and the time; the store goes on as it does
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: noon });
  onTestFinished(() => void vi.useRealTimers());
  const store = await storeIn(await temporaryFolder());
  const clock: Clock = { aheadMs: 0 };
  const troubles: string[] = [];
  let isBroken = false;
  let queries = 0;
  const database: Database = {
    ...store.database,
    query(sql, values) {
      queries += 1;
      return store.database.query(sql, values);
    },
    transaction(durable, work) {
      queries += 1;
      return isBroken ? Promise.reject(new Error("disk I/O error")) : store.database.transaction(durable, work);
    },
  };
  const engine = await openEngine(database, clock, (message) => void troubles.push(message));
  const leave = new AbortController();
  onTestFinished(async () => {
    leave.abort();
    await engine.close();
  });
  return { engine, database, clock, troubles, worker, pass, settled, queries: () => queries, breakDatabase };

  /** Somebody who waits for one job; `claims` fills when it comes. */
  async function worker(name: string) {
    const claims: Claim[] = [];
    void engine.claim(name, { leaseMs, signal: leave.signal }).then((claim) => claim && claims.push(claim));
    await settled();
    return { claims, taken: () => claims[0] ?? expect.unreachable(`${name} has taken nothing`) };
  }

  /** Time goes by, on the clock and for the timers. */
  async function pass(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms);
    await settled();
  }

  function breakDatabase(): () => void {
    isBroken = true;
    return () => {
      isBroken = false;
    };
  }
}

// nothing here waits for the disk, so everything that can go on has done so by then
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
