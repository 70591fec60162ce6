// Deletions that are still to be carried out elsewhere: noted with the event that says so, gone when nothing is left to do.
import { z } from "zod";
import type { Database, Queryable } from "../database/database.ts";
import { putCursor } from "./cursors.ts";

// names: of files by their hashes, which the conversation's events spoke of; others may speak of them too
// seqs: only these events of it go; outputs: what of long outputs was kept for them
const Noted = z.object({
  ...{ key: z.string(), names: z.array(z.string()) },
  seqs: z.array(z.number()).optional(),
  outputs: z.array(z.string()).optional(),
});
export type Forgetting = z.infer<typeof Noted> & { throughSeq: number };

export async function noteForgetting(
  tx: Queryable,
  { key, seq, seqs }: { key: string; seq: number; seqs?: readonly number[] },
  bodies: readonly string[],
): Promise<void> {
  const names = [...new Set(bodies.flatMap(hashesIn))];
  const outputs = seqs && [...new Set(bodies.flatMap((body) => body.match(/\bout_[0-9a-f]{16}\b/g) ?? []))];
  const detail = JSON.stringify({ key, names, seqs, outputs });
  await putCursor(tx, `forgetting ${seq}`, { seq, detail });
}

export function hashesIn(body: string): readonly string[] {
  return body.match(/(?<=")[0-9a-f]{64}(?=")/g) ?? [];
}

export async function listForgetting(db: Queryable): Promise<readonly Forgetting[]> {
  const rows = await db.query("SELECT seq, detail FROM cursors WHERE name LIKE 'forgetting %' ORDER BY seq");
  return rows.map((row) => ({ ...Noted.parse(JSON.parse(String(row.detail))), throughSeq: Number(row.seq) }));
}

export async function endForgetting(db: Database, { throughSeq }: Forgetting): Promise<void> {
  await db.transaction(false, (tx) => tx.query("DELETE FROM cursors WHERE name = ?", [`forgetting ${throughSeq}`]));
}
