import { readdir, readFile } from "node:fs/promises";

export type BrowserProcessFigures = { pid: number; memoryBytes: number };

type Seen = { pid: number; parent: number; command: string; memoryBytes: number };

const pageBytes = 4096;

/** The browser that uses this profile and everything it started. Systems without /proc tell nothing. */
export async function findProcesses(profile: string): Promise<readonly BrowserProcessFigures[]> {
  if (process.platform !== "linux") return [];
  const seen = await seeProcesses();
  const found = new Map(seen.filter(({ command }) => usesProfile(command, profile)).map((each) => [each.pid, each]));
  let before = -1;
  while (before !== found.size) {
    before = found.size;
    for (const each of seen) if (found.has(each.parent)) found.set(each.pid, each);
  }
  return [...found.values()];
}

function usesProfile(command: string, profile: string): boolean {
  return command.split("\0").includes(`--user-data-dir=${profile}`);
}

async function seeProcesses(): Promise<readonly Seen[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const seen = await Promise.all(pids.map(seeProcess));
  return seen.filter((each) => each !== undefined);
}

async function seeProcess(pid: number): Promise<Seen | undefined> {
  try {
    const [stat, command, memory] = await Promise.all(
      ["stat", "cmdline", "statm"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8")),
    );
    // the name in brackets may hold anything, also brackets
    const [, parent] = (stat ?? "").slice((stat ?? "").lastIndexOf(")") + 2).split(" ");
    const [, resident = 0, shared = 0] = (memory ?? "").split(" ").map(Number);
    return { pid, parent: Number(parent), command: command ?? "", memoryBytes: (resident - shared) * pageBytes };
  } catch {
    // it ended while we looked
    return undefined;
  }
}
