import { expect, test } from "vitest";
import {
  day,
  engineScene,
  hour,
  idsOf,
  job,
  leaseMs,
  noon,
  openEngine,
  second,
  statesIn,
} from "../../../tests/scenes/tasks/engine-scene.ts";
import type { Claim, Engine } from "./engine.ts";

test("a job that is started is taken at once, with what it was given", async () => {
  const { engine, worker } = await engineScene();
  expect(await engine.start({ id: "turn:1:0", lane: "a", payload: { text: "grüße" } })).toBe(true);
  expect((await worker("w1")).claims).toEqual([
    { job: { id: "turn:1:0", lane: "a", dueAtMs: noon, payload: { text: "grüße" } }, fence: 1, worker: "w1" },
  ]);
});

test("whoever waits is given a job as soon as it is started", async () => {
  const { engine, worker, settled } = await engineScene();
  const waiting = await worker("w1");
  expect(waiting.claims).toEqual([]);
  await engine.start(job("one"));
  await settled();
  expect(idsOf(waiting.claims)).toEqual(["one"]);
});

test("starting twice is starting once, also while it is under way and when it is over", async () => {
  const { engine, worker } = await engineScene();
  const starts = [await engine.start(job("one")), await engine.start(job("one"))];
  const [claim] = (await worker("w1")).claims;
  starts.push(await engine.start(job("one")));
  if (claim) await engine.finish(claim, { kind: "done" });
  starts.push(await engine.start(job("one")), await engine.delay(job("one"), noon + hour));
  expect(starts).toEqual([true, false, false, false, false]);
  expect((await worker("w1")).claims).toEqual([]);
});

test("two who start the same job in the same moment start it once", async () => {
  const { engine, worker } = await engineScene();
  const starts = await Promise.all([engine.start(job("one")), engine.start(job("one"))]);
  expect([starts.toSorted(), (await worker("w1")).claims.length]).toEqual([[false, true], 1]);
});

test("a delayed job comes at its time and not a millisecond before", async () => {
  const { engine, worker, pass } = await engineScene();
  const waiting = await worker("w1");
  await engine.delay(job("later"), noon + 5 * second);
  await pass(5 * second - 1);
  expect(waiting.claims).toEqual([]);
  await pass(1);
  expect(waiting.claims).toMatchObject([{ job: { id: "later", dueAtMs: noon + 5 * second } }]);
});

test("of a job that waits the time can be changed, sooner or later; of one under way or over it cannot", async () => {
  const { engine, worker, pass } = await engineScene();
  const [first, other] = [await worker("w1"), await worker("w2")];
  expect(await engine.delay(job("a"), noon + hour)).toBe(true);
  expect(await engine.delay(job("b"), noon + second)).toBe(true);
  expect(await engine.delay({ ...job("a"), payload: "another" }, noon + second)).toBe(true);
  expect(await engine.delay(job("b"), noon + hour)).toBe(true);
  await pass(second);
  expect(idsOf([...first.claims, ...other.claims])).toEqual(["a"]);
  expect(first.claims[0]?.job.payload).toBe("of a");
  expect(await engine.delay(job("a"), noon + day)).toBe(false);
  await engine.finish(first.taken(), { kind: "done" });
  expect(await engine.delay(job("a"), noon + day)).toBe(false);
  await pass(hour - second);
  expect(idsOf(other.claims)).toEqual(["b"]);
});

test("starting a job that waits for its time does not bring it forward", async () => {
  const { engine, worker } = await engineScene();
  await engine.delay(job("later"), noon + hour);
  expect([await engine.start(job("later")), (await worker("w1")).claims]).toEqual([false, []]);
});

test("a job that waits and is cancelled is gone for good", async () => {
  const { engine, worker, pass } = await engineScene();
  await engine.delay(job("later"), noon + second);
  const waiting = await worker("w1");
  expect(await engine.cancel("later")).toBe(true);
  await pass(hour);
  expect(waiting.claims).toEqual([]);
  expect([await engine.cancel("later"), await engine.cancel("nobody's"), await engine.start(job("later"))]).toEqual([
    ...[false, false, false],
  ]);
});

