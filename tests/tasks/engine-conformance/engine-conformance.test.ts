import { describe, expect, onTestFinished, test } from "vitest";
import type { Claim, Engine } from "../../../src/tasks/engine/engine.ts";
import { eventually } from "../../scenes/eventually.ts";
import { messageReceived } from "../../scenes/stores.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";
import { type Adapter, adapters, type OpenedEngine } from "./adapters.ts";

const longLease = { leaseMs: 600_000, signal: new AbortController().signal };
const shortLease = { ...longLease, leaseMs: 100 };

describe.each(adapters)("the $name engine", (adapter) => {
  test("two workers share the jobs, and never work in one lane at the same time", async () => {
    const { engine } = await opened(adapter);
    const jobs = Array.from({ length: 90 }, (_, at) => job(`job:${at}`, `lane:${at % 5}`));
    const record = { busy: new Map<string, string>(), overlaps: [] as string[], done: new Map<string, string>() };
    const workers = ["one", "two"].map((worker) => workAll(engine, worker, record));
    for (const each of jobs) expect(await engine.start(each)).toBe(true);
    await eventually(() => record.done.size, jobs.length);
    await engine.close();
    await Promise.all(workers);
    expect(record.overlaps).toEqual([]);
    expect(new Set(record.done.values())).toEqual(new Set(["one", "two"]));
  });

  test("a worker that never comes back loses the job to another, and may write nothing when it does come back", async () => {
    const { engine, log, holds } = await opened(adapter);
    await engine.start(job("once"));
    const gone = await taken(engine.claim("gone", shortLease));
    const next = await taken(engine.claim("next", longLease));
    expect([next.job.id, next.worker, next.fence > gone.fence]).toEqual(["once", "next", true]);
    expect(await engine.heartbeat(gone)).toBe("lost");
    expect(await engine.finish(gone, { kind: "again", atMs: 0 })).toBe(false);
    expect(await engine.finish(gone, { kind: "done" })).toBe(false);
    const write = (claim: Claim) =>
      log.appendDecided(async (tx) => ((await holds(tx, claim)) ? [messageReceived(claim.worker)] : []));
    expect((await write(gone)).events).toEqual([]);
    expect((await write(next)).events).toMatchObject([{ text: "next" }]);
    expect([await engine.heartbeat(next), await engine.finish(next, { kind: "done" })]).toEqual(["held", true]);
    expect(await engine.list({ limit: 10 })).toMatchObject([{ id: "once", state: "done" }]);
  });

  test("a worker that says it is alive keeps its job far longer than its lease", async () => {
    const { engine } = await opened(adapter);
    await engine.start(job("long"));
    const leave = new AbortController();
    const claim = await taken(engine.claim("one", { ...longLease, leaseMs: 3_000 }));
    const other = engine.claim("two", { ...longLease, signal: leave.signal });
    const endMs = Date.now() + 4_500;
    await eventually(async () => [await engine.heartbeat(claim), Date.now() > endMs], ["held", true]);
    leave.abort();
    expect([await other, await engine.finish(claim, { kind: "done" })]).toEqual([undefined, true]);
  });

  test("a job under one id is started once, whoever starts it and however often", async () => {
    const { engine } = await opened(adapter);
    const starts = await Promise.all(Array.from({ length: 10 }, () => engine.start(job("once"))));
    expect(starts.filter((isNew) => isNew)).toHaveLength(1);
    await engine.finish(await taken(engine.claim("one", longLease)), { kind: "done" });
    expect([await engine.start(job("once")), await engine.delay(job("once"), Date.now())]).toEqual([false, false]);
  });

  test("delayed jobs come in the order of their times and none too early, also one whose time was changed", async () => {
    const { engine } = await opened(adapter);
    const nowMs = Date.now();
    for (const [at, afterMs] of [300, 100, 60_000, 200].entries())
      await engine.delay(job(`after ${at}`, `${at}`), nowMs + afterMs);
    expect(await engine.delay(job("after 2", "2"), nowMs + 400)).toBe(true);
    const order: string[] = [];
    for (let at = 0; at < 4; at++) {
      const { id, dueAtMs } = (await taken(engine.claim("one", longLease))).job;
      expect(Date.now()).toBeGreaterThanOrEqual(dueAtMs);
      order.push(id);
    }
    expect(order).toEqual(["after 1", "after 3", "after 0", "after 2"]);
  });

  test("what is cancelled while it waits never comes; what is under way is told, and is over when it has stopped", async () => {
    const { engine } = await opened(adapter);
    await engine.delay(job("waiting", "a"), Date.now() + 50);
    expect(await engine.cancel("waiting")).toBe(true);
    await engine.start(job("under way", "b"));
    const claim = await taken(engine.claim("one", longLease));
    expect([claim.job.id, await engine.cancel("under way")]).toEqual(["under way", true]);
    expect(await engine.heartbeat(claim)).toBe("cancelled");
    expect(await engine.finish(claim, { kind: "again", atMs: Date.now() })).toBe(true);
    await engine.delay(job("last", "c"), Date.now() + 200);
    expect((await taken(engine.claim("one", longLease))).job.id).toBe("last");
    expect([await engine.cancel("under way"), await engine.cancel("nobody's")]).toEqual([false, false]);
  });

  test("what one process leaves the next one finds: jobs that wait, jobs under way, and which ids are used", async () => {
    const folder = await temporaryFolder();
    const first = await adapter.open(folder);
    for (const id of ["over", "under way"]) await first.engine.start(job(id, id));
    const over = await taken(first.engine.claim("one", longLease));
    await first.engine.finish(over, { kind: "done" });
    const left = await taken(first.engine.claim("one", shortLease));
    const atMs = Date.now() + 86_400_000;
    await first.engine.delay(job("later"), atMs);
    await first.close();
    const { engine } = await opened(adapter, folder);
    expect(await engine.start(job(over.job.id))).toBe(false);
    const again = await taken(engine.claim("two", longLease));
    expect([again.job, again.fence > left.fence]).toEqual([left.job, true]);
    expect(await engine.list({ state: "waiting", limit: 10 })).toMatchObject([{ id: "later", dueAtMs: atMs }]);
  });
});

type WorkRecord = { busy: Map<string, string>; overlaps: string[]; done: Map<string, string> };

async function workAll(engine: Engine, worker: string, { busy, overlaps, done }: WorkRecord): Promise<void> {
  for (;;) {
    const claim = await engine.claim(worker, longLease);
    if (!claim) return;
    const { id, lane } = claim.job;
    if (busy.has(lane) || done.has(id)) overlaps.push(`${id} beside ${busy.get(lane)}`);
    busy.set(lane, id);
    for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
    busy.delete(lane);
    done.set(id, worker);
    await engine.finish(claim, { kind: "done" });
  }
}

function job(id: string, lane = "main"): { id: string; lane: string; payload: unknown } {
  return { id, lane, payload: { of: id } };
}

async function taken(claiming: Promise<Claim | undefined>): Promise<Claim> {
  return (await claiming) ?? expect.unreachable("nothing was taken");
}

async function opened(adapter: Adapter, folder?: string): Promise<OpenedEngine> {
  const engine = await adapter.open(folder ?? (await temporaryFolder()));
  onTestFinished(() => engine.close());
  return engine;
}
