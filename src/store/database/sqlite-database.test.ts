import { copyFileSync, fdatasync, fstatSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import type { Database } from "./database.ts";
import type { SyncFile } from "./flush-log-file.ts";
import { openSqliteDatabase } from "./sqlite-database.ts";

test("nobody reads a durable commit before it is on the disk", async () => {
  const disk = heldDisk();
  const { database } = await databaseWith(disk.sync);
  disk.hold();
  const adding = add(database, "a", true);
  await disk.asked();
  expect(await names(database)).toEqual([]);
  disk.release();
  await adding;
  expect(await names(database)).toEqual(["a"]);
});

test("a failed flush fails the commit and every later one, shows none of them, and is over when the database is opened again", async () => {
  const disk = heldDisk();
  const { database, path } = await databaseWith(disk.sync);
  await add(database, "before", true);
  disk.breakNext();
  await expect(add(database, "lost", true)).rejects.toThrow("The disk failed while");
  await expect(add(database, "later", true)).rejects.toThrow("The disk failed while");
  await expect(add(database, "later still", false)).rejects.toThrow("The disk failed while");
  expect(await names(database)).toEqual(["before"]);
  await database.close();
  const again = openSqliteDatabase(path);
  await add(again, "again", true);
  expect(await names(again)).toContain("again");
  await again.close();
});

test("what is flushed is the file that holds the commit, also after the database has taken it in and begun it anew", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "steward.db");
  let flushes = 0;
  const database = openSqliteDatabase(path, (file, done) => {
    expect(fstatSync(file).ino).toBe(statSync(`${path}-wal`).ino);
    flushes += 1;
    // what a machine that dies right after this flush would find
    for (const suffix of ["", "-wal"]) copyFileSync(`${path}${suffix}`, join(folder, `copy.db${suffix}`));
    fdatasync(file, done);
  });
  await createTable(database);
  for (let at = 0; at < 300; at++) await add(database, `${at} ${"x".repeat(2_000)}`, true);
  expect([flushes, statSync(`${path}-wal`).size < 8 << 20]).toEqual([301, true]);
  await database.close();
  const copy = openSqliteDatabase(join(folder, "copy.db"));
  expect(await names(copy)).toHaveLength(300);
  await copy.close();
});

test("closing waits for a flush that is under way", async () => {
  const disk = heldDisk();
  const { database } = await databaseWith(disk.sync);
  disk.hold();
  const adding = add(database, "a", true);
  await disk.asked();
  const closing = database.close();
  disk.release();
  await expect(Promise.all([adding, closing])).resolves.toBeDefined();
});

test("closing flushes what was not asked to be durable", async () => {
  const disk = heldDisk();
  const { database } = await databaseWith(disk.sync);
  const before = disk.flushes();
  await add(database, "a", false);
  expect(disk.flushes()).toBe(before);
  await database.close();
  expect(disk.flushes()).toBe(before + 1);
});

test("whoever has been answered finds what was written, also beside a flush that takes long", async () => {
  const disk = heldDisk();
  const { database } = await databaseWith(disk.sync);
  disk.hold();
  const first = add(database, "first", true);
  await disk.asked();
  const found = add(database, "second", false).then(() => names(database));
  await new Promise((resolve) => setTimeout(resolve, 20));
  disk.release();
  await first;
  expect(await found).toEqual(["first", "second"]);
  await database.close();
});

async function databaseWith(sync: SyncFile): Promise<{ database: Database; path: string }> {
  const folder = join(await temporaryFolder(), "data");
  await mkdir(folder);
  const path = join(folder, "steward.db");
  const database = openSqliteDatabase(path, sync);
  await createTable(database);
  return { database, path };
}

async function createTable(database: Database): Promise<void> {
  await database.transaction(true, (tx) => tx.query("CREATE TABLE names (name TEXT NOT NULL)"));
}

async function add(database: Database, name: string, durable: boolean): Promise<void> {
  await database.transaction(durable, (tx) => tx.query("INSERT INTO names (name) VALUES (?)", [name]));
}

async function names(database: Database): Promise<readonly string[]> {
  return (await database.query("SELECT name FROM names ORDER BY rowid")).map((row) => String(row.name));
}

/** A disk that flushes when it is let. */
function heldDisk() {
  let held = false;
  let broken = false;
  let flushes = 0;
  const waiting: (() => void)[] = [];
  let tellAsked: () => void = () => undefined;
  onTestFinished(release);
  const sync: SyncFile = (file, done) => {
    flushes += 1;
    tellAsked();
    if (broken) return done(new Error("input/output error"));
    if (held) waiting.push(() => fdatasync(file, done));
    else fdatasync(file, done);
  };
  return {
    sync,
    flushes: () => flushes,
    hold() {
      held = true;
    },
    breakNext() {
      broken = true;
    },
    asked: () =>
      waiting.length > 0
        ? Promise.resolve()
        : new Promise<void>((resolve) => {
            tellAsked = resolve;
          }),
    release,
  };

  function release(): void {
    held = false;
    for (const flush of waiting.splice(0)) flush();
  }
}
