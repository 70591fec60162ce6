import { Failure } from "../../contract/failure.ts";
import type { Database, Queryable } from "./database.ts";
import { insertRow } from "./rows.ts";

/** A step forward of the schema. Published steps never change; a new one is added at the end. */
export type Migration = { version: number; statements: readonly string[] };

export const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: [
      `CREATE TABLE events (
        seq BIGINT PRIMARY KEY,
        at_ms BIGINT NOT NULL,
        type TEXT NOT NULL,
        conversation TEXT NOT NULL,
        turn TEXT,
        body TEXT NOT NULL
      )`,
      "CREATE INDEX events_by_conversation ON events (conversation, seq)",
      "CREATE INDEX events_by_turn ON events (turn, seq) WHERE turn IS NOT NULL",
      "CREATE TABLE idempotency_keys (key TEXT PRIMARY KEY, seq BIGINT NOT NULL)",
    ],
  },
  {
    version: 2,
    statements: [
      `CREATE TABLE conversations (
        conversation TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        messages BIGINT NOT NULL,
        last_at_ms BIGINT NOT NULL,
        last_seq BIGINT NOT NULL,
        model TEXT,
        thinking TEXT,
        agent TEXT,
        compacted_seq BIGINT NOT NULL DEFAULT 0
      )`,
      `CREATE TABLE inbox (
        seq BIGINT PRIMARY KEY,
        conversation TEXT NOT NULL,
        message_id TEXT NOT NULL
      )`,
      "CREATE INDEX inbox_by_conversation ON inbox (conversation, seq)",
      `CREATE TABLE open_turns (
        turn TEXT PRIMARY KEY,
        conversation TEXT NOT NULL,
        started_seq BIGINT NOT NULL,
        state TEXT NOT NULL
      )`,
      "CREATE INDEX open_turns_by_conversation ON open_turns (conversation)",
      `CREATE TABLE open_approvals (
        approval_id TEXT PRIMARY KEY,
        conversation TEXT NOT NULL,
        turn TEXT NOT NULL,
        call_id TEXT NOT NULL,
        asked_seq BIGINT NOT NULL,
        expires_at_ms BIGINT NOT NULL
      )`,
      "CREATE INDEX open_approvals_by_turn ON open_approvals (turn)",
      "CREATE TABLE outbox (reply BIGINT PRIMARY KEY, conversation TEXT NOT NULL, channel TEXT NOT NULL)",
      `CREATE TABLE usage (
        day TEXT NOT NULL,
        model TEXT NOT NULL,
        conversation TEXT NOT NULL,
        calls BIGINT NOT NULL,
        input_tokens BIGINT NOT NULL,
        output_tokens BIGINT NOT NULL,
        cache_read_tokens BIGINT NOT NULL,
        cache_write_tokens BIGINT NOT NULL,
        cost_usd DOUBLE PRECISION NOT NULL,
        unpriced BIGINT NOT NULL,
        PRIMARY KEY (day, model, conversation)
      )`,
      "CREATE TABLE cursors (name TEXT PRIMARY KEY, seq BIGINT NOT NULL, detail TEXT NOT NULL)",
    ],
  },
  {
    version: 3,
    statements: [
      "ALTER TABLE conversations ADD COLUMN labels TEXT NOT NULL DEFAULT '[]'",
      "CREATE TABLE grants (binding TEXT PRIMARY KEY, granted_seq BIGINT NOT NULL)",
      "CREATE TABLE file_labels (path TEXT PRIMARY KEY, labels TEXT NOT NULL)",
    ],
  },
  {
    version: 4,
    statements: [
      "ALTER TABLE usage ADD COLUMN duration_ms BIGINT NOT NULL DEFAULT 0",
      // a message's own id stands first in the body
      "CREATE INDEX events_by_message ON events (substr(body, 1, 60)) WHERE type IN ('message.received', 'message.refused')",
      `CREATE TABLE access_tokens (
        id TEXT PRIMARY KEY,
        hash TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        scope TEXT NOT NULL,
        conversation TEXT,
        kind TEXT NOT NULL,
        created_at_ms BIGINT NOT NULL,
        last_used_at_ms BIGINT,
        expires_at_ms BIGINT,
        revoked_at_ms BIGINT
      )`,
      `CREATE TABLE hooks (
        id TEXT PRIMARY KEY,
        token_hash TEXT NOT NULL UNIQUE,
        secret TEXT,
        name TEXT NOT NULL,
        prompt TEXT NOT NULL,
        created_at_ms BIGINT NOT NULL
      )`,
      `CREATE TABLE push_subscriptions (
        endpoint TEXT PRIMARY KEY,
        p256dh TEXT NOT NULL,
        auth TEXT NOT NULL,
        token_id TEXT,
        created_at_ms BIGINT NOT NULL
      )`,
    ],
  },
  {
    version: 5,
    // channels that follow the log themselves have nothing to wait for
    statements: ["DELETE FROM outbox WHERE channel IN ('terminal', 'web', 'api', 'hook')"],
  },
  // the log is folded again, which also notes what earlier deletions have left elsewhere
  {
    version: 6,
    statements: [
      "ALTER TABLE conversations ADD COLUMN told_bits DOUBLE PRECISION NOT NULL DEFAULT 0",
      "ALTER TABLE file_labels ADD COLUMN stamp TEXT",
    ],
  },
  // days begin where the owner lives, and every time zone is some quarters of an hour away from the world's time
  { version: 7, statements: ["ALTER TABLE usage RENAME COLUMN day TO quarter"] },
  {
    version: 8,
    statements: [
      "ALTER TABLE inbox ADD COLUMN alone BIGINT NOT NULL DEFAULT 0",
      "ALTER TABLE conversations ADD COLUMN budget_usd DOUBLE PRECISION",
      "ALTER TABLE conversations ADD COLUMN spoken_seq BIGINT NOT NULL DEFAULT 0",
      "ALTER TABLE conversations ADD COLUMN told_day BIGINT NOT NULL DEFAULT 0",
      `CREATE TABLE tasks (
        id TEXT PRIMARY KEY,
        state TEXT NOT NULL,
        ended TEXT,
        definition TEXT NOT NULL,
        made_by TEXT NOT NULL,
        made_in TEXT NOT NULL,
        made_at_ms BIGINT NOT NULL,
        labels TEXT NOT NULL,
        next_at_ms BIGINT,
        planned_seq BIGINT NOT NULL,
        stamp TEXT,
        named TEXT,
        generation BIGINT NOT NULL DEFAULT 0,
        trigger_kind TEXT NOT NULL,
        trigger_key TEXT,
        is_hidden BIGINT NOT NULL DEFAULT 0
      )`,
      "CREATE INDEX tasks_by_time ON tasks (state, next_at_ms)",
      "CREATE INDEX tasks_by_group ON tasks (made_in, made_at_ms)",
      "CREATE INDEX tasks_by_trigger ON tasks (trigger_kind, trigger_key) WHERE state = 'active'",
      `CREATE TABLE task_runs (
        id TEXT PRIMARY KEY,
        task TEXT NOT NULL,
        began_seq BIGINT NOT NULL,
        began_at_ms BIGINT NOT NULL,
        state TEXT NOT NULL,
        cause TEXT NOT NULL,
        run_key TEXT,
        due_at_ms BIGINT NOT NULL,
        times BIGINT NOT NULL,
        attempt BIGINT NOT NULL,
        turn TEXT,
        finished_at_ms BIGINT,
        ending TEXT,
        error TEXT,
        answer_seq BIGINT,
        cost_usd DOUBLE PRECISION NOT NULL DEFAULT 0,
        settled TEXT
      )`,
      "CREATE INDEX task_runs_by_task ON task_runs (task, began_seq)",
      "CREATE INDEX task_runs_by_message ON task_runs (began_seq)",
      "CREATE INDEX task_runs_by_turn ON task_runs (turn) WHERE turn IS NOT NULL",
      "CREATE INDEX task_runs_unsettled ON task_runs (task, began_seq) WHERE settled IS NULL",
      "CREATE INDEX task_runs_by_time ON task_runs (task, due_at_ms)",
      "CREATE INDEX task_runs_delivered ON task_runs (task, finished_at_ms) WHERE settled = 'delivered'",
      `CREATE TABLE task_wakes (
        task TEXT NOT NULL,
        wake_key TEXT NOT NULL,
        cause TEXT NOT NULL,
        seq BIGINT NOT NULL,
        PRIMARY KEY (task, wake_key)
      )`,
      "CREATE TABLE task_hooks (token_hash TEXT PRIMARY KEY, task TEXT NOT NULL, secret TEXT, created_at_ms BIGINT NOT NULL)",
      "CREATE TABLE heartbeat_notes (seq BIGINT PRIMARY KEY, kind TEXT NOT NULL)",
      `CREATE TABLE jobs (
        id TEXT PRIMARY KEY,
        lane TEXT NOT NULL,
        state TEXT NOT NULL,
        due_at_ms BIGINT NOT NULL,
        not_before_ms BIGINT NOT NULL,
        payload TEXT NOT NULL,
        fence BIGINT NOT NULL,
        worker TEXT,
        lease_ms BIGINT,
        lease_until_ms BIGINT,
        is_cancelled BIGINT NOT NULL DEFAULT 0,
        over_at_ms BIGINT
      )`,
      "CREATE INDEX jobs_due ON jobs (not_before_ms, due_at_ms, id) WHERE state = 'waiting'",
      // that a lane has one at a time is not left to whoever claims
      "CREATE UNIQUE INDEX jobs_in_lane ON jobs (lane) WHERE state = 'claimed'",
      "CREATE INDEX jobs_leased ON jobs (lease_until_ms) WHERE state = 'claimed'",
      "CREATE INDEX jobs_over ON jobs (over_at_ms) WHERE over_at_ms IS NOT NULL",
    ],
  },
  {
    version: 9,
    statements: [
      "ALTER TABLE outbox ADD COLUMN asks TEXT",
      "ALTER TABLE outbox ADD COLUMN sent BIGINT NOT NULL DEFAULT 0",
      "ALTER TABLE outbox ADD COLUMN sending BIGINT",
      `CREATE TABLE chats (
        conversation TEXT PRIMARY KEY,
        channel TEXT NOT NULL,
        chat TEXT NOT NULL,
        thread TEXT,
        is_direct BIGINT NOT NULL,
        person TEXT,
        title TEXT NOT NULL,
        details TEXT NOT NULL,
        met_seq BIGINT NOT NULL
      )`,
      "CREATE INDEX chats_by_channel ON chats (channel, met_seq)",
      `CREATE TABLE allowed_people (
        channel TEXT NOT NULL,
        person TEXT NOT NULL,
        name TEXT NOT NULL,
        paired_at_ms BIGINT NOT NULL,
        PRIMARY KEY (channel, person)
      )`,
      `CREATE TABLE chat_groups (
        name TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        conversation TEXT NOT NULL,
        channel TEXT NOT NULL,
        chat TEXT NOT NULL,
        options TEXT NOT NULL,
        is_removed BIGINT NOT NULL DEFAULT 0
      )`,
      "CREATE UNIQUE INDEX chat_groups_by_chat ON chat_groups (channel, chat)",
      `CREATE TABLE shown_questions (
        reply BIGINT PRIMARY KEY,
        approval_id TEXT NOT NULL,
        conversation TEXT NOT NULL,
        channel TEXT NOT NULL,
        ref TEXT NOT NULL,
        answered_seq BIGINT
      )`,
      "CREATE INDEX shown_questions_by_approval ON shown_questions (approval_id)",
      `CREATE TABLE shown_drafts (
        turn TEXT PRIMARY KEY,
        conversation TEXT NOT NULL,
        ref TEXT NOT NULL,
        at_ms BIGINT NOT NULL
      )`,
      "CREATE TABLE channel_notes (channel TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (channel, name))",
    ],
  },
];

