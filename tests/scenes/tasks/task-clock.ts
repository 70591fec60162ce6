// Tasks on a real store and engine, on a clock that the test sets: years go by in seconds.
import { onTestFinished } from "vitest";
import type { Event } from "../../../src/contract/event.ts";
import { Settings } from "../../../src/contract/settings.ts";
import { type Schedule, TaskDefinition } from "../../../src/contract/task/task.ts";
import { realWorld } from "../../../src/contract/world.ts";
import { dueTimes, type StoredTask } from "../../../src/store/tasks/tasks.ts";
import { openEmbeddedEngine } from "../../../src/tasks/engine/embedded-engine.ts";
import type { Engine } from "../../../src/tasks/engine/engine.ts";
import { makeTask } from "../../../src/tasks/plan/make-task.ts";
import { followRuns } from "../../../src/tasks/run/follow-runs.ts";
import { workJobs } from "../../../src/tasks/run/work-jobs.ts";
import { eventually } from "../eventually.ts";
import { conversation, messageReceived, storeIn } from "../stores.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export async function taskClock(startMs: number) {
  const home = await temporaryFolder();
  let nowMs = startMs;
  let pokes = 0;
  let isFailing = false;
  const troubles: string[] = [];
  let opened = await open();
  await opened.deps.log.append([messageReceived("hello")]);
  return {
    now: () => nowMs,
    make: async (schedule: Schedule, choices: Partial<TaskDefinition> = {}) => {
      const { task } = await makeTask(opened.deps, {
        definition: TaskDefinition.parse({
          ...{ title: "one", action: { kind: "say", text: "now" }, trigger: schedule, ...choices },
        }),
        ...{ by: { kind: "owner", id: "owner" }, madeIn: conversation, labels: [] },
      });
      return task;
    },
    /** The next job cannot be written. */
    failNextPlanning() {
      isFailing = true;
    },
    troubles: () => troubles,
    /** A job waits for the task's next time. */
    planned: (id: string) =>
      eventually(async () => (await opened.deps.engine.list({ lane: id, state: "waiting", limit: 1 })).length > 0),
    set,
    runTo,
    restart,
    events: () => all(opened.store),
    deps: () => opened.deps,
  };

  async function open() {
    const store = await storeIn(home, { nowMs: () => nowMs });
    const world = { ...realWorld, nowMs: () => nowMs };
    const trouble = (message: string, cause: unknown) => {
      if (!(cause instanceof NoDisk)) throw new Error(message, { cause });
      troubles.push(message);
    };
    const real = await openEmbeddedEngine({ database: store.database, world, onTrouble: trouble, soleProcess: true });
    const engine: Engine = {
      ...real,
      async delay(job, untilMs) {
        if (!isFailing) return real.delay(job, untilMs);
        isFailing = false;
        throw new NoDisk("the disk is full");
      },
    };
    const deps = {
      ...{
        ...store,
        engine,
        world,
        trouble,
        stays: true,
        timeZone: "UTC",
        settings: Settings.parse({}),
        workspace: home,
      },
      agents: async () => [{ id: "main" }],
      redact: (text: string) => text,
      receive: () => Promise.reject(new Error("only what is said is tried here")),
      queue: { stop: async () => false, wake() {} },
    };
    const running = { ...deps, heartbeat: () => neverSpeaks(), beat: async () => {}, tidy: async () => {} };
    const follower = followRuns(running);
    await follower.start();
    const worker = workJobs(running);
    let closing: Promise<void> | undefined;
    const close = () => {
      closing ??= (async () => {
        await worker.close();
        await follower.close();
        await engine.close();
        await store.close();
      })();
      return closing;
    };
    onTestFinished(close);
    return { store, deps, close };
  }

  async function restart(): Promise<void> {
    await opened.close();
    opened = await open();
  }

  /** The clock is set, and whoever waits by it looks up. */
  async function set(atMs: number): Promise<void> {
    nowMs = atMs;
    pokes += 1;
    const job = { kind: "heartbeat", dueAtMs: pokes };
    await opened.deps.engine.start({ id: `poke:${pokes}`, lane: "poke", payload: job });
    await eventually(async () => !(await dueTimes(opened.store.database)).some((task) => task.nextAtMs <= nowMs));
  }

  /** Time goes by, from one time of a task to the next. */
  async function runTo(untilMs: number): Promise<void> {
    for (;;) {
      const next = Math.min(...(await dueTimes(opened.store.database)).map((task) => task.nextAtMs));
      if (next > untilMs) break;
      await set(Math.max(next, nowMs));
    }
    await set(untilMs);
  }
}

class NoDisk extends Error {}

function neverSpeaks(): never {
  throw new Error("no heartbeat here");
}

async function all(store: {
  log: { since(seq: number, limit: number): Promise<readonly Event[]> };
}): Promise<readonly Event[]> {
  return store.log.since(0, 1_000_000);
}

/** When each run of the task was due, in the order in which they were said. */
export function saidTimes(events: readonly Event[], { id }: Pick<StoredTask, "id">): readonly number[] {
  return events.flatMap((event) =>
    event.type === "reply.written" && event.task?.id === id && event.task.run ? [event.task.run.dueAtMs] : [],
  );
}
