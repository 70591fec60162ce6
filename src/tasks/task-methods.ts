// The methods of tasks, for the page, the command line, REST and programs alike.
import { setImmediate } from "node:timers/promises";
import { isSchedule, type Trigger } from "../contract/task/task.ts";
import type { Caller } from "../contract/wire/caller.ts";
import { CallRefused } from "../contract/wire/client.ts";
import type { Served } from "../contract/wire/methods/define-methods.ts";
import type { PlannedTask, taskMethods } from "../contract/wire/methods/tasks.ts";
import type { Queryable } from "../store/database/database.ts";
import { activeTasks, listTasks, runsOf, type StoredTask } from "../store/tasks/tasks.ts";
import { cancelTask, editTask, pauseTask, resumeTask, runTaskNow } from "./plan/change-task.ts";
import { makeTask, requireTask } from "./plan/make-task.ts";
import { readChange, readDefinition, readSchedule, type Wish } from "./plan/read-wish.ts";
import { showRun, showTask, showTasks, triggerWords } from "./plan/shown-task.ts";
import type { TaskDeps } from "./task-deps.ts";
import { newHook } from "./webhook/new-hook.ts";

type Methods = Served<typeof taskMethods>;

export function serveTasks(deps: TaskDeps): Methods {
  return {
    async "tasks.list"(_caller, { sessionKey: madeIn, ...filter }) {
      const { tasks, total } = await listTasks(deps.database, { ...filter, madeIn });
      return { tasks: await showTasks(deps, tasks), total };
    },
    "tasks.get": async (_caller, { id }) => shown(deps, await requireTask(deps, id)),
    async "tasks.create"(caller, { when, idempotencyKey, ...wish }) {
      return make(deps, caller, wish, await readSchedule(deps, when, wish.timeZone), idempotencyKey);
    },
    async "tasks.createRecurring"(caller, { prompt, schedule, intervalMs, idempotencyKey, ...wish }) {
      const trigger = await readRecurring(deps, { schedule, intervalMs, timeZone: wish.timeZone });
      return make(deps, caller, { ...wish, action: { kind: "do", prompt } }, trigger, idempotencyKey);
    },
    "tasks.createEventTrigger": (caller, params) => makeTriggered(deps, caller, params),
    "tasks.edit": (caller, params) => edit(deps, caller, params),
    "tasks.pause": async (caller, { id }) => shown(deps, await pauseTask(deps, id, caller.sender)),
    "tasks.resume": async (caller, { id }) => shown(deps, await resumeTask(deps, id, caller.sender)),
    async "tasks.run"(_caller, { id }) {
      const { task, run } = await runTaskNow(deps, id);
      return { task: await showTask(deps, task), run };
    },
    "tasks.cancel": async (caller, { id }) => ({ ok: await cancelTask(deps, id, caller.sender) }),
    async "tasks.history"(_caller, { id, limit }) {
      const task = await requireTask(deps, id);
      const runs = await Promise.all((await runsOf(deps.database, id, limit)).map((run) => showRun(deps, run)));
      return { task: await showTask(deps, task), runs };
    },
    "tasks.preview": (_caller, params) => preview(deps, params),
    "tasks.calendar": (_caller, stretch) => calendar(deps, stretch),
  };
}

async function shown(deps: TaskDeps, task: StoredTask): Promise<{ task: PlannedTask }> {
  return { task: await showTask(deps, task) };
}

type Made = Wish & { group?: string | undefined };

async function make(
  deps: TaskDeps,
  { sender: by }: Caller,
  { group, ...wish }: Made,
  trigger: Trigger,
  idempotencyKey: string | undefined,
) {
  const deliverTo = group === undefined ? "last" : "origin";
  const definition = readDefinition({ deliverTo, ...wish }, trigger);
  return shown(deps, (await makeTask(deps, { definition, by, madeIn: "", group, labels: [], idempotencyKey })).task);
}

