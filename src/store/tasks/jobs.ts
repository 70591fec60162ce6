// Jobs of the embedded engine: when each is due, who works on it, and the number by which a worker's claim is told from a later one.
import { z } from "zod";
import type { Queryable } from "../database/database.ts";
import { insertRow, rowReader } from "../database/rows.ts";

const StoredJob = z.object({
  id: z.string(),
  lane: z.string(),
  state: z.enum(["waiting", "claimed", "done", "cancelled"]),
  dueAtMs: z.number(),
  payload: z.string().transform((text): unknown => JSON.parse(text)),
  fence: z.number(),
});
export type StoredJob = z.infer<typeof StoredJob>;
const readJob = rowReader(StoredJob);

export type FreshJob = Pick<StoredJob, "id" | "lane" | "payload" | "dueAtMs"> & {
  /** 0: at once, whatever a clock that is set back may say. */
  notBeforeMs: number;
};
export type HeldJob = Pick<StoredJob, "id" | "fence">;

/** False when the id is known already. */
export async function addJob(tx: Queryable, { payload, ...job }: FreshJob): Promise<boolean> {
  if ((await tx.query("SELECT 1 FROM jobs WHERE id = ?", [job.id])).length > 0) return false;
  await insertRow(tx, "jobs", { ...job, state: "waiting", payload: JSON.stringify(payload ?? null), fence: 0 });
  return true;
}

/** False when it does not wait. */
export async function moveJob(tx: Queryable, id: string, untilMs: number): Promise<boolean> {
  const sql = "UPDATE jobs SET due_at_ms = ?, not_before_ms = ? WHERE id = ? AND state = 'waiting' RETURNING id";
  return (await tx.query(sql, [untilMs, untilMs, id])).length > 0;
}

/** False when there is none, or it is over. */
export async function cancelJob(tx: Queryable, id: string, nowMs: number): Promise<boolean> {
  const waiting = await tx.query(
    "UPDATE jobs SET state = 'cancelled', over_at_ms = ? WHERE id = ? AND state = 'waiting' RETURNING id",
    [nowMs, id],
  );
  if (waiting.length > 0) return true;
  const sql = "UPDATE jobs SET is_cancelled = 1 WHERE id = ? AND state = 'claimed' RETURNING id";
  return (await tx.query(sql, [id])).length > 0;
}

/** The job that has been due longest in a lane where nobody works. */
export async function claimDueJob(
  tx: Queryable,
  holder: { worker: string; leaseMs: number },
  nowMs: number,
): Promise<StoredJob | undefined> {
  const [next] = await tx.query(`SELECT id FROM jobs WHERE ${isFree} AND not_before_ms <= ? ${inOrder} LIMIT 1`, [
    nowMs,
  ]);
  if (!next) return undefined;
  const rows = await tx.query(
    `UPDATE jobs SET state = 'claimed', fence = fence + 1, worker = ?, lease_ms = ?, lease_until_ms = ?
     WHERE id = ? RETURNING *`,
    [holder.worker, holder.leaseMs, nowMs + holder.leaseMs, String(next.id)],
  );
  return rows.map(readJob)[0];
}

const isFree =
  "state = 'waiting' AND NOT EXISTS (SELECT 1 FROM jobs AS busy WHERE busy.state = 'claimed' AND busy.lane = jobs.lane)";
const inOrder = "ORDER BY not_before_ms, due_at_ms, id";

/** When the next job is due or the next lease runs out; undefined when there is neither. */
export async function nextJobTime(tx: Queryable): Promise<number | undefined> {
  const due = await tx.query(`SELECT not_before_ms AS at_ms FROM jobs WHERE ${isFree} ${inOrder} LIMIT 1`);
  const leases = await tx.query("SELECT MIN(lease_until_ms) AS at_ms FROM jobs WHERE state = 'claimed'");
  const times = [...due, ...leases].flatMap(({ at_ms }) => (at_ms === null ? [] : [Number(at_ms)]));
  return times.length > 0 ? Math.min(...times) : undefined;
}

/**
 * Whether this claim is still the one that counts: asked in the transaction that writes what depends on it.
 * @public what every adapter must be able to tell; runs themselves are kept apart by their keys in the log
 */
