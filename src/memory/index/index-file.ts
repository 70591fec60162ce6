// The file of one index: what was read, its units, their words (FTS5, without the texts a second time) and their vectors. It can
// be made again at any time from the files and the log, so a broken one is thrown away.
import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

type Row = Record<string, unknown>;

export type IndexFile = {
  get(sql: string, ...values: SQLInputValue[]): Row | undefined;
  run(sql: string, ...values: SQLInputValue[]): void;
  /** Rows as lists of values, without an object for each. */
  lists(sql: string, ...values: SQLInputValue[]): readonly (readonly unknown[])[];
  /** The same one by one, for what does not fit into memory at once. */
  each(sql: string, take: (row: readonly unknown[]) => void, ...values: SQLInputValue[]): void;
  transaction(work: () => void): void;
  readFact(name: string): string | undefined;
  writeFact(name: string, value: string): void;
  close(): void;
};

// another word here makes every index anew: of the tables, or of how texts are cut into words, which Unicode has a say in
const layout = `2 ${process.versions.unicode}`;

const tables = `
  CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE sources (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, stamp TEXT NOT NULL, UNIQUE (kind, name));
  CREATE TABLE sessions (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, day TEXT NOT NULL);
  CREATE INDEX sessions_of_source ON sessions (source, day);
  CREATE TABLE units (
    id INTEGER PRIMARY KEY, session INTEGER NOT NULL, place INTEGER NOT NULL, text TEXT NOT NULL, context TEXT NOT NULL, speaker TEXT NOT NULL,
    day TEXT NOT NULL, from_place INTEGER NOT NULL, to_place INTEGER NOT NULL, labels TEXT NOT NULL, characters INTEGER NOT NULL, terms INTEGER NOT NULL
  );
  CREATE INDEX units_of_session ON units (session, place);
  CREATE VIRTUAL TABLE unit_words USING fts5(words, content = '', tokenize = 'ascii');
  INSERT INTO unit_words (unit_words, rank) VALUES ('secure-delete', 1);
  CREATE VIRTUAL TABLE unit_word_places USING fts5vocab(unit_words, instance);
  CREATE VIRTUAL TABLE unit_word_counts USING fts5vocab(unit_words, row);
  CREATE TABLE vectors (id INTEGER PRIMARY KEY, row BLOB NOT NULL);
  CREATE TABLE next_vectors (id INTEGER PRIMARY KEY, row BLOB NOT NULL);
  CREATE TABLE embedding_cache (hash BLOB NOT NULL, key TEXT NOT NULL, row BLOB NOT NULL, PRIMARY KEY (hash, key)) WITHOUT ROWID;
`;

/** `tookAway`: there was one that could not be read, or one of another layout. */
export function openIndexFile(path: string): { file: IndexFile; tookAway: boolean } {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const file = connect(path);
    const known = layoutOf(file);
    if (known === layout && isSound(file)) return { file, tookAway: false };
    file.close();
    if (known === undefined) return { file: makeAnew(path), tookAway: false };
  } catch (cause) {
    if (!isBroken(cause)) throw cause;
  }
  return { file: makeAnew(path), tookAway: true };
}

export function removeIndexFile(path: string): void {
  for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
}

/** Whether what was thrown says that the file itself is of no use any more. */
export function isBroken(cause: unknown): boolean {
  const corrupt = 11;
  const notADatabase = 26;
  const code = codeOf(cause) & 0xff;
  return code === corrupt || code === notADatabase;
}

export function isFull(cause: unknown): boolean {
  const full = 13;
  return (codeOf(cause) & 0xff) === full;
}

function codeOf(cause: unknown): number {
  return cause instanceof Error && "errcode" in cause ? Number(cause.errcode) : 0;
}

// a larger one is looked through in no moment, and damage shows when it is met
const mostLookedThrough = 64 * 1024 * 1024;

function isSound(file: IndexFile): boolean {
  const bytes = Number(file.get("PRAGMA page_count")?.page_count) * Number(file.get("PRAGMA page_size")?.page_size);
  if (bytes > mostLookedThrough) return true;
  file.run("INSERT INTO unit_words (unit_words, rank) VALUES ('integrity-check', 0)");
  return file.get("PRAGMA quick_check(1)")?.quick_check === "ok";
}

function layoutOf(file: IndexFile): string | undefined {
  if (!file.get("SELECT 1 FROM sqlite_schema WHERE name = 'facts'")) return undefined;
  return file.readFact("layout") ?? "none";
}

function makeAnew(path: string): IndexFile {
  removeIndexFile(path);
  const file = connect(path);
  file.transaction(() => {
    for (const statement of tables.split(";\n")) if (statement.trim() !== "") file.run(statement);
    file.writeFact("layout", layout);
  });
  return file;
}

function connect(path: string): IndexFile {
  const connection = new DatabaseSync(path, { timeout: 5_000 });
  // what is forgotten is overwritten
  connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON");
  connection.exec("PRAGMA cache_size = -2000; PRAGMA temp_store = MEMORY");
  const statements = new Map<string, StatementSync>();
  const listed = new Map<string, StatementSync>();
  return {
    get: (sql, ...values) => prepared(sql).get(...values),
    run: (sql, ...values) => void prepared(sql).run(...values),
    lists(sql, ...values) {
      let statement = listed.get(sql);
      if (!statement) {
        statement = connection.prepare(sql);
        statement.setReturnArrays(true);
        listed.set(sql, statement);
      }
      // with arrays for rows its type is not what it says
      return statement.all(...values) as unknown as readonly (readonly unknown[])[];
    },
    each(sql, take, ...values) {
      const statement = connection.prepare(sql);
      statement.setReturnArrays(true);
      // with arrays for rows its type is not what it says
      for (const row of statement.iterate(...values) as Iterable<unknown>) if (Array.isArray(row)) take(row);
    },
    transaction,
    readFact: (name) => {
      const value = prepared("SELECT value FROM facts WHERE name = ?").get(name)?.value;
      return value === undefined ? undefined : String(value);
    },
    writeFact: (name, value) =>
      void prepared("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)").run(name, value),
    close: () => connection.close(),
  };

  function prepared(sql: string): StatementSync {
    const known = statements.get(sql);
    if (known) return known;
    const statement = connection.prepare(sql);
    statements.set(sql, statement);
    return statement;
  }

  function transaction(work: () => void): void {
    connection.exec("BEGIN IMMEDIATE");
    try {
      work();
      connection.exec("COMMIT");
    } catch (cause) {
      // SQLite has already rolled back by itself, as it does on a full disk
      if (connection.isTransaction) connection.exec("ROLLBACK");
      throw cause;
    }
  }
}
