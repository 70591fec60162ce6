import { appendFileSync } from "node:fs";
import { appendFile, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../tests/scenes/eventually.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import type { FilesPlace } from "./files-place.ts";
import { watchMemoryFiles } from "./watch-files.ts";

async function watched(asked: Partial<FilesPlace> = {}, debounceMs = 20) {
  const folder = await temporaryFolder();
  let told = 0;
  const place = { folder, extraPaths: [], ...asked };
  const watch = watchMemoryFiles(place, () => (told += 1), debounceMs);
  onTestFinished(() => watch.close());
  return {
    ...{ folder, watch, told: () => told },
    async isToldOf(change: () => Promise<void>) {
      const before = told;
      await change();
      await eventually(() => told > before);
    },
  };
}

test.each(["MEMORY.md", "USER.md", "GLOBAL.md"])("a change of %s is told", async (name) => {
  const { folder, isToldOf } = await watched();
  await isToldOf(() => writeFile(join(folder, name), "new"));
  await isToldOf(() => appendFile(join(folder, name), "more"));
  await isToldOf(() => rm(join(folder, name)));
});

test("a memory folder that comes later is watched with all folders in it", async () => {
  const { folder, isToldOf } = await watched();
  await isToldOf(async () => void (await mkdir(join(folder, "memory/a/b"), { recursive: true })));
  await isToldOf(() => writeFile(join(folder, "memory/a/b/x.md"), "new"));
  await isToldOf(() => appendFile(join(folder, "memory/a/b/x.md"), "more"));
  await isToldOf(async () => void (await mkdir(join(folder, "memory/c"))));
  await isToldOf(() => writeFile(join(folder, "memory/c/y.md"), "new"));
});

test("a memory folder that is replaced is watched on", async () => {
  const { folder, isToldOf } = await watched();
  const memory = join(folder, "memory");
  await isToldOf(async () => void (await mkdir(memory)));
  for (let at = 0; at < 5; at++) {
    await isToldOf(async () => {
      await rm(memory, { recursive: true });
      await mkdir(memory);
    });
    await isToldOf(() => writeFile(join(memory, "x.md"), `${at}`));
  }
  await isToldOf(async () => {
    await mkdir(`${memory}-new`);
    await rename(memory, `${memory}-old`);
    await rename(`${memory}-new`, memory);
  });
  await isToldOf(() => writeFile(join(memory, "x.md"), "last"));
});

test("further paths are watched, and for a group the owner's GLOBAL.md", async () => {
  const beside = await temporaryFolder();
  const { isToldOf } = await watched({ extraPaths: [join(beside, "notes")] });
  await isToldOf(async () => void (await mkdir(join(beside, "notes"))));
  await isToldOf(() => writeFile(join(beside, "notes/x.md"), "new"));
  const group = await watched({ globalFile: join(beside, "GLOBAL.md") });
  await group.isToldOf(() => writeFile(join(beside, "GLOBAL.md"), "new"));
});

test("what is none of the memory is not told", async () => {
  const { folder, told } = await watched();
  const everything = await watched({ folder, extraPaths: ["."] }, 200);
  await everything.isToldOf(async () => {
    for (const name of ["notes.md", "AGENTS.md"]) await writeFile(join(folder, name), "x");
  });
  expect(told()).toBe(0);
});

test("many changes in a row are told once, and what never rests is told, too", async () => {
  const { folder, told } = await watched({}, 100);
  const path = join(folder, "MEMORY.md");
  for (let at = 0; at < 50; at++) appendFileSync(path, "x");
  await eventually(told, 1);
  while (told() < 2) {
    appendFileSync(path, "x");
    await setImmediate();
  }
});

test("nothing is told after it is closed", async () => {
  const { folder, watch, told } = await watched();
  await writeFile(join(folder, "MEMORY.md"), "x");
  watch.close();
  const later = await watched({ folder });
  await later.isToldOf(() => writeFile(join(folder, "MEMORY.md"), "y"));
  expect(told()).toBe(0);
});

test("a folder that is not there is said to be not watched, and nothing is thrown", async () => {
  const { watch } = await watched({ folder: "/no/such/folder" });
  expect(watch.problems()).toEqual(["/no/such/folder is not watched (ENOENT): changes are seen with the next search."]);
});

test("a folder that is deleted while it is watched does no harm", async () => {
  const { folder, isToldOf, watch } = await watched();
  await mkdir(join(folder, "memory/a"), { recursive: true });
  await isToldOf(() => rm(folder, { recursive: true }));
  await eventually(() => watch.problems().length > 0);
});

test("a link in the memory is not gone into", async () => {
  const elsewhere = await temporaryFolder();
  await mkdir(join(elsewhere, "deep"));
  const { folder, isToldOf, told } = await watched();
  const there = await watched({ folder: elsewhere, extraPaths: ["."] }, 200);
  await isToldOf(async () => void (await mkdir(join(folder, "memory"))));
  await isToldOf(() => symlink(elsewhere, join(folder, "memory/link")));
  const before = told();
  await there.isToldOf(async () => {
    for (const name of ["x.md", "deep/x.md"]) await writeFile(join(elsewhere, name), "x");
  });
  expect(told()).toBe(before);
});
