import { fdatasync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { messageReceived, storeIn } from "../../../tests/scenes/stores.ts";
import { temporaryFolder } from "../../../tests/scenes/temporary-folder.ts";
import type { SyncFile } from "../database/flush-log-file.ts";
import { migrate, migrations } from "../database/migrations.ts";
import { openSqliteDatabase } from "../database/sqlite-database.ts";
import { waitingMessages } from "../tables/open-work.ts";
import { type EventLog, openEventLog } from "./event-log.ts";

test("what was appended is there after the store is opened again", async () => {
  const home = await temporaryFolder();
  const first = await storeIn(home);
  await first.log.append([messageReceived("hello")]);
  await first.close();
  const second = await storeIn(home);
  expect(await second.log.since(0, 10)).toMatchObject([{ seq: 1, type: "message.received", text: "hello" }]);
});

test("appends asked for at the same moment get numbers without gaps, in the order they were asked", async () => {
  const { log } = await storeIn(await temporaryFolder());
  await Promise.all(Array.from({ length: 50 }, (_, n) => log.append([messageReceived(`${n}`)])));
  const events = await log.since(0, 100);
  expect(events.map((event) => [event.seq, "text" in event ? event.text : ""])).toEqual(
    Array.from({ length: 50 }, (_, n) => [n + 1, `${n}`]),
  );
});

test("a message with the same idempotency key is kept once, also after a restart", async () => {
  const home = await temporaryFolder();
  const first = await storeIn(home);
  await first.log.append([messageReceived("pay")], { idempotencyKey: "k1" });
  await first.close();
  const second = await storeIn(home);
  const again = await second.log.append([messageReceived("pay")], { idempotencyKey: "k1" });
  expect([again.repeated, again.events[0]?.seq, second.log.lastSeq()]).toEqual([true, 1, 1]);
});

test("two keys alike in one commit are still one message", async () => {
  const { log } = await storeIn(await temporaryFolder());
  const both = await Promise.all([1, 2].map(() => log.append([messageReceived("once")], { idempotencyKey: "k" })));
  expect([both.map((appended) => appended.repeated), log.lastSeq()]).toEqual([[false, true], 1]);
});

test("one refused decision does not disturb the others of its commit", async () => {
  const { log } = await storeIn(await temporaryFolder());
  const refused = log.appendDecided(() => Promise.reject(new Error("no")));
  const accepted = log.append([messageReceived("yes")]);
  await expect(refused).rejects.toThrow("no");
  expect((await accepted).events[0]?.seq).toBe(1);
});

test("a decision sees what was appended before it in the same commit", async () => {
  const { log } = await storeIn(await temporaryFolder());
  void log.append([messageReceived("one")]);
  let seen: readonly number[] = [];
  await log.appendDecided(async (tx) => {
    seen = await waitingMessages(tx, "terminal--default");
    return [];
  });
  expect(seen).toEqual([1]);
});

test("listeners hear every event once and in order", async () => {
  const { log } = await storeIn(await temporaryFolder());
  const heard: number[] = [];
  log.subscribe((events) => heard.push(...events.map((event) => event.seq)));
  await log.append([messageReceived("a"), messageReceived("b")]);
  await log.append([messageReceived("c")]);
  expect(heard).toEqual([1, 2, 3]);
});

test("the last events of a conversation are found without those of others", async () => {
  const { log } = await storeIn(await temporaryFolder());
  for (let n = 0; n < 5; n++)
    await log.append([messageReceived(`mine ${n}`), messageReceived(`other ${n}`, { conversation: "telegram--7" })]);
  const events = await log.latest("terminal--default", 2);
  expect(events.map((event) => "text" in event && event.text)).toEqual(["mine 3", "mine 4"]);
});

test("before the flush an append is neither acknowledged nor told nor read, and those that wait meanwhile share the next one", async () => {
  const flushes: (() => void)[] = [];
  let isHeld = false;
  const log = await logOn((file, done) => (isHeld ? flushes.push(() => fdatasync(file, done)) : fdatasync(file, done)));
  const seen: unknown[] = [];
  log.subscribe((events) => seen.push(...events.map(({ seq }) => `told ${seq}`)));
  const append = (text: string) => log.append([messageReceived(text)]).then(() => seen.push(`acknowledged ${text}`));
  isHeld = true;
  const first = append("a");
  while (flushes.length < 1) await new Promise(setImmediate);
  const others = [append("b"), append("c")];
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([seen, log.lastSeq(), await log.since(0, 10), flushes.length]).toEqual([[], 0, [], 1]);
  flushes.pop()?.();
  await first;
  while (flushes.length < 1) await new Promise(setImmediate);
  expect([log.lastSeq(), (await log.since(0, 10)).length]).toEqual([1, 1]);
  isHeld = false;
  flushes.pop()?.();
  await Promise.all(others);
  expect([seen.toSorted(), flushes.length]).toEqual([
    ["acknowledged a", "acknowledged b", "acknowledged c", "told 1", "told 2", "told 3"],
    0,
  ]);
});

test("a message whose flush failed is refused, and so is every one after it", async () => {
  let isBroken = false;
  const log = await logOn((file, done) => (isBroken ? done(new Error("input/output error")) : fdatasync(file, done)));
  await log.append([messageReceived("kept")]);
  isBroken = true;
  await expect(log.append([messageReceived("lost")])).rejects.toThrow("The disk failed");
  isBroken = false;
  await expect(log.append([messageReceived("later")])).rejects.toThrow("The disk failed");
  expect([log.lastSeq(), (await log.since(0, 10)).length]).toEqual([1, 1]);
});

async function logOn(syncFile: SyncFile): Promise<EventLog> {
  const database = openSqliteDatabase(join(await temporaryFolder(), "steward.db"), syncFile);
  onTestFinished(() => database.close());
  await migrate({ migrations, nowMs: Date.now, keepCopy: async () => {}, refold: async () => {} }, database);
  return openEventLog({ database, nowMs: Date.now });
}
