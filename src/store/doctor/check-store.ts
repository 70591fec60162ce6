// The doctor's look at the data folder: the log agrees with itself, and every copy of it agrees with the log.

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Event } from "../../contract/event.ts";
import { orIfMissing, reasonOf } from "../../contract/failure.ts";
import type { Finding } from "../../contract/room/room.ts";
import { count } from "../../contract/words/amounts.ts";
import { verifyAudit } from "../audit/audit-verification.ts";
import type { Queryable, Row } from "../database/database.ts";
import { migrations } from "../database/migrations.ts";
import { openSqliteDatabase } from "../database/sqlite-database.ts";
import { openSqliteReader, type Reader } from "../database/sqlite-reader.ts";
import { readEvent } from "../log/event-row.ts";
import { readCursor } from "../tables/cursors.ts";
import { currentStateTables, foldIntoTables } from "../tables/fold-into-tables.ts";
import { findContradictions } from "./log-rules.ts";

export async function checkStore(home: string): Promise<readonly Finding[]> {
  const path = join(home, "data", "steward.db");
  if (!(await stat(path).catch(orIfMissing(undefined))))
    return [{ ok: true, name: "database", detail: "none yet; the first start makes it" }];
  let reader: Reader | undefined;
  try {
    reader = openSqliteReader(path);
    const open = reader;
    return await open.atOneMoment(() => checkAll(open, home));
  } catch (cause) {
    return [damaged([reasonOf(cause)])];
  } finally {
    reader?.close();
  }
}

async function checkAll(db: Queryable, home: string): Promise<readonly Finding[]> {
  const damage = (await db.query("PRAGMA integrity_check(20)"))
    .map((row) => String(row.integrity_check))
    .filter((line) => line !== "ok");
  if (damage.length > 0) return [damaged(damage)];
  const events = (await db.query("SELECT * FROM events ORDER BY seq")).map(readEvent);
  const audit = await verifyAudit(join(home, "audit"), (await readCursor(db, "audit log")).detail);
  const keep = "Keep the files as they are: they show where somebody or something changed them.";
  return [
    { ok: true, name: "database", detail: `${count(events.length, "event")}, no damage` },
    finding("log", findContradictions(events), "every message, turn and call is accounted for once"),
    finding("current state", await differingTables(db, events), "agrees with the log", repair),
    finding("transcripts", await checkTranscripts(db, home, events), "agree with the log", repair),
    finding("audit log", audit.problems, `${count(audit.lines, "line")}, chain unbroken`, keep),
  ];
}

const repair = 'Stop Steward and run "steward doctor --repair".';

function finding(
  name: string,
  problems: readonly string[],
  fine: string,
  next = "Please report this: it should not happen.",
): Finding {
  if (problems.length === 0) return { ok: true, name, detail: fine };
  const more = problems.length > 3 ? ` (and ${problems.length - 3} more)` : "";
  return { ok: false, name, detail: `${problems.slice(0, 3).join("; ")}${more}`, next };
}

function damaged(problems: readonly string[]): Finding {
  const how = "It keeps a copy and rebuilds the database from what can be read and from the transcripts.";
  return finding("database", problems, "", `${repair} ${how}`);
}

/** Folds the log again into empty tables and compares. */
async function differingTables(db: Queryable, events: readonly Event[]): Promise<readonly string[]> {
  const scratch = openSqliteDatabase(":memory:");
  try {
    return await scratch.transaction(false, async (tx) => {
      for (const migration of migrations) for (const statement of migration.statements) await tx.query(statement);
      for (const event of events) await foldIntoTables(tx, event);
      const different: string[] = [];
      for (const table of currentStateTables) {
        const [real, folded] = [await dump(db, table), await dump(tx, table)];
        if (real !== folded) different.push(`table ${table} differs from what the log says`);
      }
      return different;
    });
  } finally {
    await scratch.close();
  }
}

async function dump(db: Queryable, table: string): Promise<string> {
  const rows = await db.query(`SELECT * FROM ${table}`);
  return rows.map(rounded).sort().join("\n");
}

// sums of prices may differ in the last digits by the order of adding
function rounded(row: Row): string {
  return JSON.stringify(row, (_, value) =>
    typeof value === "number" && !Number.isInteger(value) ? value.toPrecision(9) : value,
  );
}

async function checkTranscripts(db: Queryable, home: string, events: readonly Event[]): Promise<readonly string[]> {
  const folder = join(home, "data", "sessions");
  const { seq: written } = await readCursor(db, "transcripts");
  const problems: string[] = [];
  const files = new Set(await readdir(folder).catch(orIfMissing<string[]>([])));
  for (const [conversation, group] of Map.groupBy(events, (event) => event.conversation)) {
    const name = `${conversation}.jsonl`;
    files.delete(name);
    const due = group.filter((event) => event.seq <= written).map((event) => event.seq);
    const found = await seqsIn(join(folder, name));
    if (typeof found === "string") problems.push(`${name}: ${found}`);
    else if (due.some((seq, index) => found[index] !== seq))
      problems.push(`${name} does not hold the same events as the log`);
  }
  for (const name of files) if (name.endsWith(".jsonl")) problems.push(`${name} belongs to no conversation of the log`);
  return problems;
}

async function seqsIn(path: string): Promise<readonly number[] | string> {
  const lines = (await readFile(path, "utf8").catch(orIfMissing(""))).split("\n");
  // a running Steward may be in the middle of the last line
  if (lines.pop() !== "") return "its last line is cut off";
  const seqs: number[] = [];
  for (const [index, line] of lines.entries()) {
    const seq = /^\{"seq":(\d+),.*\}$/.exec(line)?.[1];
    if (seq === undefined) return `line ${index + 1} is not whole`;
    seqs.push(Number(seq));
  }
  return seqs;
}
