// A wish in, a task in the log out: read, checked and bounded before anything is written.
import type { NewEvent } from "../../contract/event.ts";
import type { Sender } from "../../contract/sender.ts";
import {
  isSchedule,
  type Schedule,
  type TaskDefinition,
  type Trigger,
  taskConversation,
} from "../../contract/task/task.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { requireAgent } from "../../contract/wire/require-agent.ts";
import type { Queryable } from "../../store/database/database.ts";
import { countMadeSince, countTasks, findTask, type StoredTask } from "../../store/tasks/tasks.ts";
import { requirePlace } from "../run/delivery.ts";
import type { TaskDeps } from "../task-deps.ts";
import { stampOf } from "../triggers/file-stamp.ts";
import { forGroup } from "./for-group.ts";

export type NewTask = {
  definition: TaskDefinition;
  by: Sender;
  madeIn: string;
  /** The group that the owner plans it for, by name: it is made there and has no other rights. */
  group?: string | undefined;
  labels: readonly string[];
  /** Made by the assistant: it may not fill the list, and of its words only these places are the owner's. */
  byTool?: { named: readonly string[]; generation: number };
  idempotencyKey?: string | undefined;
  /** Written with it, or not at all. */
  alongside?(tx: Queryable, task: string): Promise<void>;
};

/** `isRepeated`: its key had made it before, and nothing was written. */
export type MadeTask = { task: StoredTask; isRepeated: boolean };

export async function makeTask(deps: TaskDeps, wish: NewTask): Promise<MadeTask> {
  const { labels, idempotencyKey, byTool } = wish;
  const definition = { ...wish.definition, title: deps.redact(wish.definition.title) };
  const { group } = wish;
  const { by, madeIn, meets } = group === undefined ? { ...wish, meets: [] } : await forGroup(deps, group, wish);
  await requirePlace(deps, definition.deliverTo);
  if (definition.agent !== undefined) await requireAgent(deps.agents, definition.agent);
  const id = `t${deps.world
    .newId("task")
    .replace(/[^a-z0-9]/g, "")
    .slice(-10)}`;
  const beginning = await beginningOf(deps, definition.trigger);
  const { events, repeated } = await deps.log.appendDecided(
    async (tx) => {
      await refuseTooMany(deps, tx, { ...wish, madeIn });
      const made: NewEvent = {
        ...{
          type: "task.made",
          conversation: taskConversation(id),
          task: id,
          definition,
          by,
          madeIn,
          labels: [...labels],
        },
        ...beginning,
        ...(byTool && { named: [...byTool.named], generation: byTool.generation }),
      };
      await wish.alongside?.(tx, id);
      return [made, ...configured(id, definition), ...meets];
    },
    { idempotencyKey: idempotencyKey && `task:${madeIn}:${idempotencyKey}` },
  );
  const [first] = events;
  if (first?.type !== "task.made") throw new Error(`making a task wrote ${first?.type ?? "nothing"}`);
  if (repeated && wishOf(first.definition) !== wishOf(definition))
    throw new CallRefused("conflict", "This idempotency key belongs to another task. Use a new key for a new task.");
  return { task: await requireTask(deps, first.task), isRepeated: repeated };
}

/** What it waits for: its first time, or what the file is now. */
async function beginningOf(deps: TaskDeps, trigger: Trigger): Promise<{ nextAtMs?: number; stamp?: string }> {
  if (isSchedule(trigger)) return { nextAtMs: await firstTime(deps, trigger) };
  if (trigger.kind === "file") return { stamp: await stampOf(deps.workspace, trigger.path) };
  if (trigger.kind === "mail" && !deps.settings.channels.email.enabled)
    throw new CallRefused(
      "invalid",
      "No mailbox is connected, so no mail would begin it. Set up channels.email first.",
    );
  if (trigger.kind === "task" && (await requireTask(deps, trigger.task)).state === "ended")
    throw new CallRefused("invalid", "That task has ended and will not run again. Name one that is planned.");
  return {};
}

