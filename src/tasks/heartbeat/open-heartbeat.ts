// The heartbeat: at its times, and when something has happened, the assistant looks around on its own.
import { type Event, tellsOfProcess } from "../../contract/event.ts";
import type { PromptPart } from "../../contract/room/room.ts";
import type { RoomBase } from "../../contract/room/room-base.ts";
import { heartbeatConversation, heartbeatTask } from "../../contract/task/task.ts";
import { heartbeatNotes } from "../../store/tasks/heartbeat-notes.ts";
import { openRuns, runsOf } from "../../store/tasks/tasks.ts";
import { planJob } from "../run/jobs.ts";
import { lateAfterMs } from "../run/run-words.ts";
import type { Speaker } from "../run/speaker.ts";
import { isActive } from "./active-hours.ts";
import { isBeatTime, nextBeat } from "./beat-times.ts";
import { beatRules } from "./beat-words.ts";
import { type BeatDeps, type Beaten, beginBeat, type Look } from "./begin-beat.ts";
import { describeHeartbeat } from "./describe-heartbeat.ts";
import { readDeliverTo, readRhythm, settingTroubles } from "./heartbeat-settings.ts";

export type Heartbeat = {
  /** As whom its answers are delivered. */
  speaker(): Speaker;
  /** A time of it has come: look, or know why not, and plan the next one. */
  beat(dueAtMs: number): Promise<void>;
  /** The owner wants it now, whatever the hour. One that is under way is followed by another. */
  beatNow(): Promise<Beaten>;
  nextAtMs(): number | undefined;
  promptParts(conversation: string): Promise<readonly PromptPart[]>;
  describe(): Promise<string>;
  start(): Promise<void>;
  close(): Promise<void>;
};

export type HeartbeatDeps = BeatDeps & Pick<RoomBase, "offered">;

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** A time that is later than this and nearer to the next one is left to that. */
const nearMs = 15 * minuteMs;

export function openHeartbeat(deps: HeartbeatDeps): Heartbeat {
  const { enabled } = deps.settings.heartbeat;
  const rhythm = readRhythm(deps);
  const deliverTo = readDeliverTo(deps);
  const { nowMs } = deps.world;
  let working: Promise<void> = Promise.resolve();
  let beginning: Promise<unknown> = Promise.resolve();
  let isWanted = false;
  let unsubscribe = () => {};

  return {
    speaker: () => ({
      ...{ id: heartbeatTask, madeIn: "", conversation: heartbeatConversation, quietForMs: dayMs },
      definition: { title: "Heartbeat", deliverTo, trigger: { kind: "every" } },
    }),
    beat,
    async beatNow() {
      const beaten = await begin(nowMs(), "all");
      isWanted = beaten.kind === "busy";
      return beaten;
    },
    nextAtMs: () => (enabled ? nextBeat(rhythm, nowMs()) : undefined),
    promptParts: async (conversation) =>
      conversation === heartbeatConversation ? [{ text: beatRules, stable: true }] : [],
    describe: () => describeHeartbeat(deps, rhythm),
    async start() {
      if (!enabled) return cancelAll();
      for (const trouble of settingTroubles(deps)) deps.trouble(trouble, undefined);
      await planNext();
      unsubscribe = deps.log.subscribe((events) => {
        if (events.some(mayWake)) act(wake);
      });
      act(wake);
    },
    async close() {
      unsubscribe();
      await working;
      await beginning;
    },
  };

  async function beat(dueAtMs: number): Promise<void> {
    if (!enabled) return;
    // planned before anything can fail, so that the rhythm never ends
    const nextAtMs = await planNext();
    if (!isActive(rhythm.hours, rhythm.timeZone, nowMs())) return;
    const isLate = nowMs() - dueAtMs > lateAfterMs;
    const isOwnTime = isBeatTime(rhythm, dueAtMs) && !(isLate && nextAtMs - nowMs() < nearestMs());
    await begin(dueAtMs, isOwnTime ? "all" : "events");
  }

  function nearestMs(): number {
    return Math.min(nearMs, rhythm.intervalMs / 2);
  }

  /** The first time to come whose job is not over: a clock that was set back does not end the rhythm. */
  async function planNext(): Promise<number> {
    let dueAtMs = nextBeat(rhythm, nowMs());
    while (!(await planJob(deps.engine, { kind: "heartbeat", dueAtMs }, dueAtMs))) dueAtMs = nextBeat(rhythm, dueAtMs);
    return dueAtMs;
  }

  async function cancelAll(): Promise<void> {
    for (const { id } of await waitingJobs()) await deps.engine.cancel(id);
  }

  function waitingJobs() {
    return deps.engine.list({ lane: "heartbeat", state: "waiting", limit: 1_000 });
  }

  /** One after the other, so that each knows whether another is under way. */
  function begin(dueAtMs: number, look: Look): Promise<Beaten> {
    const begun = beginning.then(() => beginBeat(deps, dueAtMs, look));
    beginning = begun.catch(() => undefined);
    return begun;
  }

  function act(work: () => Promise<void>): void {
    working = working
      .then(work)
      .catch((cause) => deps.trouble("The heartbeat could not be woken; its next time comes all the same.", cause));
  }

  /** What should not wait for the next time, at most once a minute. */
  async function wake(): Promise<void> {
    if ((await openRuns(deps.database, heartbeatTask)).length > 0) return;
    if (isWanted) {
      isWanted = false;
      await begin(nowMs(), "all");
      return;
    }
    const [last] = await runsOf(deps.database, heartbeatTask, 1);
    const pressing = (await heartbeatNotes(deps.database)).findLast(({ kind }) => kind !== "note");
    // one that a run has had before, and could not tell, waits for the next time
    if (!pressing || pressing.seq < (last?.beganSeq ?? 0)) return;
    const dueAtMs = Math.max(nowMs(), (last?.beganAtMs ?? 0) + minuteMs);
    if (isActive(rhythm.hours, rhythm.timeZone, dueAtMs)) await planWoken(dueAtMs);
  }

  /** However much happens within the minute, one job waits for its end. */
  async function planWoken(dueAtMs: number): Promise<void> {
    if ((await waitingJobs()).some((job) => job.dueAtMs <= dueAtMs)) return;
    await planJob(deps.engine, { kind: "heartbeat", dueAtMs }, dueAtMs);
  }
}

function mayWake(event: Event): boolean {
  switch (event.type) {
    case "heartbeat.noted":
    case "task.skipped":
    case "task.settled":
      return true;
    case "message.received":
      return tellsOfProcess(event);
    default:
      return false;
  }
}
