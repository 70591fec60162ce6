import { readdir, readFile } from "node:fs/promises";

const pageBytes = 4096;

/** The browser that uses this profile and everything it started. Systems without /proc tell nothing. */
export async function findProcesses(profile: string): Promise<readonly { pid: number; memoryBytes: number }[]> {
  if (process.platform !== "linux") return [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const seen = (await Promise.all(pids.map(seeProcess))).filter((each) => each !== undefined);
  const usesProfile = ({ words }: { words: readonly string[] }) => words.includes(`--user-data-dir=${profile}`);
  const found = new Map(seen.filter(usesProfile).map((each) => [each.pid, each]));
  let before = -1;
  while (before !== found.size) {
    before = found.size;
    for (const each of seen) if (found.has(each.parent)) found.set(each.pid, each);
  }
  return [...found.values()];
}

async function seeProcess(pid: number) {
  try {
    const [stat = "", command = "", memory = ""] = await Promise.all(
      ["stat", "cmdline", "statm"].map((file) => readFile(`/proc/${pid}/${file}`, "utf8")),
    );
    // the name in brackets may hold anything, also brackets
    const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [, resident = 0, shared = 0] = memory.split(" ").map(Number);
    const memoryBytes = (resident - shared) * pageBytes;
    return { pid, parent: Number(parent), words: command.split("\0"), memoryBytes };
  } catch {
    // it ended while we looked
    return undefined;
  }
}
