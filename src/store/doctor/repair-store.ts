import { copyFile, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Event, parseEvent } from "../../contract/event.ts";
import { orIfMissing } from "../../contract/failure.ts";
import type { Queryable } from "../database/database.ts";
import { migrate, migrations } from "../database/migrations.ts";
import { insertRow } from "../database/rows.ts";
import { openSqliteDatabase } from "../database/sqlite-database.ts";
import { openSqliteReader } from "../database/sqlite-reader.ts";
import { insertEventRow, readEvent } from "../log/event-row.ts";
import { refoldTables } from "../open-store.ts";
import { putCursor, readCursor } from "../tables/cursors.ts";

export type Repair = { events: number; fromTranscripts: number; missing: readonly number[]; keptCopy: string };

/** Builds a fresh database from every event that the old one or the transcripts still hold; what was there is kept beside it. */
export async function repairStore(home: string, nowMs: number): Promise<Repair> {
  const folder = join(home, "data");
  const path = join(folder, "steward.db");
  const keptCopy = join(folder, `before-repair-${nowMs}`);
  await mkdir(keptCopy, { mode: 0o700 });
  for (const name of await readdir(folder))
    if (name.startsWith("steward.db")) await copyFile(join(folder, name), join(keptCopy, name));

  const salvaged = await salvage(path);
  const fromDatabase = salvaged.events.size;
  const transcripts = join(folder, "sessions");
  for (const event of await readTranscripts(transcripts))
    if (!salvaged.events.has(event.seq)) salvaged.events.set(event.seq, event);
  await writeDatabase(`${path}.new`, salvaged, nowMs);

  await rename(transcripts, join(keptCopy, "sessions")).catch(orIfMissing(undefined));
  for (const suffix of ["-wal", "-shm"]) await rm(`${path}${suffix}`, { force: true });
  await rename(`${path}.new`, path);
  const last = Math.max(0, ...salvaged.events.keys());
  const missing = Array.from({ length: last }, (_, index) => index + 1).filter((seq) => !salvaged.events.has(seq));
  return { events: salvaged.events.size, fromTranscripts: salvaged.events.size - fromDatabase, missing, keptCopy };
}

type Salvaged = { events: Map<number, Event>; keys: { key: string; seq: number }[]; auditHead: string };

// a damaged page takes its rows with it and no others, so rows are fetched in ever smaller pieces around it
async function salvage(path: string): Promise<Salvaged> {
  const salvaged: Salvaged = { events: new Map(), keys: [], auditHead: "" };
  const reader = await attempt(async () => openSqliteReader(path));
  if (!reader) return salvaged;
  const last = await lastSeq(reader);
  await salvageRange(reader, 1, last, salvaged.events);
  const keys = await attempt(() => reader.query("SELECT key, seq FROM idempotency_keys"));
  salvaged.keys = (keys ?? []).map((row) => ({ key: String(row.key), seq: Number(row.seq) }));
  salvaged.auditHead = (await attempt(() => readCursor(reader, "audit log")))?.detail ?? "";
  reader.close();
  return salvaged;
}

async function salvageRange(db: Queryable, from: number, to: number, events: Map<number, Event>): Promise<void> {
  if (from > to) return;
  const rows = await attempt(() => db.query("SELECT * FROM events WHERE seq BETWEEN ? AND ? ORDER BY seq", [from, to]));
  if (rows) {
    for (const row of rows) {
      const event = await attempt(async () => readEvent(row));
      if (event) events.set(event.seq, event);
    }
    return;
  }
  if (from === to) return;
  const middle = Math.floor((from + to) / 2);
  await salvageRange(db, from, middle, events);
  await salvageRange(db, middle + 1, to, events);
}

async function lastSeq(db: Queryable): Promise<number> {
  const rows = await attempt(() => db.query("SELECT MAX(seq) AS seq FROM events"));
  // when even that cannot be read, a search by halves from far beyond the end costs only some look-ups
  return rows ? Number(rows[0]?.seq ?? 0) : 1_000_000;
}

async function readTranscripts(folder: string): Promise<readonly Event[]> {
  const names = await readdir(folder).catch(orIfMissing<string[]>([]));
  const events: Event[] = [];
  for (const name of names) {
    for (const line of (await readFile(join(folder, name), "utf8")).split("\n")) {
      const event = await attempt(async () => parseEvent(JSON.parse(line)));
      if (event) events.push(event);
    }
  }
  return events;
}

async function writeDatabase(path: string, salvaged: Salvaged, nowMs: number): Promise<void> {
  await rm(path, { force: true });
  const database = openSqliteDatabase(path);
  await migrate({ migrations, nowMs: () => nowMs, keepCopy: async () => {}, refold: async () => {} }, database);
  await database.transaction(true, async (tx) => {
    for (const event of [...salvaged.events.values()].sort((a, b) => a.seq - b.seq)) await insertEventRow(tx, event);
    for (const key of salvaged.keys) await insertRow(tx, "idempotency_keys", key);
    const { auditHead: detail } = salvaged;
    if (detail) await putCursor(tx, "audit log", { seq: JSON.parse(detail).seq, detail });
    await refoldTables(tx);
  });
  await database.close();
}

async function attempt<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await act();
  } catch {
    // what cannot be read is what the repair is about; the caller tries the pieces around it
    return undefined;
  }
}
