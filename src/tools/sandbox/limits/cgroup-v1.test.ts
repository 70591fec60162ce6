import { existsSync } from "node:fs";
import { mkdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../tests/scenes/temporary-folder.ts";
import { ownNamespace, removeLeftGroups } from "./cgroup-v1.ts";

const gone = 2 ** 22 + 1; // more than the kernel counts to
const hourAgo = Date.now() / 1000 - 3_700;

test.each([
  ["goes: made by a process that is gone", (own: string) => `steward-${own}-${gone}-a`, false, false],
  ["stays: its process lives", (own: string) => `steward-${own}-${process.pid}-a`, true, true],
  ["stays: made a moment ago in a container that counts for itself", () => `steward-1-${gone}-a`, false, true],
  ["goes: made long ago in such a container, and nobody is in it", () => `steward-1-${gone}-a`, true, false],
  ["stays: somebody else's", () => `other-1-${gone}-a`, true, true],
])("a group of processes that is found at the start %s", async (_, nameOf, isOld, stays) => {
  const folder = await temporaryFolder();
  const own = await ownNamespace();
  const group = join(folder, nameOf(own));
  await mkdir(group);
  if (isOld) await utimes(group, hourAgo, hourAgo);
  await removeLeftGroups(folder, own);
  expect(existsSync(group)).toBe(stays);
});
