// What Linux says about a process: the CPU time it has used and the memory it holds.
import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;
const readable = "This bench reads CPU and memory from /proc, which only Linux has.";

/** CPU of the process itself, all its threads. */
export function cpuSeconds(pid: number): number {
  const fields = statFields(pid);
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** CPU of all children of this process that have ended. */
export function endedChildrenCpuSeconds(): number {
  const fields = statFields(process.pid);
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

export type Memory = { rssMb: number; pssMb: number };

export function memoryOf(pid: number): Memory {
  const text = read(`/proc/${pid}/smaps_rollup`);
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) / 1024;
  return { rssMb: megabytes("Rss"), pssMb: megabytes("Pss") };
}

/** CPU of the process, of all it has started, and of those of them that have ended. */
export function treeCpuSeconds(pid: number): number {
  const ticks = processTree(pid).flatMap((member) => statFields(member).slice(11, 15).map(Number));
  return ticks.reduce((total, value) => total + value, 0) / ticksPerSecond;
}

export function treeMemory(pid: number): Memory {
  const all = processTree(pid).map(memoryOf);
  const total = (name: keyof Memory) => all.reduce((sum, memory) => sum + memory[name], 0);
  return { rssMb: total("rssMb"), pssMb: total("pssMb") };
}

function processTree(pid: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) if (/^\d+$/.test(name)) parents.set(Number(name), parentOf(Number(name)));
  const tree = [pid];
  for (const member of tree) for (const [child, parent] of parents) if (parent === member) tree.push(child);
  return tree;
}

function parentOf(pid: number): number {
  try {
    return Number(statFields(pid)[1]);
  } catch {
    // it ended between the listing and the look
    return 0;
  }
}

// the name in brackets may hold spaces, so fields are counted from behind it: 0 is the state
function statFields(pid: number): string[] {
  const text = read(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new Error(process.platform === "linux" ? `${path} cannot be read: the process has ended.` : readable, {
      cause,
    });
  }
}
