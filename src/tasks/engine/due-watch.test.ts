import { expect, test, vi } from "vitest";
import { day, engineScene, hour, idsOf, job, leaseMs, noon, second } from "../../../tests/scenes/tasks/engine-scene.ts";
import type { Claim } from "./engine.ts";

test("a clock that is set back fires nothing early and nothing twice, and keeps nothing from being started", async () => {
  const { engine, worker, pass, clock } = await engineScene();
  await engine.delay(job("due"), noon + second);
  await engine.delay(job("later"), noon + 2 * second);
  const workers = [await worker("w1"), await worker("w2"), await worker("w3")];
  const taken = () => idsOf(workers.flatMap(({ claims }) => claims));
  await pass(second);
  expect(taken()).toEqual(["due"]);
  await engine.finish(workers[0]?.taken() as Claim, { kind: "done" });
  clock.aheadMs -= hour;
  await engine.start(job("now"));
  await pass(0);
  expect(taken()).toEqual(["due", "now"]);
  await engine.finish(workers[1]?.taken() as Claim, { kind: "done" });
  await pass(hour + second - 1);
  expect(taken()).toEqual(["due", "now"]);
  await pass(1);
  expect(taken()).toEqual(["due", "now", "later"]);
});

test("a clock that was set forward, or a machine that slept, is noticed within twenty seconds", async () => {
  const { engine, worker, pass, clock } = await engineScene();
  await engine.delay(job("far"), noon + 400 * day);
  const waiting = await worker("w1");
  await pass(hour);
  expect(waiting.claims).toEqual([]);
  clock.aheadMs += 400 * day;
  await pass(20 * second);
  expect(idsOf(waiting.claims)).toEqual(["far"]);
});

test.each([hour, -hour])(
  "a clock that is set (%i ms) takes no job from who works on it, nor leaves it there for longer",
  async (byMs) => {
    const { engine, worker, pass, clock } = await engineScene();
    await engine.start(job("one"));
    const claim = (await worker("w1")).taken();
    const other = await worker("w2");
    clock.aheadMs += byMs;
    await pass(leaseMs - second);
    expect([other.claims, await engine.heartbeat(claim)]).toEqual([[], "held"]);
    await pass(leaseMs - 1);
    expect(other.claims).toEqual([]);
    await pass(1);
    const third = await worker("w3");
    expect([...other.claims, ...third.claims]).toMatchObject([{ job: { id: "one" }, fence: 2 }]);
  },
);

test("while nothing is due the database is left alone, with ten thousand jobs waiting and without any", async () => {
  const { engine, worker, pass, queries, database } = await engineScene();
  const waiting = await worker("w1");
  const before = queries();
  await pass(hour);
  expect([queries() - before, vi.getTimerCount()]).toEqual([0, 0]);
  await database.transaction(false, (tx) => tx.query(tenThousand, [noon + 2 * hour]));
  await engine.delay(job("sooner"), noon + hour + 90 * second);
  const filled = queries();
  await pass(89 * second);
  expect([queries() - filled, vi.getTimerCount()]).toEqual([0, 1]);
  await pass(second);
  expect(idsOf(waiting.claims)).toEqual(["sooner"]);
});

test("a database that fails is told of, and the waiting go on when it works again", async () => {
  const { engine, worker, pass, breakDatabase, troubles } = await engineScene();
  await engine.delay(job("one"), noon + second);
  const waiting = await worker("w1");
  const repair = breakDatabase();
  await pass(second);
  expect([waiting.claims, troubles.length]).toEqual([[], 1]);
  repair();
  await pass(20 * second);
  expect(idsOf(waiting.claims)).toEqual(["one"]);
});

const tenThousand = `WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 10000)
  INSERT INTO jobs (id, lane, state, due_at_ms, not_before_ms, payload, fence)
  SELECT 'sleeping ' || n, 'sleeping ' || n, 'waiting', ?1 + n, ?1 + n, 'null', 0 FROM counted`;
