// What the owner has allowed for good, and which files hold words of others.
import { z } from "zod";
import type { Queryable } from "../database/database.ts";
import { rowReader } from "../database/rows.ts";
import { readLabels } from "./fold-into-tables.ts";

export async function isGranted(db: Queryable, binding: string): Promise<boolean> {
  return (await db.query("SELECT binding FROM grants WHERE binding = ?", [binding])).length > 0;
}

/** The labels of all files together. */
/** `within`: how the names of the place's files begin; the owner's own have no such beginning. */
export async function fileLabels(db: Queryable, within?: string): Promise<readonly string[]> {
  const rows =
    within === undefined
      ? await db.query("SELECT DISTINCT labels FROM file_labels WHERE path NOT LIKE 'groups/%:%'")
      : await db.query("SELECT DISTINCT labels FROM file_labels WHERE substr(path, 1, ?) = ?", [within.length, within]);
  return [...new Set(rows.flatMap((row) => readLabels(row.labels)))];
}

const readLabelled = rowReader(z.object({ path: z.string(), labels: z.string().transform(readLabels) }));

/** Files and folders that hold somebody else's words, or are called by them. */
export async function labelledPaths(db: Queryable): Promise<readonly { path: string; labels: readonly string[] }[]> {
  return (await db.query("SELECT path, labels FROM file_labels WHERE labels <> '[]'")).map(readLabelled);
}

const FileTrust = z.object({
  labels: z.string().transform(readLabels),
  /** Without labels: what the file was when its words were vouched for. */
  stamp: z.string().optional(),
});
const readTrust = rowReader(FileTrust);

/** Undefined: nobody has said anything of this file. */
export async function fileTrust(db: Queryable, path: string): Promise<z.infer<typeof FileTrust> | undefined> {
  return (await db.query("SELECT labels, stamp FROM file_labels WHERE path = ?", [path])).map(readTrust)[0];
}
