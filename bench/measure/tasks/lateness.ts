// How late delayed jobs are, beside timers of the process for the very same moments.
import { join } from "node:path";
import { wallMs } from "../wall-clock.ts";
import { openEngineIn } from "./opened-engine.ts";

export type Lateness = { jobs: readonly number[]; timers: readonly number[] };

const count = 500;
const spreadMs = 10_000;

export async function measureLateness(folder: string): Promise<Lateness> {
  await using opened = await openEngineIn(join(folder, "lateness"));
  const { engine } = opened;
  const lateness = { jobs: [] as number[], timers: [] as number[] };
  const beginMs = Date.now() + 1_000;
  const dues = Array.from({ length: count }, (_, at) => beginMs + Math.round((at * spreadMs) / count));
  for (const [at, dueMs] of dues.entries())
    await engine.delay({ id: `late:${at}`, lane: `${at}`, payload: null }, dueMs);
  const timers = dues.map((dueMs) => timerAt(dueMs).then((late) => lateness.timers.push(late)));
  while (lateness.jobs.length < count) {
    const claim = await engine.claim("worker", { leaseMs: 60_000, signal: AbortSignal.timeout(60_000) });
    if (!claim) throw new Error(`Only ${lateness.jobs.length} of ${count} delayed jobs came.`);
    lateness.jobs.push(wallMs() - claim.job.dueAtMs);
    await engine.finish(claim, { kind: "done" });
  }
  await Promise.all(timers);
  return lateness;
}

function timerAt(dueMs: number): Promise<number> {
  return new Promise((resolve) => setTimeout(() => resolve(wallMs() - dueMs), dueMs - Date.now()));
}
