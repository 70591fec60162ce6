// What Steward holds in memory: idle with the gateway open, after many turns, and with a long answer; beside another checkout
// if STEWARD_BENCH_OTHER names one.
import { join } from "node:path";
import { median, pause } from "./measure/figures.ts";
import { type BenchFolder, benchFolder } from "./measure/folder.ts";
import { runLoad } from "./measure/load.ts";
import { cpuSeconds, memoryOf } from "./measure/process-figures.ts";
import { startDaemon } from "./measure/program.ts";
import { type Figure, printReport } from "./measure/report.ts";
import { writeBenchSettings } from "./measure/settings.ts";
import { openTalk } from "./measure/talk.ts";
import { startTimedModel } from "./measure/timed-model.ts";

type Measured = { readyMs: number; idleMb: number; workedMb: number; restedMb: number; cpuMs: number; longMs: number };

const rounds = 3;
const settleMs = 3_000;
const restMs = 10_000;
const conversations = 60;
const turnsEach = 50;
const longTokens = 400_000;
const question = "Say twenty words.";
const other = process.env.STEWARD_BENCH_OTHER;

await using folder = await benchFolder();
await using quick = await startTimedModel(0);
await using long = await startTimedModel(0, longTokens, 20);

const own: Measured[] = [];
const others: Measured[] = [];
for (let round = 0; round < rounds; round++) {
  own.push(await measure(folder, `own-${round}`, undefined));
  if (other) others.push(await measure(folder, `other-${round}`, other));
}

printReport([
  figure("idle, gateway open, 3 s after ready", "idleMb", "MB", { atMost: 95 }),
  figure(`right after ${conversations * turnsEach} turns in ${conversations} conversations`, "workedMb", "MB", {
    atMost: 160,
  }),
  figure("10 s later", "restedMb", "MB", { atMost: 160 }),
  figure("CPU of such a turn", "cpuMs", "ms CPU"),
  figure("an answer of 2 MB", "longMs", "ms"),
  figure("ready", "readyMs", "ms"),
]);

function figure(what: string, name: keyof Measured, unit: Figure["unit"], goal?: { atMost: number }): Figure {
  const of = (all: readonly Measured[]) => median(all.map((measured) => measured[name]));
  return {
    what,
    value: of(own),
    unit,
    ...(others.length > 0 && { against: { name: "other", value: of(others) } }),
    ...(goal && { goal }),
  };
}

async function measure(within: BenchFolder, name: string, checkout: string | undefined): Promise<Measured> {
  const home = join(within.path, name);
  await writeBenchSettings(home, { quick, long });
  await using daemon = await startDaemon({ home, checkout });
  const { pid, readyMs, client } = daemon;
  await pause(settleMs);
  const idleMb = memoryOf(pid).rssMb;
  const talk = await openTalk(client);
  const shape = { lanes: conversations, each: turnsEach, cpuSeconds: () => cpuSeconds(pid) };
  const load = await runLoad(shape, (lane) => talk.say(`terminal--m${lane}`, question));
  const workedMb = memoryOf(pid).rssMb;
  await pause(restMs);
  const restedMb = memoryOf(pid).rssMb;
  await client.call("sessions.configure", { sessionKey: "terminal--long", model: "long/fake-model" });
  const said = await talk.say("terminal--long", question);
  talk.close();
  return { readyMs, idleMb, workedMb, restedMb, cpuMs: load.cpuMsEach, longMs: said.endedMs - said.sentMs };
}
