// What the channels cost: memory and start with none, with each and with all of them connected, and a turn by Telegram beside one
// by the local socket of the same daemon. The platforms run in the process of the bench.
import { join } from "node:path";
import { type ChannelName, channelNames, startPlatforms } from "./measure/channel-platforms.ts";
import { mean, median, pause, steadyMs } from "./measure/figures.ts";
import { benchFolder } from "./measure/folder.ts";
import { type Load, runLoad } from "./measure/load.ts";
import { cpuSeconds, type Memory, memoryOf } from "./measure/process-figures.ts";
import { type Daemon, startDaemon } from "./measure/program.ts";
import { type Figure, printReport } from "./measure/report.ts";
import { writeBenchSettings } from "./measure/settings.ts";
import { openTalk } from "./measure/talk.ts";
import { startTimedModel } from "./measure/timed-model.ts";

type Measured = Memory & { readyMs: number; readyCpuSeconds: number; connectedMs: number };
type Choice = { name: string; channels: readonly ChannelName[] };

const rounds = 5;
const settleMs = 3_000;
const loadRounds = 3;
const turnsEach = 12;
const people = Array.from({ length: 10 }, (_, index) => 501 + index);
const question = "Say twenty words.";
const none: Choice = { name: "none", channels: [] };
const all: Choice = { name: "all five", channels: channelNames };
const choices: readonly Choice[] = [none, all, ...channelNames.map((name) => ({ name, channels: [name] }))];

await using folder = await benchFolder();
await using model = await startTimedModel(0);
await using platforms = await startPlatforms(people);

const measured = new Map<Choice, Measured[]>(choices.map((choice) => [choice, []]));
// the first start of each makes its folder and compiles what it loads
for (const choice of choices) await measureIdle(choice, 0);
for (let round = 0; round < rounds; round++)
  // each alone is only to see which of them costs what
  for (const choice of round < 2 ? choices : [none, all])
    measured.get(choice)?.push(await measureIdle(choice, settleMs));
const turns = await measureTurns();

printReport([
  { ...beside("idle RSS, 3 s after all five are connected", all, "rssMb", "MB"), goal: { atMost: 150 } },
  beside("idle PSS, the same", all, "pssMb", "MB"),
  ...choices.slice(2).map((choice) => beside(`idle RSS with ${choice.name} only`, choice, "rssMb", "MB")),
  beside("ready", all, "readyMs", "ms"),
  beside("ready, CPU", all, "readyCpuSeconds", "s CPU"),
  {
    what: "all five connected",
    value: of(all, "connectedMs"),
    unit: "ms",
    against: { name: "ready", value: of(all, "readyMs") },
  },
  turnFigure("CPU of a turn by Telegram, with its chat", "cpuMsEach", "ms CPU"),
  turnFigure("turns a second by Telegram, 10 chats", "perSecond", "turns/s"),
  turnFigure("a turn by Telegram, median", "p50Ms", "ms"),
]);

function of(choice: Choice, name: keyof Measured): number {
  const values = (measured.get(choice) ?? []).map((one) => one[name]);
  return name === "readyCpuSeconds" ? mean(values) : median(values);
}

function beside(what: string, choice: Choice, name: keyof Measured, unit: Figure["unit"]): Figure {
  return { what, value: of(choice, name), unit, against: { name: "no channel", value: of(none, name) } };
}

function turnFigure(what: string, name: keyof Load, unit: Figure["unit"]): Figure {
  const middle = name === "cpuMsEach" ? mean : median;
  const value = middle(turns.telegram.map((load) => load[name]));
  return {
    what,
    value,
    unit,
    against: { name: "local socket", value: middle(turns.terminal.map((load) => load[name])) },
  };
}

async function open({ name, channels }: Choice): Promise<Daemon> {
  const home = join(folder.path, name.replace(" ", "-"));
  await writeBenchSettings(home, { fake: model }, platforms.settings(channels));
  return startDaemon({ home, environment: platforms.environment });
}

async function measureIdle(choice: Choice, restMs: number): Promise<Measured> {
  await using daemon = await open(choice);
  const startedMs = steadyMs() - daemon.readyMs;
  await connected(daemon, choice.channels);
  const connectedMs = steadyMs() - startedMs;
  await pause(restMs);
  const { readyMs, readyCpuSeconds } = daemon;
  return { ...memoryOf(daemon.pid), readyMs, readyCpuSeconds, connectedMs };
}

async function connected({ client }: Daemon, wanted: readonly ChannelName[]): Promise<void> {
  for (;;) {
    const { channels } = await client.call("channels.list", {});
    const missing = channels.filter(({ name, state }) => wanted.includes(name) && state !== "connected");
    if (missing.length === 0) return;
    const broken = missing.find(({ state }) => state !== "connecting");
    if (broken) throw new Error(`${broken.title} does not connect: ${broken.state} ${broken.detail}`);
    await pause(5);
  }
}

/** The same conversations long, in alternation: asked by the local socket, and in chats on Telegram until the answer stands there. */
async function measureTurns(): Promise<{ telegram: Load[]; terminal: Load[] }> {
  await using daemon = await open(all);
  await connected(daemon, channelNames);
  const talk = await openTalk(daemon.client);
  const waiting = new Map<string, () => void>();
  const { lastSeq } = await daemon.client.call("health.check", {});
  const unfollow = daemon.client.follow(lastSeq, (followed) => {
    if (followed.type === "reply.delivered") waiting.get(followed.conversation)?.();
  });
  const loads = { telegram: [] as Load[], terminal: [] as Load[] };
  const shape = { lanes: people.length, each: turnsEach, cpuSeconds: () => cpuSeconds(daemon.pid) };
  // one round of each that is not counted
  for (let round = 0; round <= loadRounds; round++) {
    await pause(settleMs);
    const terminal = await runLoad(shape, (lane) => talk.say(`terminal--lane${lane}`, question));
    await pause(settleMs);
    const telegram = await runLoad(shape, askOnTelegram);
    if (round === 0) continue;
    loads.terminal.push(terminal);
    loads.telegram.push(telegram);
  }
  unfollow();
  talk.close();
  return loads;

  function askOnTelegram(lane: number): Promise<void> {
    const id = people[lane] ?? 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.set(`telegram--${id}`, resolve);
    platforms.telegram.say(id, question, { from: { id, first_name: `Person ${id}` } });
    return promise;
  }
}