export async function holdsJob(tx: Queryable, held: HeldJob): Promise<boolean> {
  return (await tx.query(`SELECT 1 FROM jobs WHERE ${isHeld}`, [held.id, held.fence])).length > 0;
}

const isHeld = "id = ? AND fence = ? AND state = 'claimed'";

/** Undefined when the claim was lost. */
export async function renewLease(
  tx: Queryable,
  held: HeldJob,
  nowMs: number,
): Promise<{ isCancelled: boolean } | undefined> {
  const [row] = await tx.query(`UPDATE jobs SET lease_until_ms = lease_ms + ? WHERE ${isHeld} RETURNING is_cancelled`, [
    nowMs,
    held.id,
    held.fence,
  ]);
  return row && { isCancelled: Number(row.is_cancelled) === 1 };
}

/** The clock by which they were given was moved by so much. */
export async function moveLeases(tx: Queryable, byMs: number): Promise<void> {
  await tx.query("UPDATE jobs SET lease_until_ms = lease_until_ms + ? WHERE state = 'claimed'", [byMs]);
}

/** Over, or waiting for its next time; false when the claim was lost. */
export async function settleJob(
  tx: Queryable,
  held: HeldJob,
  settled: { againAtMs: number | undefined; nowMs: number },
): Promise<boolean> {
  const { againAtMs = null, nowMs } = settled;
  const ending = againAtMs === null ? "done" : "waiting";
  const rows = await tx.query(
    `UPDATE jobs SET worker = NULL, lease_ms = NULL, lease_until_ms = NULL,
       state = CASE WHEN is_cancelled = 1 THEN 'cancelled' ELSE '${ending}' END,
       over_at_ms = CASE WHEN is_cancelled = 1 OR '${ending}' = 'done' THEN ? ELSE NULL END,
       due_at_ms = COALESCE(?, due_at_ms), not_before_ms = COALESCE(?, not_before_ms)
     WHERE ${isHeld} RETURNING id`,
    [nowMs, againAtMs, againAtMs, held.id, held.fence],
  );
  return rows.length > 0;
}

/** Claims whose lease has run out wait again, at once: they were due before. Those that were cancelled are over. */
export async function releaseExpired(tx: Queryable, nowMs: number): Promise<void> {
  await release(tx, "state = 'claimed' AND lease_until_ms <= ?", nowMs, [nowMs]);
}

/** Every claim, whoever held it. */
export async function releaseAll(tx: Queryable, nowMs: number): Promise<void> {
  await release(tx, "state = 'claimed'", nowMs, []);
}

/** A claim that nobody came for. */
export async function releaseOne(tx: Queryable, held: HeldJob, nowMs: number): Promise<void> {
  await release(tx, isHeld, nowMs, [held.id, held.fence]);
}

async function release(
  tx: Queryable,
  which: string,
  nowMs: number,
  values: readonly (string | number)[],
): Promise<void> {
  await tx.query(
    `UPDATE jobs SET worker = NULL, lease_ms = NULL, lease_until_ms = NULL, not_before_ms = 0,
       state = CASE WHEN is_cancelled = 1 THEN 'cancelled' ELSE 'waiting' END,
       over_at_ms = CASE WHEN is_cancelled = 1 THEN ? ELSE NULL END
     WHERE ${which}`,
    [nowMs, ...values],
  );
}

export async function listJobs(
  db: Queryable,
  filter: { lane?: string; state?: StoredJob["state"]; limit: number },
): Promise<readonly StoredJob[]> {
  const wanted = [
    ...(filter.lane === undefined ? [] : [{ sql: "lane = ?", value: filter.lane }]),
    ...(filter.state === undefined ? [] : [{ sql: "state = ?", value: filter.state }]),
  ];
  const where = wanted.length > 0 ? `WHERE ${wanted.map(({ sql }) => sql).join(" AND ")}` : "";
  const sql = `SELECT * FROM jobs ${where} ORDER BY due_at_ms, id LIMIT ?`;
  return (await db.query(sql, [...wanted.map(({ value }) => value), filter.limit])).map(readJob);
}

/** Some of those that were over before this time. */
export async function pruneJobs(tx: Queryable, beforeMs: number, most: number): Promise<void> {
  await tx.query(
    "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE over_at_ms IS NOT NULL AND over_at_ms < ? ORDER BY over_at_ms LIMIT ?)",
    [beforeMs, most],
  );
}
