import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../tests/scenes/eventually.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import { openDailyLog } from "./daily-log.ts";
import { followLog } from "./log-follow.ts";

test("new lines come once each and in order, from one file to the next and over midnight", async () => {
  const folder = join(await temporaryFolder(), "logs");
  let nowMs = Date.parse("2026-11-15T12:00:00Z");
  const redact = (text: string) => text;
  const log = openDailyLog({ folder, level: "info", keepDays: 30, nowMs: () => nowMs, redact, fileBytes: 2_000 });
  log.info("before");
  await log.close();
  const seen: string[] = [];
  const ended = new AbortController();
  const following = await followLog({ folder, signal: ended.signal, lookEveryMs: 1 });
  const done = (async () => {
    for await (const line of following) seen.push(JSON.parse(line).msg);
  })();
  onTestFinished(() => done);
  for (let at = 0; at < 60; at++) {
    if (at === 40) nowMs += 86_400_000;
    log.info(`line ${at}`, { filling: "é".repeat(at === 20 ? 60_000 : 100) });
    await log.close();
  }
  await eventually(() => seen.length >= 60);
  ended.abort();
  await done;
  expect(seen).toEqual(Array.from({ length: 60 }, (_, at) => `line ${at}`));
});

test("a log that does not exist yet is waited for", async () => {
  const folder = join(await temporaryFolder(), "logs");
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const following = await followLog({ folder, signal: ended.signal, lookEveryMs: 1 });
  // a file that nobody closes any more ends the whole process when it is collected
  onTestFinished(async () => void (await following.return(undefined)));
  const first = following.next();
  const log = openDailyLog({ folder, level: "info", keepDays: 30, nowMs: Date.now, redact: (text) => text });
  log.info("hello");
  await log.close();
  expect(JSON.parse(String((await first).value)).msg).toBe("hello");
});
