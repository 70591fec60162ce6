/**
 * Steward beside OpenClaw, in one run on one machine with one provider:
 *
 *   npm run bench -- --peer openclaw [a folder in which OpenClaw is installed already]
 *
 * Without a folder, it is installed into a temporary one (about 650 MB) that is removed at the end.
 */
import { join } from "node:path";
import { mean, median, pause } from "./measure/figures.ts";
import { benchFolder } from "./measure/folder.ts";
import { type Load, runLoad } from "./measure/load.ts";
import { installOpenclaw, openclawVersion, startOpenclaw } from "./measure/openclaw-gateway.ts";
import { type Memory, treeCpuSeconds, treeMemory } from "./measure/process-figures.ts";
import { startDaemon } from "./measure/program.ts";
import { type Figure, printReport, type Unit } from "./measure/report.ts";
import { writeBenchSettings } from "./measure/settings.ts";
import { openTalk, type Talk } from "./measure/talk.ts";
import { startTimedModel } from "./measure/timed-model.ts";
import { medianTimes, type TurnTimes, timeExchange } from "./measure/turn-times.ts";

type Contender = {
  start(): Promise<
    AsyncDisposable & { pid: number; readyMs: number; readyCpuSeconds: number; talk: Pick<Talk, "say"> }
  >;
  starts: { readyMs: number; readyCpuSeconds: number; idle: Memory }[];
  firstTurns: TurnTimes[];
  turns: TurnTimes[];
  loads: Load[];
  promptTokens: number;
};

const question = "Say twenty words.";
const rounds = 3;
const turnsTimed = 10;
const idleMs = 10_000;
const lanes = 8;

await using folder = await benchFolder();
const installed = process.argv[2] ?? folder.path;
if (!process.argv[2]) {
  console.log(`installing openclaw ${openclawVersion}`);
  await installOpenclaw(installed);
}
await using quick = await startTimedModel(0);
const stewardHome = join(folder.path, "steward");
const openclawHome = join(folder.path, "openclaw");
await writeBenchSettings(stewardHome, { quick });

const steward = contender(async () => {
  const daemon = await startDaemon({ home: stewardHome });
  return { ...daemon, readyCpuSeconds: treeCpuSeconds(daemon.pid), talk: await openTalk(daemon.client) };
});
const openclaw = contender(async () => {
  const gateway = await startOpenclaw(installed, openclawHome, quick);
  return { ...gateway, talk: gateway };
});
for (let round = 0; round < rounds; round++) for (const one of [steward, openclaw]) await measureStart(one, round);
await measureTurns();
printReport([
  compare("spawn to ready", "ms", (one) => median(one.starts.map((start) => start.readyMs))),
  compare("spawn to ready, CPU", "s CPU", (one) => mean(one.starts.map((start) => start.readyCpuSeconds))),
  compare("idle RSS, all its processes", "MB", (one) => median(one.starts.map((start) => start.idle.rssMb))),
  compare("idle PSS, all its processes", "MB", (one) => median(one.starts.map((start) => start.idle.pssMb))),
  compare("first turn after a start, overhead", "ms", (one) => medianTimes(one.firstTurns).overheadMs),
  compare("message in to provider", "ms", (one) => medianTimes(one.turns).toProviderMs),
  compare("provider's end to client's end", "ms", (one) => medianTimes(one.turns).fromProviderMs),
  compare("overhead of a turn", "ms", (one) => medianTimes(one.turns).overheadMs),
  compare(`turns a second, ${lanes} conversations`, "turns/s", (one) =>
    median(one.loads.map((load) => load.perSecond)),
  ),
  compare("CPU of a turn", "ms CPU", (one) => mean(one.loads.map((load) => load.cpuMsEach))),
  compare("first request", "tokens", (one) => one.promptTokens),
]);

function contender(start: Contender["start"]): Contender {
  return { start, starts: [], firstTurns: [], turns: [], loads: [], promptTokens: 0 };
}

function compare(what: string, unit: Unit, read: (one: Contender) => number): Figure {
  return { what, unit, value: read(steward), against: { name: "OpenClaw", value: read(openclaw) } };
}

async function measureStart(one: Contender, round: number): Promise<void> {
  await using running = await one.start();
  const { readyMs, readyCpuSeconds } = running;
  await pause(idleMs);
  one.starts.push({ readyMs, readyCpuSeconds, idle: treeMemory(running.pid) });
  one.firstTurns.push(await timeExchange(quick, () => running.talk.say(`terminal--first${round}`, question)));
  if (round === 0) one.promptTokens = (await quick.lastBody()).length / 4;
}

async function measureTurns(): Promise<void> {
  await using runningSteward = await steward.start();
  await using runningOpenclaw = await openclaw.start();
  const pairs = [
    { one: steward, running: runningSteward },
    { one: openclaw, running: runningOpenclaw },
  ];
  for (const { running } of pairs) for (let at = 0; at < 3; at++) await running.talk.say("terminal--warm", question);
  for (let at = 0; at < turnsTimed; at++) {
    for (const { one, running } of pairs) {
      await pause(500);
      one.turns.push(await timeExchange(quick, () => running.talk.say("terminal--turns", question)));
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (const { one, running } of pairs) {
      const each = one === steward ? 20 : 3;
      const shape = { lanes, each, cpuSeconds: () => treeCpuSeconds(running.pid) };
      one.loads.push(await runLoad(shape, (lane) => running.talk.say(`terminal--load${round}x${lane}`, question)));
      await pause(2_000);
    }
  }
}
