// A thousand clients follow everything while conversations talk, against a bare server that sends them the same bytes.
import { join } from "node:path";
import { startBareEvents } from "./measure/bare-events.ts";
import { pause, quantile } from "./measure/figures.ts";
import { benchFolder } from "./measure/folder.ts";
import {
  type Arrival,
  type Followed,
  type Followers,
  type RecordedFrame,
  startFollowers,
} from "./measure/followers.ts";
import { runLoad } from "./measure/load.ts";
import { cpuSeconds, memoryOf } from "./measure/process-figures.ts";
import { type Daemon, startDaemon } from "./measure/program.ts";
import { type Figure, printReport, type Unit } from "./measure/report.ts";
import { writeBenchSettings } from "./measure/settings.ts";
import { openTalk } from "./measure/talk.ts";
import { startTimedModel } from "./measure/timed-model.ts";

type Delivery = { p50Ms: number; p99Ms: number; apartMs: number; cpuMsEach: number };
type Case = { what: string; lanes: number; each: number };
type Told = { what: string; frames: readonly RecordedFrame[]; delivery: Delivery; turnsPerSecond: number };

const followerCount = 1_000;
const settleMs = 2_000;
const question = "Say twenty words.";
const crowded: Case = { what: "100 conversations", lanes: 100, each: 2 };
const cases: readonly Case[] = [{ what: "1 conversation", lanes: 1, each: 20 }, crowded];
const environment = { STEWARD_GATEWAY_PORT: "0" };

await using folder = await benchFolder();
await using model = await startTimedModel(0);
const memory = {
  events: await stewardKbEach("events"),
  socket: await stewardKbEach("socket"),
  bare: await bareKbEach(),
};

const home = join(folder.path, "home");
await writeBenchSettings(home, { fake: model });
await using daemon = await startDaemon({ home, environment });
const talk = await openTalk(daemon.client);
// the door, the model and the first turns have cost what they cost before anything is counted
for (const kind of ["events", "socket"] as const) {
  using _few = await followersOf(daemon, kind, 10);
  await say(crowded);
}
const unfollowed = await say(crowded);
const events = await followSteward("events");
const bare = await followBare(events);
const sockets = await followSteward("socket");
talk.close();

printReport([
  ...deliveryFigures("SSE", events),
  ...deliveryFigures("WebSocket", sockets),
  memoryFigure("SSE", memory.events),
  memoryFigure("WebSocket", memory.socket),
]);

function deliveryFigures(way: string, told: readonly Told[]): Figure[] {
  return told.flatMap(({ what, delivery, turnsPerSecond }, at) => {
    const row = (part: string, name: keyof Delivery, unit: Unit): Figure => ({
      what: `${way}, ${what}: ${part}`,
      value: delivery[name],
      unit,
      against: { name: "bare", value: bare[at]?.[name] ?? 0 },
    });
    const turns: Figure = {
      what: `${way}, ${what}: turns a second`,
      value: turnsPerSecond,
      unit: "turns/s",
      against: { name: "nobody follows", value: unfollowed },
    };
    return [
      row("event to last follower, median", "p50Ms", "ms"),
      row("event to last follower, 99th of 100", "p99Ms", "ms"),
      row("first to last follower, 99th of 100", "apartMs", "ms"),
      row("CPU of a frame to all of them", "cpuMsEach", "ms CPU"),
      ...(what === crowded.what ? [turns] : []),
    ];
  });
}

function memoryFigure(way: string, value: number): Figure {
  return { what: `${way}: memory of a follower`, value, unit: "KB", against: { name: "bare", value: memory.bare } };
}

/** Both servers are new, and have let a few in already. */
async function stewardKbEach(kind: Followed["kind"]): Promise<number> {
  const newHome = join(folder.path, kind);
  await writeBenchSettings(newHome, { fake: model });
  await using fresh = await startDaemon({ home: newHome, environment });
  using _few = await followersOf(fresh, kind, 10);
  return await kbEach(fresh.pid, () => followersOf(fresh, kind, followerCount));
}

