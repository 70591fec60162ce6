// The entry of the store: opens the data folder, brings it up to date, and hands out the log and its copies.
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { AttachmentStore } from "../contract/attachment.ts";
import { type Event, installationKey } from "../contract/event.ts";
import { openAttachmentFiles } from "./attachment-files.ts";
import { AuditHead, beforeTheFirstLine, openAuditWriter } from "./audit/audit-log.ts";
import type { Database, Queryable } from "./database/database.ts";
import { type Migration, migrate, migrations } from "./database/migrations.ts";
import { openSqliteDatabase } from "./database/sqlite-database.ts";
import { type EventLog, openEventLog } from "./log/event-log.ts";
import { readEvent } from "./log/event-row.ts";
import { openProjection } from "./projections/projection.ts";
import { transcriptWriter } from "./projections/transcripts.ts";
import { readCursor } from "./tables/cursors.ts";
import { currentStateTables, foldIntoTables } from "./tables/fold-into-tables.ts";

export type Store = {
  database: Database;
  log: EventLog;
  attachments: AttachmentStore;
  /** Transcripts and audit log hold everything committed before the call. */
  flush(): Promise<void>;
  /** Works on the audit files while nobody else writes to them. */
  holdAudit: <Result>(work: (folder: string) => Promise<Result>) => Promise<Result>;
  close(): Promise<void>;
};

export type StoreDeps = {
  home: string;
  nowMs(): number;
  redact(text: string): string;
  onTrouble(message: string, cause: unknown): void;
  /** False: only what concerns the whole installation, such as deletions, goes to the audit log. */
  auditsConversations?: boolean;
  migrations?: readonly Migration[];
};

export async function openStore(deps: StoreDeps): Promise<Store> {
  const folder = join(deps.home, "data");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const path = join(folder, "steward.db");
  const database = openSqliteDatabase(path);
  try {
    await migrate(
      {
        migrations: deps.migrations ?? migrations,
        nowMs: deps.nowMs,
        keepCopy: (version) => database.copyTo(`${path}.before-schema-${version}-${deps.nowMs()}.bak`),
        refold: refoldTables,
      },
      database,
    );
    await chmod(path, 0o600);
    return await openParts(deps, folder, database);
  } catch (cause) {
    await database.close();
    throw cause;
  }
}

async function openParts(deps: StoreDeps, folder: string, database: Database): Promise<Store> {
  const log = await openEventLog({ database, nowMs: deps.nowMs });
  const transcripts = await openProjection({
    name: "transcripts",
    database,
    log,
    write: transcriptWriter({ folder: join(folder, "sessions"), redact: deps.redact }),
    onTrouble: deps.onTrouble,
  });
  const { detail } = await readCursor(database, "audit log");
  const writeAudit = await openAuditWriter({
    folder: join(deps.home, "audit"),
    head: detail ? AuditHead.parse(JSON.parse(detail)) : beforeTheFirstLine,
    redact: deps.redact,
    inputOf: async (turn, callId) => inputOf(await log.ofTurn(turn), callId),
  });
  const isAudited = ({ conversation }: Event) => deps.auditsConversations !== false || conversation === installationKey;
  const audit = await openProjection({
    name: "audit log",
    database,
    log,
    write: (events) => writeAudit(events.filter(isAudited)),
    onTrouble: deps.onTrouble,
  });
  return {
    database,
    log,
    attachments: openAttachmentFiles(join(folder, "attachments")),
    async flush() {
      await transcripts.flush();
      await audit.flush();
    },
    holdAudit: (work) => audit.hold(() => work(join(deps.home, "audit"))),
    async close() {
      await transcripts.close();
      await audit.close();
      await database.close();
    },
  };
}

function inputOf(events: readonly Event[], callId: string): unknown {
  for (const event of events)
    for (const call of event.type === "step.finished" ? event.toolCalls : [])
      if (call.callId === callId) return call.arguments;
  return undefined;
}

/** Makes the tables of the current state again from the log, so that a new table starts with the truth. */
export async function refoldTables(tx: Queryable): Promise<void> {
  for (const table of currentStateTables) await tx.query(`DELETE FROM ${table}`);
  for (let seq = 0; ; ) {
    const rows = await tx.query("SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT 500", [seq]);
    for (const row of rows) {
      const event = readEvent(row);
      await foldIntoTables(tx, event);
      seq = event.seq;
    }
    if (rows.length === 0) return;
  }
}
