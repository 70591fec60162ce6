import { DatabaseSync, type StatementSync } from "node:sqlite";
import { Failure } from "../../contract/failure.ts";
import type { Database, Queryable, Row, SqlValue } from "./database.ts";

/** Opens the file with one connection that writes and one that reads, so that readers never see half a transaction. */
export function openSqliteDatabase(path: string): Database {
  const writer = guarded(path, () => connect(path, false));
  const reader = guarded(path, () => connect(path, true));
  let lastTransaction: Promise<unknown> = Promise.resolve();
  let durableNow = true;

  return {
    query: async (sql, values = []) => guarded(path, () => reader.all(sql, values)),
    transaction(durable, work) {
      const mine = lastTransaction.then(() => runTransaction(durable, work));
      // the chain only orders transactions; each caller hears of its own failure
      lastTransaction = mine.catch(() => undefined);
      return mine;
    },
    async copyTo(target) {
      guarded(path, () => writer.all("VACUUM INTO ?", [target]));
    },
    async findDamage() {
      try {
        return reader
          .all("PRAGMA integrity_check(20)", [])
          .map((row) => String(row.integrity_check))
          .filter((line) => line !== "ok");
      } catch (cause) {
        return [cause instanceof Error ? cause.message : String(cause)];
      }
    },
    async close() {
      await lastTransaction;
      reader.close();
      writer.close();
    },
  };

  async function runTransaction<Result>(durable: boolean, work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    if (durable !== durableNow) {
      writer.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
      durableNow = durable;
    }
    guarded(path, () => writer.exec("BEGIN IMMEDIATE"));
    try {
      const result = await work({ query: async (sql, values = []) => guarded(path, () => writer.all(sql, values)) });
      guarded(path, () => writer.exec("COMMIT"));
      return result;
    } catch (cause) {
      rollBack();
      throw cause;
    }
  }

  function rollBack(): void {
    try {
      writer.exec("ROLLBACK");
    } catch {
      // SQLite has already rolled back by itself, as it does on a full disk
    }
  }
}

type Connection = {
  all(sql: string, values: readonly SqlValue[]): readonly Row[];
  exec(sql: string): void;
  close(): void;
};

function connect(path: string, readOnly: boolean): Connection {
  const connection = new DatabaseSync(path, { readOnly, timeout: 5_000 });
  if (!readOnly) connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  // what a person deletes is overwritten, not only forgotten
  if (!readOnly) connection.exec("PRAGMA secure_delete = ON");
  connection.exec("PRAGMA cache_size = -4000");
  const statements = new Map<string, StatementSync>();
  return {
    all(sql, values) {
      let statement = statements.get(sql);
      if (!statement) {
        statement = connection.prepare(sql);
        statements.set(sql, statement);
      }
      return statement.all(...values);
    },
    exec: (sql) => connection.exec(sql),
    close: () => connection.close(),
  };
}

/** SQLite's error codes in words that say what to do; everything else passes through. */
function guarded<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (cause) {
    const meaning = cause instanceof Error && "errcode" in cause ? meaningOf(Number(cause.errcode), path) : undefined;
    throw meaning ? new StorageFailure(meaning, { cause }) : cause;
  }
}

/** The disk, not the program: nothing that was acknowledged is lost, and nothing more can be accepted until it is mended. */
export class StorageFailure extends Failure {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StorageFailure";
  }
}

function meaningOf(code: number, path: string): string | undefined {
  switch (code & 0xff) {
    case 5:
    case 6:
      return `Another program is using ${path}. Close it and try again.`;
    case 8:
      return `${path} cannot be written: the disk or the folder is read-only. Make it writable, or set STEWARD_HOME to a folder that is.`;
    case 10:
      return `The disk failed while ${path} was read or written. Check the disk, then run "steward doctor".`;
    case 11:
    case 26:
      return `The database ${path} is damaged. Stop Steward and run "steward doctor --repair", which keeps a copy and rebuilds it from the transcripts.`;
    case 13:
      return `The disk is full: ${path} cannot grow. Free some space; everything acknowledged so far is safe.`;
    case 14:
      return `${path} cannot be opened. Check that the folder exists and belongs to you, or set STEWARD_HOME.`;
    default:
      return undefined;
  }
}
