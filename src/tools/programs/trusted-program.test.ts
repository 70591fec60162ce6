import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findTrustedProgram } from "./trusted-program.ts";

const base = mkdtempSync(join(tmpdir(), "steward-programs-"));
afterAll(() => rmSync(base, { recursive: true }));

function folderWith(name: string, folderMode: number, fileMode: number): string {
  const folder = join(base, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "bwrap"), "#!/bin/sh\n");
  chmodSync(join(folder, "bwrap"), fileMode);
  chmodSync(folder, folderMode);
  return folder;
}

test("a program that others can write is not trusted", () => {
  expect(findTrustedProgram("bwrap", [folderWith("file", 0o755, 0o777)])).toMatchObject({ kind: "unsafe" });
});

test("a program in a folder that others can write is not trusted", () => {
  expect(findTrustedProgram("bwrap", [folderWith("folder", 0o777, 0o755)])).toMatchObject({ kind: "unsafe" });
});

test("a program of the system is found by its whole path", () => {
  expect(findTrustedProgram("sh", ["/nonexistent", "/usr/bin", "/bin"])).toMatchObject({ kind: "found" });
});

test("a program that is nowhere is missing", () => {
  expect(findTrustedProgram("no-such-program")).toEqual({ kind: "missing" });
});
