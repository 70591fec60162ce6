// How long a start takes and what an idle Steward costs, against a bare Node in the same run.
import { join } from "node:path";
import { mean, median, pause } from "./measure/figures.ts";
import { type BenchFolder, benchFolder } from "./measure/folder.ts";
import { type Memory, memoryOf } from "./measure/process-figures.ts";
import { ended, type Ran, runNode, runSteward, spawnNode, startDaemon } from "./measure/program.ts";
import { printReport } from "./measure/report.ts";
import { writeBenchSettings } from "./measure/settings.ts";
import { startTimedModel, type TimedModel } from "./measure/timed-model.ts";

const rounds = 7;
const idleRounds = 3;
const settleMs = 3_000;

await using folder = await benchFolder();
await using model = await startTimedModel(0);
const home = join(folder.path, "home");
await writeBenchSettings(home, { fake: model });

const bare: Ran[] = [];
const version: Ran[] = [];
const status: Ran[] = [];
const warm: Ran[] = [];
const cold: Ran[] = [];
const first: Ran[] = [];
// makes the folder, and the cache of compiled sources that every later start finds
await startAndStop(home);
for (let round = 0; round < rounds; round++) {
  bare.push(await runNode(["-e", "0"], { home }));
  version.push(await runSteward(["--version"], { home }));
  warm.push(await startAndStop(home));
  cold.push(await startAndStop(home, await emptyCache(folder, `cache-${round}`)));
  first.push(await firstStart(folder, model, round));
}
const idle = await measureIdle();
const bareMs = { name: "node -e 0", value: median(bare.map((run) => run.wallMs)) };
const bareCpu = { name: "node -e 0", value: mean(bare.map((run) => run.cpuSeconds)) };

printReport([
  ...wallAndCpu("--version", version),
  ...wallAndCpu("status of a running daemon", status, { atMost: 0.2 }),
  ...wallAndCpu("ready, sources compiled before", warm, { atMost: 0.5 }),
  ...wallAndCpu("ready, nothing compiled yet", cold),
  ...wallAndCpu("ready, new folder and nothing compiled", first),
  {
    what: "idle RSS, 3 s after ready",
    value: median(idle.daemon.map((memory) => memory.rssMb)),
    unit: "MB",
    against: { name: "idle node", value: median(idle.bare.map((memory) => memory.rssMb)) },
    goal: { atMost: 100 },
  },
  {
    what: "idle PSS, 3 s after ready",
    value: median(idle.daemon.map((memory) => memory.pssMb)),
    unit: "MB",
    against: { name: "idle node", value: median(idle.bare.map((memory) => memory.pssMb)) },
  },
]);

function wallAndCpu(what: string, runs: readonly Ran[], goal?: { atMost: number }) {
  const cpu = mean(runs.map((run) => run.cpuSeconds));
  return [
    { what, value: wallOf(runs), unit: "ms", against: bareMs },
    { what: `${what}, CPU`, value: cpu, unit: "s CPU", against: bareCpu, ...(goal && { goal }) },
  ] as const;
}

function wallOf(runs: readonly Ran[]): number {
  return median(runs.map((run) => run.wallMs));
}

async function startAndStop(at: string, environment: Record<string, string> = {}): Promise<Ran> {
  await using daemon = await startDaemon({ home: at, environment });
  return { wallMs: daemon.readyMs, cpuSeconds: daemon.readyCpuSeconds };
}

async function emptyCache(within: BenchFolder, name: string): Promise<Record<string, string>> {
  return { NODE_COMPILE_CACHE: join(within.path, name) };
}

async function firstStart(within: BenchFolder, timedModel: TimedModel, round: number): Promise<Ran> {
  const newHome = join(within.path, `home-${round}`);
  await writeBenchSettings(newHome, { fake: timedModel });
  return startAndStop(newHome, await emptyCache(within, `first-cache-${round}`));
}

async function measureIdle(): Promise<{ bare: Memory[]; daemon: Memory[] }> {
  const figures: { bare: Memory[]; daemon: Memory[] } = { bare: [], daemon: [] };
  for (let round = 0; round < idleRounds; round++) {
    const idleNode = spawnNode(["-e", "setInterval(() => {}, 1000)"], { home });
    await using daemon = await startDaemon({ home });
    await pause(settleMs);
    figures.bare.push(memoryOf(Number(idleNode.pid)));
    figures.daemon.push(memoryOf(daemon.pid));
    idleNode.kill("SIGKILL");
    await ended(idleNode);
    for (let run = 0; run < 3; run++) status.push(await runSteward(["status"], { home }));
  }
  return figures;
}
