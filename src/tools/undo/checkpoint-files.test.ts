import { mkdtemp, readdir, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sha256 } from "../paths/file-change.ts";
import { type Checkpoints, openCheckpointFiles } from "./checkpoint-files.ts";

let base: string;
let folder: string;
let nowMs: number;
let checkpoints: Checkpoints;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "steward-checkpoints-"));
  folder = join(base, "checkpoints");
  nowMs = Date.now();
  checkpoints = openCheckpointFiles({ folder, nowMs: () => nowMs });
});
afterEach(() => rm(base, { recursive: true }));

async function textOf(name: string): Promise<string | undefined> {
  const content = await checkpoints.read(name);
  return content && (await buffer(content)).toString("utf8");
}

async function* pieces(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

test("bytes and a stream of the same bytes are kept once, for the owner alone", async () => {
  const name = await checkpoints.keep(Buffer.from("earlier"));
  expect(await checkpoints.keep(pieces("ear", "", "lier"))).toBe(name);
  expect(name).toBe(sha256("earlier"));
  expect(await readdir(folder)).toEqual([name]);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  expect(await textOf(name)).toBe("earlier");
});

test("the same content from fifty at once is kept once and whole", async () => {
  const names = await Promise.all(Array.from({ length: 50 }, () => checkpoints.keep(Buffer.alloc(100_000, "x"))));
  expect(new Set(names).size).toBe(1);
  expect(await readdir(folder)).toEqual([names[0]]);
  expect(await textOf(names[0] ?? "")).toHaveLength(100_000);
});

test("what was never kept, is damaged, or is no hash is not there", async () => {
  const name = await checkpoints.keep(Buffer.from("earlier"));
  await truncate(join(folder, name), 3);
  await writeFile(join(base, "outside"), "secret");
  expect(await Promise.all([name, sha256("never"), "../outside", ""].map(textOf))).toEqual(Array(4).fill(undefined));
});

test("old ones are removed, but not what somebody has kept again since", async () => {
  const old = await checkpoints.keep(Buffer.from("old"));
  const again = await checkpoints.keep(Buffer.from("again"));
  nowMs += 1000;
  await checkpoints.keep(Buffer.from("again"));
  await writeFile(join(folder, "killed.tmp"), "half");
  await utimes(join(folder, "killed.tmp"), 0, 0);
  expect(await checkpoints.removeOld(nowMs - 500)).toBe(2);
  expect(await readdir(folder)).toEqual([again]);
  expect(await textOf(old)).toBeUndefined();
});

test("a stream that breaks leaves nothing behind", async () => {
  async function* broken() {
    yield Buffer.from("half");
    throw new Error("the disk went away");
  }
  await expect(checkpoints.keep(broken())).rejects.toThrow("the disk went away");
  expect(await readdir(folder)).toEqual([]);
});