/** To compare by: "in 20 minutes" said twice means another moment and the same wish. */
function wishOf({ trigger, ...rest }: TaskDefinition): string {
  const when = trigger.kind === "once" ? "once" : trigger.kind === "every" ? trigger.everyMs : trigger;
  return JSON.stringify([rest, when]);
}

// one that comes too often does so within two days of its first time
const comparedMs = 2 * 86_400_000;
const mostCompared = 60;

/** The first time of it, or a refusal in words. */
export async function firstTime(deps: Pick<TaskDeps, "world" | "settings">, schedule: Schedule): Promise<number> {
  const { scheduleProblem } = await import("../schedule/check-schedule.ts");
  const { nextAfter, timesBetween } = await import("../schedule/next-times.ts");
  const nowMs = deps.world.nowMs();
  const problem = scheduleProblem(schedule, nowMs);
  if (problem !== undefined) throw new CallRefused("invalid", problem);
  const next = nextAfter(schedule, nowMs);
  if (next === undefined) throw new CallRefused("invalid", "That time is over. Name one that is still to come.");
  const times = timesBetween(schedule, nowMs, next + comparedMs, mostCompared);
  const { minIntervalSeconds } = deps.settings.tasks;
  if (times.some((time, at) => at > 0 && time - (times[at - 1] ?? 0) < minIntervalSeconds * 1000))
    throw new CallRefused(
      "invalid",
      `That is more often than every ${minIntervalSeconds} seconds, which is the limit of tasks.minIntervalSeconds.`,
    );
  return next;
}

// more than a busy evening needs, and nothing that could feed itself
const mostInAnHour = 60;
const hourMs = 3_600_000;

async function refuseTooMany(deps: TaskDeps, tx: Queryable, { byTool, madeIn, definition }: NewTask): Promise<void> {
  const { maxActive, maxPerConversation } = deps.settings.tasks;
  const refuse = (words: string) => {
    throw new CallRefused("conflict", words);
  };
  if ((await countTasks(tx)) >= maxActive)
    refuse(`There are ${maxActive} tasks already, which is the limit of tasks.maxActive. Cancel some of them first.`);
  if (!byTool) return;
  if ((await countTasks(tx, madeIn)) >= maxPerConversation)
    refuse(
      `${maxPerConversation} tasks were made in this conversation already, which is the limit of tasks.maxPerConversation. Cancel some of them first.`,
    );
  if ((await countMadeSince(tx, madeIn, deps.world.nowMs() - hourMs)) >= mostInAnHour)
    refuse(
      `${mostInAnHour} tasks were made here within the hour, which is enough. Go on later, or make one that recurs.`,
    );
  if (byTool.generation > 1)
    refuse("A task that was made by a task makes no further ones. Say in your answer what else is to be done.");
  if (byTool.generation === 1) refuseSoon(deps, definition);
}

/** What runs plan for the next moment would run without end. */
function refuseSoon({ world, settings }: TaskDeps, { trigger }: TaskDefinition): void {
  const { minIntervalSeconds } = settings.tasks;
  if (trigger.kind === "once" && trigger.atMs < world.nowMs() + minIntervalSeconds * 1000)
    throw new CallRefused(
      "conflict",
      `A run plans nothing for the next ${minIntervalSeconds} seconds. Do it now, or name a later time.`,
    );
}

/** What the conversation of its runs goes by. */
export function configured(
  id: string,
  { title, action, model, agent, budgetUsd }: TaskDefinition,
): readonly NewEvent[] {
  if (action.kind === "say") return [];
  const choices = { title, model: model ?? null, agent: agent ?? null, budgetUsd: budgetUsd ?? null };
  return [{ type: "conversation.configured", conversation: taskConversation(id), ...choices }];
}

export async function requireTask(deps: Pick<TaskDeps, "database">, id: string): Promise<StoredTask> {
  const task = await findTask(deps.database, id);
  if (!task) throw new CallRefused("not_found", `There is no task ${id}. tasks.list shows those there are.`);
  return task;
}
