import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { readdir, readFile, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../../contract/failure.ts";
import type { SandboxLimits } from "../sandbox.ts";
import { endProcess } from "../start-process.ts";
import type { LimitLayer } from "./limit-layer.ts";

const groupName = /^steward-(\d+)-/;
const controllers = ["memory", "pids"] as const;
const removalAttempts = 200;
const removalPauseMs = 1;

/** Groups below Steward's own, so that a limit set on Steward still holds for its commands. */
export async function openCgroupV1(newId: () => string): Promise<LimitLayer | undefined> {
  const own = await ownGroups();
  const ownName = `steward-${process.pid}`;
  if (!own) return undefined;
  for (const folder of Object.values(own)) await removeLeftGroups(folder);
  const layer: LimitLayer = {
    countsWholeCommand: true,
    hold,
    groups: Object.values(own).map((folder) => join(folder, `${ownName}-`)),
    describe: () => "memory and processes for the whole command (cgroup v1), CPU seconds, file size and a wall clock",
  };
  return (await canHold(layer)) ? layer : undefined;

  async function hold(limits: SandboxLimits) {
    const name = `${ownName}-${newId()}`;
    const folders = controllers.map((controller) => join(own?.[controller] ?? "", name));
    // the kernel answers in microseconds, much faster than a thread of Node's could be asked
    for (const folder of folders) mkdirSync(folder);
    const [memory = "", pids = ""] = folders;
    writeFileSync(join(memory, "memory.limit_in_bytes"), String(limits.memoryBytes));
    writeFileSync(join(pids, "pids.max"), String(limits.processes));
    return {
      prefix: [],
      joinFiles: folders.map((folder) => join(folder, "cgroup.procs")),
      release: async () => {
        for (const folder of folders) await removeGroup(folder);
      },
    };
  }
}

async function ownGroups(): Promise<Record<"memory" | "pids", string> | undefined> {
  const lines = (await readFile("/proc/self/cgroup", "utf8").catch(() => "")).split("\n");
  const find = (controller: string) => {
    const line = lines.find((candidate) => candidate.split(":")[1]?.split(",").includes(controller));
    const path = line?.split(":").slice(2).join(":");
    return path === undefined ? undefined : join("/sys/fs/cgroup", controller, path);
  };
  const memory = find("memory");
  const pids = find("pids");
  return memory && pids ? { memory, pids } : undefined;
}

/** Groups carry the number of the process that made them; those of one that is gone are nobody's. */
async function removeLeftGroups(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const maker = groupName.exec(name)?.[1];
    // another Steward may be clearing up the same group at this moment
    if (maker && !existsSync(`/proc/${maker}`)) await rmdir(join(folder, name)).catch(() => {});
  }
}

async function canHold(layer: LimitLayer): Promise<boolean> {
  try {
    const held = await layer.hold({ memoryBytes: 2 ** 26, processes: 8 } as SandboxLimits);
    await held.release();
    return true;
  } catch {
    // no right to make groups here: the next layer is tried
    return false;
  }
}

/** The kernel lets go of a group a moment after its last process has died; one that still lives is ended. */
async function removeGroup(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return rmdirSync(folder);
    } catch (error) {
      const code = codeOf(error);
      if (code === "ENOENT") return;
      if (code !== "EBUSY" || attempt === removalAttempts) throw error;
      await endProcessesOf(folder);
      await new Promise((resolve) => setTimeout(resolve, removalPauseMs));
    }
  }
}

async function endProcessesOf(folder: string): Promise<void> {
  const listed = await readFile(join(folder, "cgroup.procs"), "utf8").catch(() => "");
  for (const line of listed.split("\n").filter((one) => one !== "")) endProcess(Number(line));
}
