import { mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { openGroupQuota } from "./group-quota.ts";

const mb = 1024 * 1024;
const oneDayMs = 86_400_000;

test("a folder is full by what lies in it, however it came there, and has room again when some of it is gone", async () => {
  const folder = join(await temporaryFolder(), "incoming");
  const quota = openGroupQuota({ nowMs: () => 0 });
  expect(await quota.refusal("family", folder, 20 * mb)).toBeUndefined();
  await mkdir(folder);
  await writeFile(join(folder, "film.mp4"), "");
  await truncate(join(folder, "film.mp4"), 490 * mb);
  expect(await quota.refusal("family", folder, 5 * mb)).toBeUndefined();
  expect(await quota.refusal("family", folder, 20 * mb)).toBe(
    "the group's folder incoming/ is full (500 MB). Delete some of it.",
  );
  await truncate(join(folder, "film.mp4"), 10 * mb);
  expect(await quota.refusal("family", folder, 20 * mb)).toBeUndefined();
});

test("what was thrown away again counts until the day is over, for the group that brought it and no other", async () => {
  let nowMs = oneDayMs;
  const folder = await temporaryFolder();
  const quota = openGroupQuota({ nowMs: () => nowMs });
  for (let number = 0; number < 25; number += 1) quota.add("family", 20 * mb);
  expect(await quota.refusal("family", folder, 1)).toMatch(/^the group has brought 500 MB today already/);
  expect(await quota.refusal("work", folder, 1)).toBeUndefined();
  nowMs += oneDayMs;
  expect(await quota.refusal("family", folder, 1)).toBeUndefined();
});

test("very many empty files are too much as well", async () => {
  const folder = await temporaryFolder();
  const quota = openGroupQuota({ nowMs: () => 0 });
  for (let number = 0; number < 32_000; number += 1) quota.add("family", 0);
  expect(await quota.refusal("family", folder, 0)).toContain("today already");
});