test("a job under way that is cancelled hears of it by its heartbeat, keeps its lease to stop in peace, and is over after that", async () => {
  const { engine, worker, pass } = await engineScene();
  await engine.start(job("one"));
  const claim = (await worker("w1")).taken();
  expect([await engine.heartbeat(claim), await engine.cancel("one"), await engine.cancel("one")]).toEqual([
    ...["held", true, true],
  ]);
  await pass(leaseMs - 1);
  expect(await engine.heartbeat(claim)).toBe("cancelled");
  const other = await worker("w2");
  await pass(leaseMs - 1);
  expect(other.claims).toEqual([]);
  expect(await engine.finish(claim, { kind: "again", atMs: noon + day })).toBe(true);
  expect(await statesIn(engine)).toEqual([["one", "cancelled"]]);
});

test("a cancelled job whose worker went away is over, and nobody takes it up", async () => {
  const { engine, worker, pass } = await engineScene();
  await engine.start(job("one"));
  await worker("w1");
  await engine.cancel("one");
  const other = await worker("w2");
  await pass(leaseMs);
  expect([other.claims, await statesIn(engine)]).toEqual([[], [["one", "cancelled"]]]);
});

test("in a lane one comes after the other, and lanes do not wait for each other", async () => {
  const { engine, worker, settled } = await engineScene();
  for (const id of ["a1", "a2", "b1"]) await engine.start({ ...job(id), lane: id.slice(0, 1) });
  const workers = [await worker("w1"), await worker("w2"), await worker("w3")];
  expect(workers.map(({ claims }) => idsOf(claims))).toEqual([["a1"], ["b1"], []]);
  await engine.finish(workers[0]?.taken() as Claim, { kind: "done" });
  await settled();
  expect(workers.map(({ claims }) => idsOf(claims))).toEqual([["a1"], ["b1"], ["a2"]]);
});

test("a heartbeat renews the lease; without one, another worker gets the job, and the first may change nothing any more", async () => {
  const { engine, worker, pass } = await engineScene();
  await engine.start(job("one"));
  const claim = (await worker("w1")).taken();
  const other = await worker("w2");
  for (let beat = 0; beat < 3; beat++) {
    await pass(leaseMs - 1);
    expect([await engine.heartbeat(claim), other.claims]).toEqual(["held", []]);
  }
  await pass(leaseMs);
  expect(other.claims).toMatchObject([{ job: { id: "one" }, fence: 2, worker: "w2" }]);
  expect([await engine.heartbeat(claim), await engine.finish(claim, { kind: "done" })]).toEqual(["lost", false]);
  expect(await statesIn(engine)).toEqual([["one", "claimed"]]);
  expect(await engine.finish(other.taken(), { kind: "done" })).toBe(true);
});

test("a lease that ran out while nobody else wanted the job is renewed by a late heartbeat", async () => {
  const { engine, worker, pass } = await engineScene();
  await engine.start(job("one"));
  const claim = (await worker("w1")).taken();
  await pass(hour);
  expect(await engine.heartbeat(claim)).toBe("held");
});

test("a job that is to run again comes again at the time it names, with a higher fence", async () => {
  const { engine, worker, pass } = await engineScene();
  await engine.start(job("one"));
  await engine.finish((await worker("w1")).taken(), { kind: "again", atMs: noon + hour });
  const waiting = await worker("w1");
  await pass(hour - 1);
  expect(waiting.claims).toEqual([]);
  await pass(1);
  expect(waiting.claims).toMatchObject([{ job: { id: "one", dueAtMs: noon + hour, payload: "of one" }, fence: 2 }]);
});

test("a claim is finished once", async () => {
  const { engine, worker } = await engineScene();
  await engine.start(job("one"));
  const claim = (await worker("w1")).taken();
  expect([await engine.finish(claim, { kind: "done" }), await engine.finish(claim, { kind: "done" })]).toEqual([
    ...[true, false],
  ]);
});

