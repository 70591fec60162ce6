import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { openDailyLog } from "./daily-log.ts";

const day = 86_400_000;

async function logIn(folder: string, clock: { nowMs: number }) {
  return openDailyLog({
    folder,
    level: "info",
    keepDays: 30,
    nowMs: () => clock.nowMs,
    redact: (text) => text.replaceAll("hunter2", "[redacted]"),
  });
}

test("each day has its file, each note is a line of JSON, and secrets are masked", async () => {
  const folder = await temporaryFolder();
  const clock = { nowMs: Date.parse("2026-11-15T23:59:00Z") };
  const log = await logIn(folder, clock);
  log.info("started", { password: "hunter2" });
  clock.nowMs += day;
  log.error("broke", new Error("no hunter2 here"));
  log.close();
  expect((await readdir(folder)).sort()).toEqual(["2026-11-15.jsonl", "2026-11-16.jsonl"]);
  const text = await readFile(join(folder, "2026-11-16.jsonl"), "utf8");
  expect(JSON.parse(text)).toMatchObject({ msg: "broke", err: { message: "no [redacted] here" } });
});

test("old files are removed and other files are left alone", async () => {
  const folder = await temporaryFolder();
  for (const name of ["2026-01-01.jsonl", "notes.txt"]) await writeFile(join(folder, name), "");
  const log = await logIn(folder, { nowMs: Date.parse("2026-11-15T12:00:00Z") });
  log.info("started");
  log.close();
  expect((await readdir(folder)).sort()).toEqual(["2026-11-15.jsonl", "notes.txt"]);
});

test("what is below the level is not written", async () => {
  const folder = await temporaryFolder();
  const log = await logIn(folder, { nowMs: 0 });
  log.debug("a detail");
  log.close();
  expect(await readdir(folder)).toEqual([]);
});