async function bareKbEach(): Promise<number> {
  using server = await startBareEvents();
  const followed = { port: server.port, token: "", kind: "events", since: 0 } as const;
  using _few = await startFollowers({ ...followed, count: 10 });
  return await kbEach(server.pid, () => startFollowers({ ...followed, count: followerCount }));
}

async function kbEach(pid: number, follow: () => Promise<Followers>): Promise<number> {
  await pause(settleMs);
  const before = memoryOf(pid).rssMb;
  using _many = await follow();
  await pause(settleMs);
  return ((memoryOf(pid).rssMb - before) * 1024) / followerCount;
}

async function followersOf({ client }: Daemon, kind: Followed["kind"], count: number): Promise<Followers> {
  const { page, lastSeq: since } = await client.call("health.check", {});
  const { token } = await client.call("access.create", { name: "followers", scope: "read" });
  return startFollowers({ port: Number(new URL(page).port), token, kind, count, since });
}

async function followSteward(kind: Followed["kind"]): Promise<Told[]> {
  using followers = await followersOf(daemon, kind, followerCount);
  const told: Told[] = [];
  for (const one of cases) told.push(await tell(followers, one));
  return told;
}

async function tell(followers: Followers, one: Case): Promise<Told> {
  await pause(settleMs);
  const since = await lastSeqNow();
  const recordedBefore = (await followers.recorded()).length;
  const cpuBefore = cpuSeconds(daemon.pid);
  const turnsPerSecond = await say(one);
  const arrivals = await followers.arrivalsAfter(since, await lastSeqNow());
  const cpuMs = (cpuSeconds(daemon.pid) - cpuBefore) * 1000;
  const frames = (await followers.recorded()).slice(recordedBefore);
  const delivery = { ...timesOf(arrivals, ({ saidMs }) => saidMs), cpuMsEach: cpuMs / frames.length };
  return { what: one.what, frames, delivery, turnsPerSecond };
}

/** The same frames at the same pace, from a server that does nothing else. */
async function followBare(told: readonly Told[]): Promise<Delivery[]> {
  using server = await startBareEvents();
  const followed = { port: server.port, token: "", kind: "events", since: 0, count: followerCount } as const;
  using followers = await startFollowers(followed);
  const deliveries: Delivery[] = [];
  for (const { frames } of told) {
    const cpuBefore = cpuSeconds(server.pid);
    const writtenMs = await server.play(frames);
    const written = new Map(frames.map((frame, at) => [frame.seq, writtenMs[at] ?? 0]));
    const seqs = [...written.keys()].filter((seq) => seq > 0);
    const arrivals = await followers.arrivalsAfter(Math.min(...seqs) - 1, Math.max(...seqs));
    const times = timesOf(arrivals, ({ seq }) => written.get(seq) ?? 0);
    deliveries.push({ ...times, cpuMsEach: ((cpuSeconds(server.pid) - cpuBefore) * 1000) / frames.length });
  }
  return deliveries;
}

function timesOf(arrivals: readonly Arrival[], beganMs: (arrival: Arrival) => number): Omit<Delivery, "cpuMsEach"> {
  const taken = arrivals.map((arrival) => arrival.lastMs - beganMs(arrival));
  const apart = arrivals.map((arrival) => arrival.lastMs - arrival.firstMs);
  return { p50Ms: quantile(taken, 0.5), p99Ms: quantile(taken, 0.99), apartMs: quantile(apart, 0.99) };
}

async function lastSeqNow(): Promise<number> {
  return (await daemon.client.call("health.check", {})).lastSeq;
}

async function say({ lanes, each }: Case): Promise<number> {
  const round = Math.random().toString(36).slice(2);
  const shape = { lanes, each, cpuSeconds: () => cpuSeconds(daemon.pid) };
  return (await runLoad(shape, (lane) => talk.say(`terminal--${round}x${lane}`, question))).perSecond;
}