async function readRecurring(
  deps: TaskDeps,
  {
    schedule,
    intervalMs,
    timeZone,
  }: { schedule: string | undefined; intervalMs: number | undefined; timeZone: string | undefined },
): Promise<Trigger> {
  if ((schedule === undefined) === (intervalMs === undefined))
    throw new CallRefused("invalid", "Give either schedule, such as “every day at 9am”, or intervalMs.");
  if (schedule === undefined) return { kind: "every", everyMs: intervalMs ?? 0, fromMs: deps.world.nowMs() };
  const read = await readSchedule(deps, schedule, timeZone, "repeated");
  if (read.kind === "once")
    throw new CallRefused("invalid", "That is one time and not several. Begin with “every”, or use tasks.create.");
  return read;
}

type Triggered = Parameters<Methods["tasks.createEventTrigger"]>[1];

async function makeTriggered(
  deps: TaskDeps,
  caller: Caller,
  { prompt, trigger: wanted, idempotencyKey, ...wish }: Triggered,
) {
  const trigger =
    wanted.kind === "webhook"
      ? { kind: wanted.kind, name: wanted.name ?? prompt.slice(0, 40).trim().toWellFormed() }
      : wanted;
  const chosen = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined));
  const action = { kind: "do" as const, prompt };
  const definition = readDefinition({ deliverTo: "last", ...chosen, action }, trigger);
  const hook = wanted.kind === "webhook" ? newHook(wanted.signed) : undefined;
  const { task, isRepeated } = await makeTask(deps, {
    ...{ definition, by: caller.sender, madeIn: "", labels: [], idempotencyKey },
    ...(hook && { alongside: (tx: Queryable, id: string) => hook.write(tx, id, deps.world.nowMs()) }),
  });
  // whoever asks again has not got the first answer, and its address is told to nobody any more
  if (hook && isRepeated) await deps.database.transaction(true, (tx) => hook.write(tx, task.id, deps.world.nowMs()));
  return { ...(await shown(deps, task)), ...hook?.told };
}

type Edit = Parameters<Methods["tasks.edit"]>[1];

async function edit(deps: TaskDeps, caller: Caller, { id, ...wish }: Edit) {
  const edited = await editTask(deps, id, caller.sender, async (task) => ({
    definition: await readChange(deps, task.definition, wish),
  }));
  return shown(deps, edited);
}

async function preview(
  deps: TaskDeps,
  { when, timeZone = deps.timeZone, count }: { when: string; timeZone?: string | undefined; count: number },
) {
  try {
    const trigger = await readSchedule(deps, when, timeZone);
    const { scheduleProblem } = await import("./schedule/check-schedule.ts");
    const { nextTimes } = await import("./schedule/next-times.ts");
    const nowMs = deps.world.nowMs();
    const problem = scheduleProblem(trigger, nowMs);
    if (problem !== undefined) throw new CallRefused("invalid", problem);
    const words = await triggerWords(deps, trigger);
    return { ok: true, words, trigger, nextAtMs: [...nextTimes(trigger, nowMs, count)], timeZone };
  } catch (cause) {
    // what is wrong with it is what was asked for
    if (!(cause instanceof CallRefused)) throw cause;
    return { ok: false, words: cause.message, nextAtMs: [], timeZone: deps.timeZone };
  }
}

const mostTimes = 2_000;
const mostOfOne = 100;

async function calendar(deps: TaskDeps, { fromMs, untilMs }: { fromMs: number; untilMs: number }) {
  const { timesBetween } = await import("./schedule/next-times.ts");
  const all: { task: string; title: string; atMs: number }[] = [];
  let isCut = false;
  for (const { id, definition, nextAtMs } of await activeTasks(deps.database)) {
    if (!isSchedule(definition.trigger) || nextAtMs === undefined || nextAtMs > untilMs) continue;
    // a year of many tasks takes a while, and others want to be answered meanwhile
    await setImmediate();
    const from = Math.max(fromMs, nextAtMs) - 1;
    const times = timesBetween(definition.trigger, from, untilMs, mostOfOne + 1);
    isCut ||= times.length > mostOfOne;
    for (const atMs of times.slice(0, mostOfOne)) all.push({ task: id, title: definition.title, atMs });
  }
  all.sort((one, other) => one.atMs - other.atMs);
  return { times: all.slice(0, mostTimes), more: isCut || all.length > mostTimes };
}
