import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Database, Queryable, Row, SqlValue } from "./database.ts";
import { openFlush, type SyncFile } from "./flush-log-file.ts";
import { guarded } from "./storage-failure.ts";

// so often that the write-ahead log stays small, and so seldom that the two flushes it takes do not count
const commitsPerCheckpoint = 64;

/** Opens the file with one connection that writes and one that reads, so that readers never see half a transaction. */
export function openSqliteDatabase(path: string, syncFile?: SyncFile): Database {
  const writer = guarded(path, () => connect(path, false));
  const reader = guarded(path, () => connect(path, true));
  const flush = openFlush(path, syncFile);
  let lastTransaction: Promise<unknown> = Promise.resolve();
  let commits = 0;

  return {
    query: async (sql, values = []) => guarded(path, () => reader.all(sql, values)),
    transaction(durable, work) {
      // the next one begins when this one can be read: whoever has been answered finds what was written
      const mine = lastTransaction.then(() => runTransaction(durable, work));
      // the chain only orders transactions; each caller hears of its own failure
      lastTransaction = mine.catch(() => undefined);
      return mine;
    },
    async copyTo(target) {
      guarded(path, () => writer.all("VACUUM INTO ?", [target]));
    },
    emptyWriteAheadLog() {
      const mine = lastTransaction.then(() => guarded(path, checkpointWhole));
      lastTransaction = mine.catch(() => undefined);
      return mine;
    },
    async close() {
      await lastTransaction;
      try {
        await flush.close();
      } finally {
        reader.close();
        writer.close();
      }
    },
  };

  async function runTransaction<Result>(durable: boolean, work: (tx: Queryable) => Promise<Result>): Promise<Result> {
    flush.throwIfFailed();
    checkpointWhenDue();
    guarded(path, () => writer.all("BEGIN IMMEDIATE", []));
    let result: Result;
    try {
      result = await work({ query: async (sql, values = []) => guarded(path, () => writer.all(sql, values)) });
      guarded(path, () => (durable ? commitUnseen() : writer.all("COMMIT", [])));
      commits += 1;
      if (!durable) return result;
    } catch (cause) {
      rollBack();
      throw cause;
    }
    // if this fails, nobody ever reads what may be lost
    await flush.run();
    reader.all("COMMIT", []);
    return result;
  }

  // readers stay at the moment before the commit until it is on the disk
  function commitUnseen(): void {
    reader.all("BEGIN", []);
    try {
      reader.all("SELECT 1 FROM sqlite_schema LIMIT 1", []);
      writer.all("COMMIT", []);
    } catch (cause) {
      reader.exec("ROLLBACK");
      throw cause;
    }
  }

  // a reader that stays behind keeps SQLite from doing this by itself
  function checkpointWhenDue(): void {
    if (commits < commitsPerCheckpoint) return;
    commits = 0;
    try {
      writer.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      // the write-ahead log grows on; a disk that is full or broken is reported by the commit that meets it
    }
  }

  function checkpointWhole(): boolean {
    return writer.all("PRAGMA wal_checkpoint(TRUNCATE)", [])[0]?.busy === 0;
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
  if (!readOnly) connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
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
