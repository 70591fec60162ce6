import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { whenLeftBoxesAreGone } from "../bwrap/left-boxes.ts";
import { leftRecords, openBoxRecords, pathsOf, recordAt } from "./box-record.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "steward-records-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** As of a process that is gone; no process has ever begun with the machine itself. */
function leaveRecord(parent: string): string {
  const folder = join(parent, `box-${process.pid}-1-abcdef`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

test("a record that nobody moved is gone with the next one, and at the end", () => {
  const folder = temporaryFolder();
  const records = openBoxRecords([folder]);
  records.make().close();
  records.make().close();
  expect(readdirSync(folder)).toHaveLength(1);
  records.removeClosed();
  expect(readdirSync(folder)).toEqual([]);
});

test("a record that was moved is found there and stays", () => {
  const [folder, place] = [temporaryFolder(), temporaryFolder()];
  const records = openBoxRecords([folder]);
  const record = records.make();
  record.moveTo(place);
  writeSync(record.output, "printed later");
  record.close();
  records.removeClosed();
  expect(readFileSync(pathsOf(recordAt(place) ?? "").output, "utf8")).toBe("printed later");
});

test("where a record cannot be moved, no place is left that would say the command never began", () => {
  const [folder, place] = [temporaryFolder(), temporaryFolder()];
  const record = openBoxRecords([folder]).make();
  rmSync(folder, { recursive: true });
  record.moveTo(place);
  expect(existsSync(place)).toBe(false);
});

test("a folder that cannot be used is passed over", () => {
  const folder = temporaryFolder();
  openBoxRecords(["/dev/null/records", folder]).make().close();
  expect(readdirSync(folder)).toHaveLength(1);
  expect(() => openBoxRecords(["/dev/null/records"]).make()).toThrow("free some space");
});

test("only what processes left that are gone is cleared away, even when it is damaged, and what was moved stays", async () => {
  const folder = temporaryFolder();
  const own = openBoxRecords([folder]).make();
  // Steward was killed before the report was there
  const damaged = leaveRecord(folder);
  const moved = leaveRecord(join(folder, "call-x"));
  expect(
    leftRecords(folder)
      .map((left) => left.folder)
      .toSorted(),
  ).toEqual([damaged, moved].toSorted());
  await whenLeftBoxesAreGone([folder]);
  expect([existsSync(damaged), existsSync(moved), readdirSync(folder).length]).toEqual([false, true, 2]);
  own.close();
});

test("what was left is looked for in every folder, and not in one that is a link to somewhere else", async () => {
  const [first, second, elsewhere] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const left = [first, second, elsewhere].map(leaveRecord);
  const link = join(temporaryFolder(), "link");
  symlinkSync(elsewhere, link);
  await whenLeftBoxesAreGone([first, join(first, "none"), second, link]);
  expect(left.map((folder) => existsSync(folder))).toEqual([false, false, true]);
});
