import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { realWorld } from "../../../src/contract/world.ts";
import { openNoSandbox } from "../../../src/tools/sandbox/no-sandbox.ts";
import { openCallRecords } from "../../../src/tools/shell/call-records.ts";
import { execTool } from "../../../src/tools/shell/exec-tool.ts";
import { type FinishedProcess, openProcessRegistry } from "../../../src/tools/shell/process-registry.ts";
import { eventually } from "../../scenes/eventually.ts";
import { processesWith } from "../../scenes/sandbox/sandbox-driver.ts";
import { temporaryFolder } from "../../scenes/temporary-folder.ts";
import { execScene, idIn, markedSleep } from "../../scenes/tools/exec-scene.ts";

const other = { conversation: "terminal--b" };

test("at most twenty run in a conversation and fifty in all; the next is refused and not started", async () => {
  const { start, call, workspace } = await execScene();
  const begin = (count: number, where: { conversation: string }) =>
    Promise.all(Array.from({ length: count }, () => start("sleep 60", where)));
  await begin(20, { conversation: "terminal--a" });
  const refused = await call("exec", { command: "touch ran", background: true });
  expect([refused.outcome, refused.output]).toEqual(["failed", expect.stringContaining("20 processes are running")]);
  await begin(20, other);
  await begin(10, { conversation: "terminal--c" });
  const full = await call("exec", { command: "touch ran" }, { conversation: "terminal--c" });
  expect([full.outcome, full.output]).toEqual(["failed", expect.stringContaining("50 processes are running in all")]);
  const [first = ""] = (await call("process", { action: "list" })).output.split("\t");
  await call("process_control", { action: "kill", id: first });
  expect((await call("exec", { command: "echo room" })).output).toBe("room\n");
  expect(await stat(join(workspace, "ran")).catch(() => "absent")).toBe("absent");
});

test("closing ends everything, and tells no conversation that it was the command's own end", async () => {
  const { start, commands, finished, call } = await execScene();
  const sleeps = [markedSleep(), markedSleep(), markedSleep()];
  for (const sleep of sleeps) await start(sleep);
  await start(sleeps[0] ?? "", other);
  await eventually(() => sleeps.every((sleep) => processesWith(sleep.slice(6)).length > 0));
  await commands.close();
  await eventually(() => sleeps.flatMap((sleep) => processesWith(sleep.slice(6))), []);
  expect(finished).toEqual([]);
  expect((await call("exec", { command: "echo late" })).output).toContain("shutting down");
});

test("a process is forgotten thirty minutes after its end, not sooner", async () => {
  let aheadMs = 0;
  const { start, call, finished } = await execScene({ nowMs: () => Date.now() + aheadMs });
  const id = await start("true");
  await eventually(() => finished.length > 0);
  aheadMs = 29 * 60_000;
  expect((await call("process", { action: "list" })).output).toContain(id);
  aheadMs = 31 * 60_000;
  expect((await call("process", { action: "list" })).output).toContain("There are no processes");
});

test("an endless flood in the background is ended, and its end says why", async () => {
  const { start, finished, call } = await execScene();
  const id = await start("yes yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy");
  await eventually(() => finished.length > 0);
  expect(finished[0]?.end.flooded).toBe(true);
  const shown = (await call("process", { action: "output", id, since: 0 })).output;
  expect(shown).toMatch(/^\[p\d+: ended: more than 64 MB of output[\s\S]*0 to \d+ is no longer kept/);
  expect(shown.length).toBeLessThan(51_000);
});

test("in the background a command is ended after thirty minutes", async () => {
  const workspace = await temporaryFolder();
  const finished: FinishedProcess[] = [];
  const registry = openProcessRegistry({
    nowMs: realWorld.nowMs,
    firstNumber: 1,
    labelsOfFiles: async () => [],
    onFinished: async (process) => void finished.push(process),
    onTrouble: () => {},
  });
  onTestFinished(() => registry.close());
  const real = openNoSandbox({ prlimit: undefined, temporaryFolder: workspace });
  // a clock on which half an hour takes 300 ms
  const hurried = (wallMs: number) => wallMs / 6_000;
  const exec = execTool({
    sandbox: {
      ...real,
      run: (command) => real.run({ ...command, limits: { ...command.limits, wallMs: hurried(command.limits.wallMs) } }),
    },
    network: { kind: "none" },
    limits: { memoryBytes: 2 ** 30, processes: 64 },
    readDirs: [],
    writeDirs: [],
    nowMs: realWorld.nowMs,
    registry,
    records: openCallRecords(workspace, () => false),
  });
  const bound = exec.bind({ command: "sleep 60", background: true });
  if (!bound.ok) throw new Error(bound.message);
  const { signal } = new AbortController();
  const asker = { kind: "owner", id: "owner" } as const;
  const place = { conversation: "terminal--a", turn: "t", callId: "c", asker, workspace };
  idIn(await bound.call.run({ ...place, signal, progress: () => {} }));
  await eventually(() => finished.length > 0);
  expect(finished[0]?.end).toMatchObject({ timedOut: true, exitCode: null });
  expect(finished[0]?.end.durationMs).toBeGreaterThan(250);
});
