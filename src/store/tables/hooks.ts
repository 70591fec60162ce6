// Addresses at which other programs may knock: kept by the hash of the secret part of their path.
import { z } from "zod";
import type { Database, Queryable } from "../database/database.ts";
import { insertRow, rowReader } from "../database/rows.ts";

const StoredHook = z.object({
  id: z.string(),
  name: z.string(),
  /** What the assistant is told to do with what comes in. */
  prompt: z.string(),
  /** `whsec_…`: only signed requests are taken. */
  secret: z.string().optional(),
  createdAtMs: z.number(),
});
export type StoredHook = z.infer<typeof StoredHook>;
const readHook = rowReader(StoredHook);

export async function listHooks(db: Queryable): Promise<readonly StoredHook[]> {
  return (await db.query("SELECT * FROM hooks ORDER BY created_at_ms, id")).map(readHook);
}

export async function findHook(db: Queryable, tokenHash: string): Promise<StoredHook | undefined> {
  return (await db.query("SELECT * FROM hooks WHERE token_hash = ?", [tokenHash])).map(readHook)[0];
}

export async function addHook(db: Database, hook: StoredHook, tokenHash: string): Promise<void> {
  await db.transaction(true, (tx) => insertRow(tx, "hooks", { ...hook, tokenHash }));
}

/** False when there is none with this id. */
export async function removeHook(db: Database, id: string): Promise<boolean> {
  return db.transaction(true, async (tx) => {
    return (await tx.query("DELETE FROM hooks WHERE id = ? RETURNING id", [id])).length > 0;
  });
}
