// A box that waits goes with the Steward that made it, however that ends.
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { eventually } from "../../scenes/eventually.ts";
import { isRoot, processesWith } from "../../scenes/sandbox/sandbox-driver.ts";
import { sandboxScene, settledNames } from "../../scenes/sandbox/sandbox-scene.ts";
import { boxWaits, processesIn, readProc } from "../../scenes/sandbox/waiting-boxes.ts";

test("a box that waits neither keeps Steward running nor outlives it", async () => {
  const { stewardHome, workspace } = await sandboxScene();
  const idle = await idleSteward(stewardHome, workspace);
  idle.leaveToItself();
  expect(await idle.exit).toBe(0);
  await eventually(() => processesIn(workspace).length === 0);
});

test("when Steward is killed while a box waits, nothing of it remains", async () => {
  const { stewardHome, workspace } = await sandboxScene();
  const idle = await idleSteward(stewardHome, workspace);
  const standIns = join(stewardHome, "data", "stand-ins");
  expect(readdirSync(standIns).length).toBe(1);
  if (isRoot) expect(groupsOf(idle.pid).length).toBe(2);
  idle.kill();
  await idle.exit;
  await eventually(() => processesIn(workspace).length === 0);
  expect(await settledNames(workspace)).toEqual([]);
  await eventually(() => groupsOf(idle.pid).length === 0 && readdirSync(standIns).length === 0);
  // also of whoever has cleared away
  await eventually(() => processesWith(standIns).length === 0);
});

async function idleSteward(stewardHome: string, workspace: string) {
  const program = fileURLToPath(import.meta.resolve("../../scenes/sandbox/sandbox-idle-steward.ts"));
  const steward = spawn(process.execPath, [program, stewardHome, workspace], { stdio: ["pipe", "pipe", "inherit"] });
  const exit = new Promise((resolve) => steward.once("exit", resolve));
  await new Promise((resolve) => steward.stdout.once("data", resolve));
  await boxWaits(workspace);
  return {
    pid: steward.pid ?? 0,
    exit,
    /** From now on nothing but the box could keep it running. */
    leaveToItself: () => steward.stdin.end(),
    kill: () => steward.kill("SIGKILL"),
  };
}

/** The cgroups that a process has made below this one's own. */
function groupsOf(pid: number): string[] {
  return ["memory", "pids"].flatMap((controller) => {
    const line = readProc("self", "cgroup")
      .split("\n")
      .find((one) => one.split(":")[1]?.split(",").includes(controller));
    const folder = join("/sys/fs/cgroup", controller, line?.split(":")[2] ?? "");
    const isMadeBy = (name: string) => /^steward-\d+-(\d+)-/.exec(name)?.[1] === String(pid);
    return existsSync(folder) ? readdirSync(folder).filter(isMadeBy) : [];
  });
}
