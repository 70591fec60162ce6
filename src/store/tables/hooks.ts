// Addresses at which other programs may knock: kept by the hash of the secret part of their path.
import type { Database, Queryable, Row } from "../database/database.ts";

export type StoredHook = {
  id: string;
  name: string;
  /** What the assistant is told to do with what comes in. */
  prompt: string;
  /** `whsec_…`: only signed requests are taken. */
  secret: string | undefined;
  createdAtMs: number;
};

export async function listHooks(db: Queryable): Promise<readonly StoredHook[]> {
  return (await db.query("SELECT * FROM hooks ORDER BY created_at_ms, id")).map(readHook);
}

export async function findHook(db: Queryable, tokenHash: string): Promise<StoredHook | undefined> {
  const [row] = await db.query("SELECT * FROM hooks WHERE token_hash = ?", [tokenHash]);
  return row && readHook(row);
}

export async function addHook(db: Database, hook: StoredHook, tokenHash: string): Promise<void> {
  await db.transaction(true, (tx) =>
    tx.query("INSERT INTO hooks (id, token_hash, secret, name, prompt, created_at_ms) VALUES (?, ?, ?, ?, ?, ?)", [
      hook.id,
      tokenHash,
      hook.secret ?? null,
      hook.name,
      hook.prompt,
      hook.createdAtMs,
    ]),
  );
}

/** False when there is none with this id. */
export async function removeHook(db: Database, id: string): Promise<boolean> {
  return db.transaction(true, async (tx) => {
    const found = await tx.query("SELECT id FROM hooks WHERE id = ?", [id]);
    await tx.query("DELETE FROM hooks WHERE id = ?", [id]);
    return found.length > 0;
  });
}

function readHook(row: Row): StoredHook {
  return {
    id: String(row.id),
    name: String(row.name),
    prompt: String(row.prompt),
    secret: row.secret === null ? undefined : String(row.secret),
    createdAtMs: Number(row.created_at_ms),
  };
}