test("whoever stops waiting gets nothing, and the job goes to the next one", async () => {
  const { engine, worker, settled } = await engineScene();
  const stop = new AbortController();
  const leaving = engine.claim("w1", { leaseMs, signal: stop.signal });
  const waiting = await worker("w2");
  stop.abort();
  await engine.start(job("one"));
  await settled();
  expect([await leaving, idsOf(waiting.claims)]).toEqual([undefined, ["one"]]);
  expect(await engine.claim("w1", { leaseMs, signal: stop.signal })).toBeUndefined();
});

test("a job that is taken for somebody who leaves in that moment is put back for the next one", async () => {
  const { engine, worker } = await engineScene();
  await engine.start(job("one"));
  const stop = new AbortController();
  const leaving = engine.claim("w1", { leaseMs, signal: stop.signal });
  stop.abort();
  expect(await leaving).toBeUndefined();
  expect((await worker("w2")).claims).toMatchObject([{ job: { id: "one" }, fence: 2 }]);
});

test("closing ends the waiting of all, now and later, and leaves the jobs where they are", async () => {
  const { engine, database } = await engineScene();
  const signal = new AbortController().signal;
  const waiting = [1, 2].map(() => engine.claim("w1", { leaseMs, signal }));
  await engine.delay(job("later"), noon + hour);
  await engine.close();
  expect([...(await Promise.all(waiting)), await engine.claim("w1", { leaseMs, signal })]).toEqual([
    ...[undefined, undefined, undefined],
  ]);
  expect(await database.query("SELECT id, state FROM jobs")).toEqual([{ id: "later", state: "waiting" }]);
});

test("after a restart the work goes on at once, although its lease has long to run and the clock was set back", async () => {
  const { worker, engine, database, clock } = await engineScene();
  for (const id of ["one", "two"]) await engine.start({ ...job(id), lane: id });
  await engine.delay(job("three"), noon);
  const before = (await worker("w1")).taken();
  await worker("w2");
  await engine.cancel("two");
  await engine.close();
  clock.aheadMs -= hour;
  const again = await openEngine(database, clock);
  const after = await again.claim("w1", { leaseMs, signal: new AbortController().signal });
  expect(after).toMatchObject({ job: { id: before.job.id }, fence: 2 });
  expect(await again.heartbeat(before)).toBe("lost");
  expect(await statesIn(again)).toEqual([
    ["one", "claimed"],
    ["three", "waiting"],
    ["two", "cancelled"],
  ]);
});

test("a job that is over is known for a week and then forgotten, some at a time", async () => {
  const { engine, worker, pass, database, settled } = await engineScene();
  await engine.delay(job("far"), noon + 400 * day);
  for (let at = 0; at < 30; at++) await engine.start(job(`old ${at}`));
  for (let at = 0; at < 30; at++) await engine.finish((await worker("w1")).taken(), { kind: "done" });
  const count = async () => Number((await database.query("SELECT COUNT(*) AS jobs FROM jobs"))[0]?.jobs);
  await pass(7 * day);
  expect(await engine.start(job("old 0"))).toBe(false);
  await pass(1);
  await engine.start(job("new"));
  await engine.finish((await worker("w1")).taken(), { kind: "done" });
  await settled();
  expect(await count()).toBe(12);
  await engine.cancel("nobody's");
  expect([await count(), (await engine.list({ state: "waiting", limit: 9 })).length]).toEqual([2, 1]);
  expect(await engine.start(job("old 0"))).toBe(true);
});

test("jobs are listed by lane and by state, those due first coming first", async () => {
  const { engine, worker } = await engineScene();
  await engine.delay({ ...job("b"), lane: "x" }, noon + 2);
  await engine.delay({ ...job("a"), lane: "x" }, noon + 3);
  await engine.start({ ...job("c"), lane: "y" });
  await worker("w1");
  const ids = async (filter: Parameters<Engine["list"]>[0]) => (await engine.list(filter)).map(({ id }) => id);
  expect(await ids({ limit: 10 })).toEqual(["c", "b", "a"]);
  expect(await ids({ lane: "x", limit: 1 })).toEqual(["b"]);
  expect(await ids({ lane: "x", state: "claimed", limit: 10 })).toEqual([]);
  expect(await engine.list({ state: "claimed", limit: 10 })).toEqual([
    { id: "c", lane: "y", dueAtMs: noon, payload: "of c", state: "claimed" },
  ]);
});
