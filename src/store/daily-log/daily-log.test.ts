import { spawnSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { type DailyLogDeps, openDailyLog } from "./daily-log.ts";

const day = 86_400_000;

async function logIn(folder: string, clock: { nowMs: number }, more: Partial<DailyLogDeps> = {}) {
  return openDailyLog({
    folder,
    ...more,
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
  await log.close();
  clock.nowMs += day;
  log.error("broke", new Error("no hunter2 here"));
  await log.close();
  expect((await readdir(folder)).sort()).toEqual(["2026-11-15.jsonl", "2026-11-16.jsonl"]);
  const text = await readFile(join(folder, "2026-11-16.jsonl"), "utf8");
  expect(JSON.parse(text)).toMatchObject({ msg: "broke", err: { message: "no [redacted] here" } });
});

test("old files are removed and other files are left alone", async () => {
  const folder = await temporaryFolder();
  for (const name of ["2026-01-01.jsonl", "notes.txt"]) await writeFile(join(folder, name), "");
  const log = await logIn(folder, { nowMs: Date.parse("2026-11-15T12:00:00Z") });
  log.info("started");
  await log.close();
  expect((await readdir(folder)).sort()).toEqual(["2026-11-15.jsonl", "notes.txt"]);
});

test("what is below the level is not written", async () => {
  const folder = await temporaryFolder();
  const log = await logIn(folder, { nowMs: 0 });
  log.debug("a detail");
  await log.close();
  expect(await readdir(folder)).toEqual([]);
});

test("a day with much to tell has several files, in order, and no more in all than is kept", async () => {
  const folder = await temporaryFolder();
  const clock = { nowMs: Date.parse("2026-11-15T12:00:00Z") };
  const log = await logIn(folder, clock, { fileBytes: 1_000, totalBytes: 4_000 });
  for (let at = 0; at < 40; at++) {
    log.info(`line ${at}`, { filling: "x".repeat(300) });
    await log.close();
  }
  const names = (await readdir(folder)).sort();
  expect(names.at(-1)).toBe("2026-11-15.jsonl");
  expect(names.slice(0, -1)).toEqual(["2026-11-15.0011.jsonl", "2026-11-15.0012.jsonl", "2026-11-15.0013.jsonl"]);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  const lines = texts.flatMap((text) => text.trim().split("\n")).map((line) => JSON.parse(line).msg);
  expect(lines).toEqual(Array.from({ length: lines.length }, (_, at) => `line ${40 - lines.length + at}`));
});

test("a folder that cannot be written costs the lines and nothing else", async () => {
  const folder = join(await temporaryFolder(), "logs");
  await writeFile(folder, "no folder");
  const log = await logIn(folder, { nowMs: 0 });
  log.error("broke", new Error("why"));
  await log.close();
  expect(await readFile(folder, "utf8")).toBe("no folder");
});

test("what was told before the program broke down is on disk", async () => {
  const folder = await temporaryFolder();
  const module = JSON.stringify(new URL("./daily-log.ts", import.meta.url).href);
  const script = `const { openDailyLog } = await import(${module});
    const log = openDailyLog({ folder: ${JSON.stringify(folder)}, level: "info", keepDays: 1, nowMs: Date.now, redact: (text) => text });
    log.info("one"); log.error("two", new Error("why")); log.info("three");
    Promise.reject(new Error("nobody listens"));`;
  const child = spawnSync(process.execPath, ["--input-type=module", "--eval", script]);
  expect(child.status).not.toBe(0);
  const [name = ""] = await readdir(folder);
  const text = await readFile(join(folder, name), "utf8");
  expect(
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).msg),
  ).toEqual(["one", "two", "three"]);
});
