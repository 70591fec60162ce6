import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openOwnedRecord } from "./owned-record.ts";

function scene() {
  const workspace = mkdtempSync(join(tmpdir(), "steward-record-"));
  const folder = join(workspace, "record");
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const open = () => openOwnedRecord(folder, workspace);
  const file = () => join(folder, readdirSync(folder)[0] ?? "");
  return { open, file };
}

test("what was in use is left for the next one, and what was put away is not", () => {
  const { open } = scene();
  const record = open();
  expect(record.left()).toBeUndefined();
  record.use(new Set(["1:2:3", "1:2:3/name"]));
  expect(open().left()).toEqual(new Set(["1:2:3", "1:2:3/name"]));
  record.putAway();
  expect(open().left()).toBeUndefined();
});

test("what has not changed is not written again, and what has is", () => {
  const { open, file } = scene();
  const record = open();
  record.use(new Set(["1:2:3"]));
  record.putAway();
  writeFileSync(file(), "seen");
  record.use(new Set(["1:2:3"]));
  expect(readFileSync(file(), "utf8")).toBe("seen");
  record.putAway();
  record.use(new Set(["1:2:4"]));
  expect(open().left()).toEqual(new Set(["1:2:4"]));
});

test("a record that somebody clears away is written again", () => {
  const { open, file } = scene();
  const record = open();
  record.use(new Set(["1:2:3"]));
  rmSync(file());
  record.putAway();
  record.use(new Set(["1:2:3"]));
  expect(open().left()).toEqual(new Set(["1:2:3"]));
});

test("a disk that has another number after a new start is known again, another workspace is not", () => {
  const { open, file } = scene();
  open().use(new Set([]));
  const noted = JSON.parse(readFileSync(file(), "utf8")) as { workspace: string };
  const [disk = "", ...rest] = noted.workspace.split(":");
  const change = (workspace: string, owned: readonly string[]) =>
    writeFileSync(file(), JSON.stringify({ workspace, owned }));
  change(["777", ...rest].join(":"), ["777:5:6", "777:5:6/777:name", "888:1:1"]);
  expect(open().left()).toEqual(new Set([`${disk}:5:6`, `${disk}:5:6/777:name`, "888:1:1"]));
  change(`${disk}:0:0`, ["777:5:6"]);
  expect(open().left()).toBeUndefined();
});

test("half a record counts as none", () => {
  const { open, file } = scene();
  open().use(new Set(["1:2:3"]));
  writeFileSync(file(), '{"workspace":');
  expect(open().left()).toBeUndefined();
});
