import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { type LogLevel, openDailyLog } from "./daily-log.ts";
import { tailLog } from "./log-tail.ts";

const day = Date.UTC(2026, 10, 14);
const oneDay = 86_400_000;

async function logIn() {
  const folder = join(await temporaryFolder(), "logs");
  let nowMs = day;
  const log = openDailyLog({ folder, level: "debug", keepDays: 30, nowMs: () => nowMs, redact: (text) => text });
  const tail = async (lines = 100, level: LogLevel = "info", redact = (text: string) => text) => {
    await log.close();
    return tailLog({ folder, redact }, { lines, level });
  };
  return { folder, log, tail, at: (ms: number) => (nowMs = ms) };
}

test("the last lines come oldest first, with their level, time and what belongs to them", async () => {
  const { log, tail } = await logIn();
  log.info("started", { readyMs: 12 });
  log.error("The disk is full.", new Error("ENOSPC"));
  const lines = await tail();
  expect(lines).toMatchObject([
    { atMs: day, level: "info", message: "started", detail: '{"readyMs":12}' },
    { level: "error", message: "The disk is full.", detail: expect.stringContaining("ENOSPC") },
  ]);
});

test("only the wanted level and above, and only as many as wanted", async () => {
  const { log, tail } = await logIn();
  for (let at = 0; at < 10; at++) {
    log.debug(`debug ${at}`);
    log.warn(`warn ${at}`);
  }
  expect((await tail(3, "warn")).map((line) => line.message)).toEqual(["warn 7", "warn 8", "warn 9"]);
  expect(await tail(100, "error")).toEqual([]);
  expect(await tail(100, "debug")).toHaveLength(20);
});

test("when today's file is short, yesterday's goes before it", async () => {
  const { log, tail, at } = await logIn();
  log.info("yesterday");
  await log.close();
  at(day + oneDay);
  log.info("today");
  expect((await tail()).map((line) => line.message)).toEqual(["yesterday", "today"]);
});

test("lines longer than a piece, and characters across two pieces, come whole", async () => {
  const { log, tail } = await logIn();
  for (let at = 0; at < 3; at++) log.info(`${at} ${"🦉é".repeat(40_000)}`);
  const lines = await tail();
  expect(lines.map((line) => line.message)).toEqual([0, 1, 2].map((at) => `${at} ${"🦉é".repeat(40_000)}`));
});

test("a line that a crash cut off, and what is no log line, are left out", async () => {
  const { folder, log, tail } = await logIn();
  log.info("whole");
  await log.close();
  await appendFile(join(folder, "2026-11-14.jsonl"), 'nonsense\n{"level":30}\n{"level":30,"time":"2026-1');
  await writeFile(join(folder, "notes.txt"), "not a log");
  expect((await tail()).map((line) => line.message)).toEqual(["whole"]);
});

test("what is shown is masked", async () => {
  const { log, tail } = await logIn();
  log.info("key hunter2", { header: "hunter2" });
  const lines = await tail(10, "info", (text) => text.replaceAll("hunter2", "***"));
  expect(lines).toMatchObject([{ message: "key ***", detail: '{"header":"***"}' }]);
});

test("a huge file is not read whole: a rare level is looked for in its end only", async () => {
  const { folder, log, tail } = await logIn();
  log.error("long ago");
  await log.close();
  const line = `${JSON.stringify({ level: 30, time: "2026-11-14T00:00:00.000Z", msg: "x".repeat(1000) })}\n`;
  await appendFile(join(folder, "2026-11-14.jsonl"), line.repeat(20_000));
  expect(await tail(10, "error")).toEqual([]);
  expect(await tail(10, "info")).toHaveLength(10);
});

test("without a folder, or with an empty one, there are no lines", async () => {
  const folder = join(await temporaryFolder(), "none");
  const tail = () => tailLog({ folder, redact: (text) => text }, { lines: 5, level: "info" });
  expect(await tail()).toEqual([]);
  await mkdir(folder);
  expect(await tail()).toEqual([]);
});
