import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openBoxRecords } from "../record/box-record.ts";
import { type Box, openWaitingBox } from "./waiting-box.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Boxes that are plain programs waiting for their input; `left` counts those that were ended unused. */
function scene() {
  const made: Box[] = [];
  let left = 0;
  const folder = mkdtempSync(join(tmpdir(), "steward-waiting-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const records = openBoxRecords([folder]);
  return { waiting: openWaitingBox(), made, left: () => left, makes };

  function makes(plan: string): () => Promise<{ plan: string; box: Box }> {
    return async () => {
      const child = spawn("cat", { detached: true });
      onTestFinished(() => void child.kill("SIGKILL"));
      const box: Box = {
        child,
        innerPid: child.pid ?? 0,
        record: records.make(),
        release: async () => {
          left += 1;
        },
      };
      made.push(box);
      return { plan, box };
    };
  }
}

const holds = () => true;
const madeInMs = 200;

test("after a command a box is made, and the next one like it gets it", async () => {
  const { waiting, made, makes } = scene();
  waiting.commandEnded("a", makes("a"));
  await vi.advanceTimersByTimeAsync(madeInMs);
  expect(await waiting.take("a", holds)).toBe(made[0]);
  expect(await waiting.take("a", holds)).toBeUndefined();
});

test("commands in quick succession make no boxes", async () => {
  const { waiting, made, makes } = scene();
  for (let count = 0; count < 5; count++) {
    waiting.commandEnded("a", makes("a"));
    await vi.advanceTimersByTimeAsync(10);
    expect(await waiting.take("a", holds)).toBeUndefined();
  }
  expect(made).toEqual([]);
});

test("at most one box waits, however many commands end", async () => {
  const { waiting, made, makes } = scene();
  for (let count = 0; count < 5; count++) {
    waiting.commandEnded("a", makes("a"));
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(made.length).toBe(1);
});

test("a box that nobody needs for a few minutes is closed, and made again after the next command", async () => {
  const { waiting, made, left, makes } = scene();
  waiting.commandEnded("a", makes("a"));
  await vi.advanceTimersByTimeAsync(madeInMs);
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  await vi.waitUntil(() => left() === 1);
  expect(made[0]?.child.signalCode).toBe("SIGKILL");
  expect(await waiting.take("a", holds)).toBeUndefined();
  waiting.commandEnded("a", makes("a"));
  await vi.advanceTimersByTimeAsync(madeInMs);
  expect(await waiting.take("a", holds)).toBe(made[1]);
});

test("a box that no longer holds is ended", async () => {
  const { waiting, left, makes } = scene();
  waiting.commandEnded("a", makes("a"));
  await vi.advanceTimersByTimeAsync(madeInMs);
  expect(await waiting.take("a", () => false)).toBeUndefined();
  await vi.waitUntil(() => left() === 1);
});

test("where no box can be made, it is not tried again with every command but after a while", async () => {
  const { waiting } = scene();
  let tries = 0;
  const fails = async () => {
    tries += 1;
    return undefined;
  };
  for (let count = 0; count < 5; count++) {
    waiting.commandEnded("a", fails);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(tries).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  waiting.commandEnded("a", fails);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(tries).toBe(2);
});

test("closing ends the box that waits, and none is made after it", async () => {
  const { waiting, made, left, makes } = scene();
  waiting.commandEnded("a", makes("a"));
  await vi.advanceTimersByTimeAsync(madeInMs);
  await waiting.close();
  expect(left()).toBe(1);
  waiting.commandEnded("a", makes("a"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(made.length).toBe(1);
});
