// What ten thousand tasks cost that are due next year, beside the same daemon without any.
import { join } from "node:path";
import type { NewEvent } from "../../../src/contract/event.ts";
import { TaskDefinition } from "../../../src/contract/task/task.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { pause } from "../figures.ts";
import { cpuSeconds, memoryOf } from "../process-figures.ts";
import { type Daemon, startDaemon } from "../program.ts";

export type Idle = { cpuPercent: number; rssMb: number; readyMs: number };

const sleeping = 10_000;
const eventsAtOnce = 1_000;
const settleMs = 5_000;
const watchedMs = 20_000;
const yearMs = 365 * 24 * 3_600_000;

export async function measureSleepingTasks(folder: string): Promise<{ many: Idle; none: Idle }> {
  const homes = { many: join(folder, "sleeping"), none: join(folder, "empty") };
  await planMany(homes.many);
  // the first start plans a job for each of them; what is watched is what every later one finds
  await using _planned = await startDaemon({ home: homes.many });
  await _planned[Symbol.asyncDispose]();
  await using many = await startDaemon({ home: homes.many });
  await using none = await startDaemon({ home: homes.none });
  await pause(settleMs);
  // at the same time, so that whatever disturbs one disturbs the other
  const [first, second] = await Promise.all([watch(many), watch(none)]);
  return { many: first, none: second };
}

async function planMany(home: string): Promise<void> {
  const onTrouble = (message: string, cause: unknown) => {
    throw new Error(message, { cause });
  };
  const store = await openStore({ home, nowMs: () => Date.now(), redact: (text) => text, onTrouble });
  for (let from = 0; from < sleeping; from += eventsAtOnce)
    await store.log.append(Array.from({ length: eventsAtOnce }, (_, at) => made(from + at)));
  await store.close();
}

function made(number: number): NewEvent {
  const task = `t${number}`;
  const nextAtMs = Date.now() + yearMs + number * 1_000;
  const action = { kind: "say", text: `This is what number ${number} should remind of.` };
  const definition = TaskDefinition.parse({ title: task, action, trigger: { kind: "once", atMs: nextAtMs } });
  const by = { kind: "owner", id: "owner" } as const;
  return { type: "task.made", conversation: `task--${task}`, task, definition, by, madeIn: "", nextAtMs };
}

async function watch({ pid, readyMs }: Daemon): Promise<Idle> {
  const before = cpuSeconds(pid);
  await pause(watchedMs);
  return { cpuPercent: ((cpuSeconds(pid) - before) * 100_000) / watchedMs, rssMb: memoryOf(pid).rssMb, readyMs };
}
