// What the owner has allowed for good, and which files hold words of others.
import type { Queryable } from "../database/database.ts";
import { readLabels } from "./fold-into-tables.ts";

export async function isGranted(db: Queryable, binding: string): Promise<boolean> {
  return (await db.query("SELECT binding FROM grants WHERE binding = ?", [binding])).length > 0;
}

/** The labels of one file, or of every labelled file when none is named. */
export async function fileLabels(db: Queryable, path?: string): Promise<readonly string[]> {
  const rows =
    path === undefined
      ? await db.query("SELECT labels FROM file_labels")
      : await db.query("SELECT labels FROM file_labels WHERE path = ?", [path]);
  return [...new Set(rows.flatMap((row) => readLabels(row.labels)))];
}
