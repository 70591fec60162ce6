// The engine for one process on one data folder: its jobs are rows of the store, and no server is needed.
import type { World } from "../../contract/world.ts";
import type { Database, Queryable } from "../../store/database/database.ts";
import {
  addJob,
  cancelJob,
  claimDueJob,
  listJobs,
  moveJob,
  moveLeases,
  nextJobTime,
  pruneJobs,
  releaseAll,
  releaseExpired,
  releaseOne,
  renewLease,
  type StoredJob,
  settleJob,
} from "../../store/tasks/jobs.ts";
import { openDueWatch, type Taken, type Waiting } from "./due-watch.ts";
import type { Claim, Engine, Job, NewJob } from "./engine.ts";

export type EmbeddedEngineDeps = {
  database: Database;
  world: Pick<World, "nowMs">;
  onTrouble(message: string, cause: unknown): void;
  /** Runs on evenly when the clock is set, and stands still while the machine sleeps. */
  steadyMs?(): number;
  /** The caller holds the lock of the data folder, so whoever has claimed anything before is gone. */
  soleProcess: true;
};

// Starting a job twice is starting it once for so long after it is over.
const keptMs = 7 * 24 * 3_600_000;
// More than the one that has just ended, so that they get fewer; few enough that nobody waits for it.
const prunedAtOnce = 20;
// Less is what clocks do that are kept right by the network.
const clockWasMovedMs = 1_000;

/**
 * Its writes outlive the process but are not forced to the disk, not even claims. A machine that loses its power loses their holders
 * too, so a fence that is given out again meets nobody; and the write-ahead log keeps its order, so whatever is forced to the disk
 * after a write here brings it along. What is lost at the end of it is run again, or started again by whoever finds work without a
 * job when it opens. Only a cancellation is forced: it must never be taken back.
 */
export async function openEmbeddedEngine(deps: EmbeddedEngineDeps): Promise<Engine> {
  const { database, world, steadyMs = () => performance.now() } = deps;
  let clockAheadMs = world.nowMs() - steadyMs();
  const due = openDueWatch({
    nowMs: world.nowMs,
    take: (waiting) => write((tx) => takeDue(tx, waiting, world.nowMs())),
    putBack: (claim) => write((tx) => releaseOne(tx, heldJob(claim), world.nowMs())),
    onTrouble: deps.onTrouble,
  });
  await write((tx) => releaseAll(tx, world.nowMs()));

  return {
    async start(job) {
      const isNew = await write((tx) => addJob(tx, { ...freshJob(job), dueAtMs: world.nowMs(), notBeforeMs: 0 }));
      if (isNew) due.expect(0);
      return isNew;
    },
    async delay(job, untilMs) {
      const atMs = Math.ceil(untilMs);
      const fresh = { ...freshJob(job), dueAtMs: atMs, notBeforeMs: atMs };
      const isSet = await write(async (tx) => (await addJob(tx, fresh)) || moveJob(tx, job.id, atMs));
      if (isSet) due.expect(atMs);
      return isSet;
    },
    cancel: (id) =>
      database.transaction(true, async (tx) => {
        await prune(tx);
        return cancelJob(tx, id, world.nowMs());
      }),
    claim: (worker, { leaseMs, signal }) => due.next({ worker, leaseMs }, signal),
    async heartbeat(claim) {
      const renewed = await write((tx) => renewLease(tx, heldJob(claim), world.nowMs()));
      if (!renewed) return "lost";
      return renewed.isCancelled ? "cancelled" : "held";
    },
    async finish(claim, outcome) {
      const againAtMs = outcome.kind === "again" ? Math.ceil(outcome.atMs) : undefined;
      const isMine = await write(async (tx) => {
        await prune(tx);
        return settleJob(tx, heldJob(claim), { againAtMs, nowMs: world.nowMs() });
      });
      // another job of the lane may have been due for long
      if (isMine) due.expect(0);
      return isMine;
    },
    list: async (filter) =>
      (await listJobs(database, filter)).map((stored) => ({ ...jobOf(stored), state: stored.state })),
    close: () => due.close(),
  };

  function write<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    return database.transaction(false, async (tx) => {
      await followClock(tx);
      return work(tx);
    });
  }

  // whoever works here has lived through no hour because the clock says so, and must not lose its job by it
  async function followClock(tx: Queryable): Promise<void> {
    const movedMs = Math.round(world.nowMs() - steadyMs() - clockAheadMs);
    if (Math.abs(movedMs) < clockWasMovedMs) return;
    clockAheadMs += movedMs;
    await moveLeases(tx, movedMs);
    due.expect(0);
  }

  function prune(tx: Queryable): Promise<void> {
    return pruneJobs(tx, world.nowMs() - keptMs, prunedAtOnce);
  }
}

async function takeDue(tx: Queryable, waiting: readonly Waiting[], nowMs: number): Promise<Taken> {
  await releaseExpired(tx, nowMs);
  const claims: Claim[] = [];
  for (const { worker, leaseMs } of waiting) {
    const stored = await claimDueJob(tx, { worker, leaseMs }, nowMs);
    if (!stored) break;
    claims.push({ job: jobOf(stored), fence: stored.fence, worker });
  }
  return { claims, nextAtMs: (await nextJobTime(tx)) ?? Number.POSITIVE_INFINITY };
}

function freshJob({ id, lane, payload }: NewJob): NewJob {
  return { id, lane, payload };
}

function heldJob({ job, fence }: Claim): { id: string; fence: number } {
  return { id: job.id, fence };
}

function jobOf({ id, lane, dueAtMs, payload }: StoredJob): Job {
  return { id, lane, dueAtMs, payload };
}
