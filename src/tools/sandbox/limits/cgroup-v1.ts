import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { readdir, readFile, readlink, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../../contract/failure.ts";
import type { SandboxLimits } from "../sandbox.ts";
import { endProcess } from "../start-process.ts";
import type { LimitLayer } from "./limit-layer.ts";

/** Whose numbers a process goes by, its number among them, and the group's own name. */
const groupName = /^steward-(\d+)-(\d+)-/;
const controllers = ["memory", "pids"] as const;
const removalAttempts = 200;
const removalPauseMs = 1;

/** Groups below Steward's own, so that a limit set on Steward still holds for its commands. */
export async function openCgroupV1(newId: () => string): Promise<LimitLayer | undefined> {
  const own = await ownGroups();
  if (!own) return undefined;
  const namespace = await ownNamespace();
  const ownName = `steward-${namespace}-${process.pid}`;
  for (const folder of Object.values(own)) await removeLeftGroups(folder, namespace);
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

/** Programs in containers may share these groups, while each container counts its processes for itself. */
export async function ownNamespace(): Promise<string> {
  const link = await readlink("/proc/self/ns/pid").catch(() => "");
  return /\d+/.exec(link)?.[0] ?? "0";
}

// a group is joined as soon as it is made, and while somebody is in it the kernel keeps it
const strangersMs = 3_600_000;

/** Groups say which process made them; those of one that is gone are nobody's. */
export async function removeLeftGroups(folder: string, namespace: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const [, madeIn, maker] = groupName.exec(name) ?? [];
    if (!maker) continue;
    const path = join(folder, name);
    const isLeft = madeIn === namespace ? !existsSync(`/proc/${maker}`) : await isOlder(path, strangersMs);
    // another Steward may be clearing up the same group at this moment
    if (isLeft) await rmdir(path).catch(() => {});
  }
}

/** Whether the process lives cannot be seen from here. */
async function isOlder(path: string, ms: number): Promise<boolean> {
  const made = await stat(path).catch(() => undefined);
  return made !== undefined && Date.now() - made.mtimeMs > ms;
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
