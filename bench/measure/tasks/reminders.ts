// Reminders in the whole program: how late they are said, and how many a second when all are due at once.
import { join } from "node:path";
import type { GatewayClient } from "../../../src/contract/wire/client.ts";
import { startDaemon } from "../program.ts";

export type Reminders = { lateMs: readonly number[]; perSecond: number };

const spread = { count: 300, overMs: 10_000 };
const crowd = 500;
// enough to plan them all before the first is due
const planningMs = 20_000;

export async function measureReminders(folder: string): Promise<Reminders> {
  await using daemon = await startDaemon({ home: join(folder, "reminders") });
  const beginMs = Date.now() + planningMs;
  const dues = Array.from({ length: spread.count }, (_, at) => beginMs + (at * spread.overMs) / spread.count);
  const lateMs = await saidAt(daemon.client, dues.map(Math.round));
  const togetherMs = Date.now() + planningMs;
  const said = await saidAt(daemon.client, Array<number>(crowd).fill(togetherMs));
  return { lateMs, perSecond: (crowd * 1_000) / Math.max(...said) };
}

/** How long after its time each of them stands in the log. */
async function saidAt(client: GatewayClient, dues: readonly number[]): Promise<readonly number[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const lateMs: number[] = [];
  const { lastSeq } = await client.call("health.check", {});
  const unfollow = client.follow(lastSeq, (followed) => {
    if (followed.type !== "reply.written" || !followed.task?.run) return;
    lateMs.push(followed.atMs - followed.task.run.dueAtMs);
    if (lateMs.length === dues.length) resolve();
  });
  for (const [at, dueMs] of dues.entries())
    await client.call("tasks.create", {
      when: new Date(dueMs).toISOString(),
      action: { kind: "say", text: `This is reminder ${at}.` },
    });
  if (Date.now() > (dues[0] ?? 0)) throw new Error("The first reminder was due before all of them were planned.");
  await promise;
  unfollow();
  return lateMs;
}
