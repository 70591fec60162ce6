// Jobs through the engine from their start to their end, and the same rows written to a bare SQLite file in turn with them.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migrations } from "../../../src/store/database/migrations.ts";
import type { Engine } from "../../../src/tasks/engine/engine.ts";
import { median, steadyMs } from "../figures.ts";
import { openEngineIn } from "./opened-engine.ts";

export type EngineLoad = { jobsPerSecond: number; rowsPerSecond: number; jobMs: number; rowMs: number };

const rounds = 5;
const jobsInRound = 1_000;
const workers = 8;
const leaseMs = 60_000;

export async function measureEngineLoad(folder: string): Promise<EngineLoad> {
  await using opened = await openEngineIn(join(folder, "load"));
  using bare = openBareRows(join(folder, "bare.db"));
  const times = { many: [] as number[], rows: [] as number[], one: [] as number[], row: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.many.push(await timed(() => runMany(opened.engine, round)));
    times.rows.push(
      await timed(async () => {
        for (let at = 0; at < jobsInRound; at++) bare.insert(`many:${round}:${at}`);
      }),
    );
    for (let at = 0; at < 200; at++) {
      times.one.push(await timed(() => runOne(opened.engine, `one:${round}:${at}`)));
      times.row.push(await timed(async () => bare.insert(`one:${round}:${at}`)));
    }
  }
  return {
    jobsPerSecond: (jobsInRound * 1_000) / median(times.many),
    rowsPerSecond: (jobsInRound * 1_000) / median(times.rows),
    jobMs: median(times.one),
    rowMs: median(times.row),
  };
}

async function runMany(engine: Engine, round: number): Promise<void> {
  const ids = Array.from({ length: jobsInRound }, (_, at) => `many:${round}:${at}`);
  const leave = new AbortController();
  let left = jobsInRound;
  const work = async (worker: string) => {
    for (;;) {
      const claim = await engine.claim(worker, { leaseMs, signal: leave.signal });
      if (!claim) return;
      await engine.finish(claim, { kind: "done" });
      left -= 1;
      if (left === 0) leave.abort();
    }
  };
  const working = Array.from({ length: workers }, (_, at) => work(`worker ${at}`));
  await Promise.all(ids.map((id) => engine.start({ id, lane: id, payload: { of: id } })));
  await Promise.all(working);
}

async function runOne(engine: Engine, id: string): Promise<void> {
  await engine.start({ id, lane: id, payload: { of: id } });
  const claim = await engine.claim("worker", { leaseMs, signal: AbortSignal.timeout(60_000) });
  if (claim?.job.id !== id) throw new Error(`${claim?.job.id ?? "nothing"} was taken, not ${id}`);
  await engine.finish(claim, { kind: "done" });
}

function openBareRows(path: string): Disposable & { insert(id: string): void } {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  for (const statement of migrations.flatMap(({ statements }) => statements))
    if (/^CREATE .*\bjobs\b/.test(statement)) database.exec(statement);
  const insert = database.prepare(
    "INSERT INTO jobs (id, lane, state, due_at_ms, not_before_ms, payload, fence) VALUES (?, ?, 'waiting', ?, 0, ?, 0)",
  );
  return {
    insert: (id) => void insert.run(id, id, Date.now(), JSON.stringify({ of: id })),
    [Symbol.dispose]: () => database.close(),
  };
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const beganMs = steadyMs();
  await act();
  return steadyMs() - beganMs;
}
