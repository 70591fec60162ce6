import { expect, test } from "vitest";
import { type IntakeDeps, openIntake } from "./intake.ts";

const update = (id: number, line = "a") => ({ id, line, raw: undefined });

function intakeOf(hand: IntakeDeps["hand"], more: Partial<IntakeDeps> = {}) {
  const giveUp = async () => false;
  return openIntake({ hand, giveUp, nowMs: () => 0, timings: { hopelessTries: 20, hopelessMs: 600_000 }, ...more });
}

test("an update that failed is owed until it was taken, and those after it in its line wait", async () => {
  const failing = new Set([2]);
  const handed: number[] = [];
  const intake = intakeOf(async ({ id }) => {
    handed.push(id);
    return !failing.has(id);
  });
  const first = [update(1), update(2), update(3), update(4, "b")];
  expect(await Promise.all(first.map(intake.take))).toEqual([true, false, false, true]);
  expect(intake.offset()).toBe(2);
  failing.clear();
  await Promise.all(first.slice(1).map(intake.take));
  expect(handed).toEqual([1, 4, 2, 2, 3]);
  expect(intake.offset()).toBe(5);
});

test("an update that Telegram has forgotten is not waited for", async () => {
  const intake = intakeOf(async ({ id }) => id !== 2);
  await Promise.all([update(2), update(3, "b")].map(intake.take));
  expect(intake.offset()).toBe(2);
  // more may stand behind a full batch, so only what lies before it is surely gone
  intake.compare([update(1)], false);
  expect(intake.offset()).toBe(2);
  intake.compare([update(3, "b")], false);
  expect(intake.offset()).toBe(4);
});

test("what is under way is neither begun twice nor given up", async () => {
  let finish = (_isTaken: boolean): void => undefined;
  const intake = intakeOf(() => new Promise((resolve) => (finish = resolve)));
  const [one, other] = [intake.take(update(1)), intake.take(update(1))];
  await Promise.resolve();
  intake.compare([], true);
  expect(intake.offset()).toBe(1);
  await Promise.resolve();
  finish(true);
  expect(await Promise.all([one, other])).toEqual([true, true]);
  expect(intake.offset()).toBe(2);
});

test("an update that can never be kept is given up after many tries over a long time, and the next one goes on", async () => {
  let nowMs = 0;
  const givenUp: number[] = [];
  const intake = intakeOf(async ({ id }) => id !== 1, {
    nowMs: () => nowMs,
    giveUp: async ({ id }) => givenUp.push(id) > 0,
  });
  for (let tries = 0; tries < 30; tries += 1) expect(await intake.take(update(1))).toBe(false);
  nowMs = 600_000;
  expect(await Promise.all([update(1), update(2)].map(intake.take))).toEqual([true, true]);
  expect(givenUp).toEqual([1]);
  expect(intake.offset()).toBe(3);
});

test("an update that came long ago is not given up before it was tried often", async () => {
  let nowMs = 0;
  const givenUp: number[] = [];
  const intake = intakeOf(async () => false, { nowMs: () => nowMs, giveUp: async ({ id }) => givenUp.push(id) > 0 });
  await intake.take(update(1));
  nowMs = 86_400_000;
  await intake.take(update(1));
  expect(givenUp).toEqual([]);
  expect(intake.offset()).toBe(1);
});

test("what was taken is not remembered for ever where nobody says that it is over", async () => {
  let handed = 0;
  const intake = intakeOf(async () => ++handed > 0);
  for (let id = 1; id <= 5_000; id += 1) await intake.take(update(id));
  expect(handed).toBe(5_000);
  await Promise.all([update(5_000), update(1)].map(intake.take));
  expect(handed).toBe(5_001);
});