export type MigrateDeps = {
  migrations: readonly Migration[];
  nowMs(): number;
  /** Called before an existing database is changed; keeps a copy of it. */
  keepCopy(version: number): Promise<void>;
  /** Called inside the transaction that brought the tables of the current state into being. */
  refold(tx: Queryable): Promise<void>;
};

/** Brings the schema forward from any earlier version, or refuses a database that a newer Steward has written. */
export async function migrate(deps: MigrateDeps, database: Database): Promise<void> {
  await database.transaction(true, (tx) =>
    tx.query("CREATE TABLE IF NOT EXISTS schema_versions (version BIGINT PRIMARY KEY, applied_at_ms BIGINT NOT NULL)"),
  );
  const present = Number(
    (await database.query("SELECT COALESCE(MAX(version), 0) AS version FROM schema_versions"))[0]?.version,
  );
  const newest = Math.max(...deps.migrations.map((migration) => migration.version));
  if (present > newest) {
    throw new Failure(
      `The database was written by a newer Steward (schema ${present}; this one knows ${newest}). Update Steward, or set STEWARD_HOME to another folder.`,
    );
  }
  const missing = deps.migrations.filter((migration) => migration.version > present);
  if (missing.length === 0) return;
  if (present > 0) await deps.keepCopy(present);
  await database.transaction(true, async (tx) => {
    for (const migration of missing) {
      for (const statement of migration.statements) await tx.query(statement);
      await insertRow(tx, "schema_versions", { version: migration.version, appliedAtMs: deps.nowMs() });
    }
    await deps.refold(tx);
  });
}
