import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findInheritableDescriptors } from "./box-program.ts";

test("only descriptors that a child would get are found, and never the standard three", () => {
  const folder = mkdtempSync(join(tmpdir(), "steward-fdinfo-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "1"), "pos:\t0\nflags:\t0100002\n");
  writeFileSync(join(folder, "20"), "pos:\t0\nflags:\t02100000\n");
  writeFileSync(join(folder, "251"), "pos:\t0\nflags:\t0100000\n");
  expect(findInheritableDescriptors(folder)).toEqual([251]);
});
