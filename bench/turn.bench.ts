// What Steward adds to a turn and how many it manages, against a bare fetch of the same bytes from the same server.
import { join } from "node:path";
import { mean, median, pause } from "./measure/figures.ts";
import { benchFolder } from "./measure/folder.ts";
import { type Load, runLoad } from "./measure/load.ts";
import { cpuSeconds } from "./measure/process-figures.ts";
import { type Daemon, startDaemon } from "./measure/program.ts";
import { type Figure, printReport } from "./measure/report.ts";
import { writeBenchSettings } from "./measure/settings.ts";
import { openTalk, type Talk } from "./measure/talk.ts";
import { startTimedModel, type TimedModel } from "./measure/timed-model.ts";
import { bareFetch, medianTimes, type TurnTimes, timeExchange } from "./measure/turn-times.ts";

type Pair = { steward: TurnTimes; fetch: TurnTimes };
type LoadPair = { conversations: number; steward: Load; fetch: Load };

const turnsTimed = 20;
const firstTurns = 5;
// longer conversations would be summarised in between, which asks the provider once more
const longestTurns = 45;
// by then the copies of the last turn are written, so that they do not count for the next one
const settleMs = 150;
const question = "Say twenty words.";

await using folder = await benchFolder();
await using quick = await startTimedModel(0);
await using paced = await startTimedModel(10);
const home = join(folder.path, "home");
await writeBenchSettings(home, { quick, paced });

const firstTimes = await timeFirstTurns();
await using daemon = await startDaemon({ home });
const talk = await openTalk(daemon.client);
for (let at = 0; at < 20; at++) await talk.say("terminal--warm", question);

const paces = {
  "20 tokens at once": await timePairs(quick, turnsTimed, () => "terminal--quick"),
  "20 tokens 10 ms apart": await timePairs(paced, turnsTimed, () => configured(daemon, "terminal--paced")),
  "new conversation each": await timePairs(quick, turnsTimed, async (at) => `terminal--new${at}`),
  "90 messages of history": await timePairs(quick, 5, () => longConversation(talk)),
};
const loads: LoadPair[] = [];
for (const conversations of [1, 10, 100]) loads.push(await measureLoad(daemon, talk, conversations));
talk.close();

printReport([
  ...Object.entries(paces).flatMap(([what, pair]) => pairFigures(what, pair)),
  {
    what: "first turn after a start, overhead",
    value: median(firstTimes.map((times) => times.overheadMs)),
    unit: "ms",
    against: { name: "later turn", value: paces["20 tokens at once"].steward.overheadMs },
    goal: { atMost: 50 },
  },
  ...loads.flatMap(loadFigures),
]);

function pairFigures(what: string, { steward, fetch }: Pair): Figure[] {
  const row = (part: string, name: keyof TurnTimes): Figure => ({
    what: `${what}: ${part}`,
    value: steward[name],
    unit: "ms",
    against: { name: "fetch", value: fetch[name] },
  });
  return [
    { ...row("message in to provider", "toProviderMs"), goal: { atMost: 10 } },
    row("provider's end to client's end", "fromProviderMs"),
    row("whole turn", "totalMs"),
    {
      what: `${what}: added to a fetch`,
      value: steward.overheadMs - fetch.overheadMs,
      unit: "ms",
      goal: { atMost: 10 },
    },
  ];
}

function loadFigures({ conversations, steward, fetch }: LoadPair): Figure[] {
  const what = `${conversations} conversation${conversations === 1 ? "" : "s"}`;
  return [
    {
      what: `${what}: turns a second`,
      value: steward.perSecond,
      unit: "turns/s",
      against: { name: "fetch", value: fetch.perSecond },
      ...(conversations > 1 && { goal: { atLeast: 200 } }),
    },
    { what: `${what}: median`, value: steward.p50Ms, unit: "ms", against: { name: "fetch", value: fetch.p50Ms } },
    { what: `${what}: 95th of 100`, value: steward.p95Ms, unit: "ms", against: { name: "fetch", value: fetch.p95Ms } },
    {
      what: `${what}: daemon's CPU a turn`,
      value: steward.cpuMsEach,
      unit: "ms CPU",
      against: { name: "fetch", value: fetch.cpuMsEach },
      goal: { atMost: 10 },
    },
  ];
}

async function timeFirstTurns(): Promise<TurnTimes[]> {
  const times: TurnTimes[] = [];
  for (let at = 0; at < firstTurns; at++) {
    await using fresh = await startDaemon({ home });
    const freshTalk = await openTalk(fresh.client);
    await pause(settleMs);
    times.push(await timeExchange(quick, () => freshTalk.say(`terminal--first${at}`, question)));
  }
  return times;
}

/** A turn and a bare fetch of what it sent take turns, so that whatever disturbs one disturbs the other. */
async function timePairs(
  model: TimedModel,
  count: number,
  conversationAt: (at: number) => string | Promise<string>,
): Promise<Pair> {
  const steward: TurnTimes[] = [];
  const fetched: TurnTimes[] = [];
  for (let at = 0; at < count; at++) {
    const conversation = await conversationAt(at);
    await pause(settleMs);
    steward.push(await timeExchange(model, () => talk.say(conversation, question)));
    const body = await model.lastBody();
    fetched.push(await timeExchange(model, () => bareFetch(model, body)));
  }
  return { steward: medianTimes(steward), fetch: medianTimes(fetched) };
}

async function configured(at: Daemon, sessionKey: string): Promise<string> {
  await at.client.call("sessions.configure", { sessionKey, model: "paced/fake-model" });
  return sessionKey;
}

async function longConversation(at: Talk): Promise<string> {
  const conversation = `terminal--long${Math.random().toString(36).slice(2)}`;
  for (let turn = 0; turn < longestTurns; turn++) await at.say(conversation, question);
  return conversation;
}

/** The same shape twice in alternation: turns through Steward, then bare fetches of the last request. */
async function measureLoad(at: Daemon, through: Talk, conversations: number): Promise<LoadPair> {
  const steward: Load[] = [];
  const fetched: Load[] = [];
  const rounds = conversations === 1 ? 5 : 3;
  const shape = { lanes: conversations, each: conversations === 100 ? 10 : 20 };
  for (let round = 0; round < rounds; round++) {
    await pause(settleMs);
    const key = (lane: number) => `terminal--load${conversations}x${round}x${lane}`;
    steward.push(
      await runLoad({ ...shape, cpuSeconds: () => cpuSeconds(at.pid) }, (lane) => through.say(key(lane), question)),
    );
    const body = await quick.lastBody();
    fetched.push(await runLoad({ ...shape, cpuSeconds: () => cpuSeconds(process.pid) }, () => bareFetch(quick, body)));
  }
  return { conversations, steward: medianLoad(steward), fetch: medianLoad(fetched) };
}

function medianLoad(loads: readonly Load[]): Load {
  const of = (name: keyof Load) => median(loads.map((load) => load[name]));
  return {
    perSecond: of("perSecond"),
    p50Ms: of("p50Ms"),
    p95Ms: of("p95Ms"),
    cpuMsEach: mean(loads.map((load) => load.cpuMsEach)),
  };
}
