// What ten thousand jobs cost that are due next year, beside the same process without any.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pause } from "../figures.ts";
import { cpuSeconds, memoryOf } from "../process-figures.ts";
import { openEngineIn } from "./opened-engine.ts";

export type Idle = { cpuPercent: number; rssMb: number };

const sleeping = 10_000;
const settleMs = 3_000;
const watchedMs = 20_000;
const yearMs = 365 * 24 * 3_600_000;
const script = fileURLToPath(new URL("./sleeping-jobs-process.ts", import.meta.url));

export async function measureSleepingJobs(folder: string): Promise<{ many: Idle; none: Idle }> {
  const homes = { many: join(folder, "sleeping"), none: join(folder, "empty") };
  {
    await using opened = await openEngineIn(homes.many);
    for (let at = 0; at < sleeping; at++)
      await opened.engine.delay(
        { id: `sleep:${at}`, lane: `${at}`, payload: { at } },
        Date.now() + yearMs + at * 1_000,
      );
  }
  // at the same time, so that whatever disturbs one disturbs the other
  const [many, none] = await Promise.all([watch(homes.many), watch(homes.none)]);
  return { many, none };
}

async function watch(home: string): Promise<Idle> {
  const child = spawn(process.execPath, [script, home], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(child.stdout, "data");
    await pause(settleMs);
    const pid = Number(child.pid);
    const before = cpuSeconds(pid);
    await pause(watchedMs);
    return { cpuPercent: ((cpuSeconds(pid) - before) * 100_000) / watchedMs, rssMb: memoryOf(pid).rssMb };
  } finally {
    child.kill("SIGKILL");
  }
}
