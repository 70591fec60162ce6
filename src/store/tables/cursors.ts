// How far each projection has come.
import type { Database, Queryable } from "../database/database.ts";
import { insertRow } from "../database/rows.ts";

export type Cursor = { seq: number; detail: string };

export async function readCursor(db: Queryable, name: string): Promise<Cursor> {
  const row = (await db.query("SELECT seq, detail FROM cursors WHERE name = ?", [name]))[0];
  return { seq: Number(row?.seq ?? 0), detail: String(row?.detail ?? "") };
}

export async function writeCursor(db: Database, name: string, cursor: Cursor): Promise<void> {
  await db.transaction(false, (tx) => putCursor(tx, name, cursor));
}

/** For whoever moves it in the same transaction as what it counts. */
export async function putCursor(tx: Queryable, name: string, cursor: Cursor): Promise<void> {
  const ifThere = "(name) DO UPDATE SET seq = excluded.seq, detail = excluded.detail";
  await insertRow(tx, "cursors", { name, ...cursor }, ifThere);
}
