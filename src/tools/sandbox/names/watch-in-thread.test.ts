import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openWatchInThread } from "./watch-in-thread.ts";

function scene() {
  const workspace = mkdtempSync(join(tmpdir(), "steward-watch-"));
  onTestFinished(() => rmSync(workspace, { recursive: true }));
  writeFileSync(join(workspace, ".netrc"), "x");
  return { workspace, watch: openWatchInThread() };
}

test("who waits for an answer when the watch is closed is told so", async () => {
  const { workspace, watch } = scene();
  const looking = watch.look(workspace);
  const closing = watch.close();
  await expect(looking).rejects.toThrow("Steward is closing");
  await closing;
});

test("a watch that is closed answers nobody and begins nothing", async () => {
  const { workspace, watch } = scene();
  expect((await watch.look(workspace)).map(({ path }) => path)).toEqual([".netrc"]);
  await watch.close();
  await expect(watch.look(workspace)).rejects.toThrow("Steward is closing");
  const lost: string[] = [];
  const box = watch.begin({ workspace, kept: [], secrets: [] }, ({ how }) => lost.push(how));
  expect(lost).toEqual(["unknown"]);
  await expect(box.end()).rejects.toThrow("Steward is closing");
});
