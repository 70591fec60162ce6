import { expect, test } from "vitest";
import { type OutputLog, openOutputLog } from "./output-log.ts";

function logOf(keptLength: number, ...pieces: readonly string[]): OutputLog {
  const log = openOutputLog(keptLength);
  for (const piece of pieces) log.add(piece);
  return log;
}

test("an output is read on from where the last look ended", () => {
  const log = logOf(100, "one\n");
  const { next } = log.since(0, 100);
  log.add("two\n");
  expect(log.since(next, 100)).toEqual({ text: "two\n", from: 4, next: 8 });
});

test("positions stay the same when the beginning is dropped, and the gap can be seen", () => {
  const log = logOf(10, ...Array.from("abcdefghijklmnopqrstuvwxyz"));
  expect(log.since(3, 100)).toEqual({ text: "qrstuvwxyz", from: 16, next: 26 });
});

test("never more than the last part is shown, however the pieces came", () => {
  for (const length of [11, 19, 20, 21, 25])
    expect(logOf(10, "x".repeat(length)).since(0, 100)).toMatchObject({ from: length - 10, next: length });
});

test("a long part ends with a whole line, so that the next look begins with one", () => {
  const log = logOf(100, "first line\nsecond line\nthird");
  expect(log.since(0, 25)).toEqual({ text: "first line\nsecond line\n", from: 0, next: 23 });
});

test("a line longer than a look is cut", () => {
  expect(logOf(100, "x".repeat(50)).since(0, 20)).toMatchObject({ next: 20 });
});

test("a position beyond the end gives nothing", () => {
  expect(logOf(100, "abc").since(99, 100)).toEqual({ text: "", from: 3, next: 3 });
});

test("bytes are counted as they came, not as characters", () => {
  expect(logOf(4, "é".repeat(50)).bytes()).toBe(100);
});
