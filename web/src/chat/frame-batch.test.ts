import { expect, test } from "vitest";
import { openFrameBatch } from "./frame-batch.ts";

function scene() {
  let waiting: { dueMs: number; callback: () => void }[] = [];
  const drawnAtMs: number[] = [];
  let nowMs = 0;
  const later = (dueMs: number, callback: () => void) => {
    const entry = { dueMs, callback };
    waiting.push(entry);
    return () => {
      waiting = waiting.filter((one) => one !== entry);
    };
  };
  const frames = {
    next: (callback: () => void) => later(Math.floor(nowMs / 16 + 1) * 16, callback),
    after: (ms: number, callback: () => void) => later(nowMs + ms, callback),
    nowMs: () => nowMs,
  };
  const batch = openFrameBatch(frames, 30, () => drawnAtMs.push(nowMs));
  const pass = (ms: number, each = () => {}) => {
    for (const end = nowMs + ms; nowMs < end; nowMs += 1) {
      each();
      const due = waiting.filter(({ dueMs }) => dueMs <= nowMs);
      waiting = waiting.filter(({ dueMs }) => dueMs > nowMs);
      for (const { callback } of due) callback();
    }
  };
  return { batch, pass, drawnAtMs };
}

test("many changes in one frame are drawn once", () => {
  const { batch, pass, drawnAtMs } = scene();
  for (let change = 0; change < 50; change += 1) batch.mark();
  pass(200);
  expect(drawnAtMs).toEqual([16]);
});
test("changes that never stop are drawn in steady steps, and the last one is not lost", () => {
  const { batch, pass, drawnAtMs } = scene();
  pass(100, batch.mark);
  pass(100);
  expect(drawnAtMs).toEqual([16, 48, 80, 112]);
});
test("nothing is drawn after closing", () => {
  const { batch, pass, drawnAtMs } = scene();
  batch.mark();
  batch.close();
  pass(200);
  expect(drawnAtMs).toEqual([]);
});
