// What clients may ask of tasks: the page, the command line, REST and programs alike.
import { z } from "zod";
import { ModelName } from "../../model.ts";
import { Sender } from "../../sender.ts";
import {
  Delivery,
  MissedPolicy,
  mailFilter,
  OverlapPolicy,
  TaskAction,
  TaskDefinition,
  Trigger,
} from "../../task/task.ts";
import { defineMethods, Ok } from "./define-methods.ts";

export const RunState = z.enum([
  ...["queued", "running", "waiting", "done", "failed", "stopped"],
  // passed by while Steward was not there, or while the run before it was under way
  ...["missed", "skipped"],
] as const);
export type RunState = z.infer<typeof RunState>;

export const TaskRun = z.object({
  /** The message that began it; `chat.history` of the task's conversation shows all of it. */
  id: z.string(),
  task: z.string(),
  state: RunState,
  cause: z.string(),
  dueAtMs: z.number(),
  /** Of `missed` and `skipped`: how many times, the first of them at dueAtMs. */
  times: z.number(),
  beganAtMs: z.number(),
  finishedAtMs: z.number().optional(),
  turn: z.string().optional(),
  answer: z.string().optional(),
  error: z.string().optional(),
  costUsd: z.number(),
  /** delivered, quiet (nothing to tell), repeated (the same words within a day), kept (delivery none), retried. */
  settled: z.string().optional(),
});
export type TaskRun = z.infer<typeof TaskRun>;

export const TaskState = z.enum(["active", "paused", "ended"]);

export const PlannedTask = TaskDefinition.extend({
  id: z.string(),
  state: TaskState,
  /** Why it has ended: done, cancelled. */
  ended: z.string().optional(),
  /** Where its runs can be read. */
  sessionKey: z.string(),
  owner: Sender,
  /** The conversation it was made in. */
  madeIn: z.string(),
  /** The group to which that belongs. */
  group: z.string().optional(),
  madeAtMs: z.number(),
  /** Whose words were in the conversation when it was made; they cling to every run. */
  labels: z.array(z.string()),
  nextAtMs: z.number().optional(),
  /** The trigger in words: "every weekday at 09:00 (Europe/Berlin)". */
  when: z.string(),
  lastRun: TaskRun.optional(),
});
export type PlannedTask = z.infer<typeof PlannedTask>;

/** When, in whatever way: words ("tomorrow at six", "every weekday at nine"), a cron expression, an ISO time or a duration. */
export const when = z.string().trim().min(1).max(500);
const moment = z.number().int().min(0).max(253_402_300_799_999);
const longestStretchMs = 366 * 86_400_000;
const id = z.strictObject({ id: z.string().min(1).max(100) });

/** What may be chosen of any task. */
export const choices = {
  title: z.string().trim().min(1).max(120).optional(),
  until: z.string().trim().min(1).max(1_000).optional(),
  deliverTo: Delivery.optional(),
  missed: MissedPolicy.optional(),
  overlap: OverlapPolicy.optional(),
  deleteAfterRun: z.boolean().optional(),
  budgetUsd: z.number().positive().max(1_000).optional(),
  model: ModelName.optional(),
  agent: z.string().min(1).max(100).optional(),
  /** The IANA name of the zone in which the words are meant; the owner's if left out. */
  timeZone: z.string().min(1).max(60).optional(),
};
/** Of one with times: the group for which it is made, with that group's rights; its name, or what people call it. */
export const group = z.string().trim().min(1).max(200).optional();
const prompt = z.string().trim().min(1).max(20_000);
/** The same key again is the same task. */
const idempotencyKey = z.string().min(1).max(200).optional();

/** What a client may name as the beginning of a run. */
export const EventTrigger = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("webhook"),
    name: z.string().min(1).max(80).optional(),
    signed: z.boolean().default(true),
  }),
  z.strictObject({ kind: z.literal("file"), path: z.string().min(1).max(1000) }),
  z.strictObject({ kind: z.literal("mail"), ...mailFilter }),
  z.strictObject({ kind: z.literal("command"), matching: z.string().max(200).optional() }),
  z.strictObject({
    kind: z.literal("task"),
    task: z.string().min(1).max(100),
    when: z.enum(["any", "done", "failed"]).default("any"),
  }),
]);

const Made = z.object({
  task: PlannedTask,
  /** Of a webhook, in this answer and nowhere else, ever. */
  path: z.string().optional(),
  secret: z.string().optional(),
});
const One = z.object({ task: PlannedTask });

export const taskMethods = defineMethods({
  "tasks.list": {
    scopes: ["read"],
    /** `sessionKey`: only those made there; `ended`: also those that are over. */
    params: z.strictObject({
      sessionKey: z.string().max(200).optional(),
      ended: z.boolean().default(false),
      limit: z.number().int().min(1).max(1000).default(200),
      offset: z.number().int().min(0).default(0),
    }),
    result: z.object({ tasks: z.array(PlannedTask), total: z.number() }),
  },
  "tasks.get": { scopes: ["read"], params: id, result: One },
  /** A task at a time or several times: `when` in any form. */
  "tasks.create": {
    scopes: [],
    params: z.strictObject({ when, action: TaskAction, ...choices, group, idempotencyKey }),
    result: Made,
  },
  "tasks.createRecurring": {
    scopes: [],
    params: z.strictObject({
      prompt,
      schedule: when.optional(),
      intervalMs: z.number().int().positive().optional(),
      ...choices,
      group,
      idempotencyKey,
    }),
    result: Made,
  },
  "tasks.createEventTrigger": {
    scopes: [],
    params: z.strictObject({ prompt, trigger: EventTrigger, ...choices, idempotencyKey }),
    result: Made,
  },
  /** Whatever is named is changed; null takes a choice away. */
  "tasks.edit": {
    scopes: [],
    params: z.strictObject({
      id: z.string().min(1).max(100),
      when: when.optional(),
      action: TaskAction.optional(),
      ...choices,
      until: z.string().trim().min(1).max(1_000).nullable().optional(),
      budgetUsd: z.number().positive().max(1_000).nullable().optional(),
      model: ModelName.nullable().optional(),
      agent: z.string().min(1).max(100).nullable().optional(),
    }),
    result: One,
  },
  "tasks.pause": { scopes: [], params: id, result: One },
  "tasks.resume": { scopes: [], params: id, result: One },
  /** Now, beside its times; the run's id. */
  "tasks.run": { scopes: [], params: id, result: z.object({ task: PlannedTask, run: z.string() }) },
  /** Ends it for good, stops a run under way and takes back one that has not begun. */
  "tasks.cancel": { scopes: [], params: id, result: Ok },
  "tasks.history": {
    scopes: ["read"],
    params: z.strictObject({ id: z.string().min(1).max(100), limit: z.number().int().min(1).max(500).default(50) }),
    result: z.object({ task: PlannedTask, runs: z.array(TaskRun) }),
  },
  /** What a wish means before anything is made: the words, the next times, or what is wrong with it. */
  "tasks.preview": {
    scopes: ["read"],
    params: z.strictObject({ when, timeZone: choices.timeZone, count: z.number().int().min(1).max(50).default(5) }),
    result: z.object({
      ok: z.boolean(),
      /** The trigger in words, or what is wrong and what to write instead. */
      words: z.string(),
      trigger: Trigger.optional(),
      nextAtMs: z.array(z.number()),
      timeZone: z.string(),
    }),
  },
  /** The times of all tasks in a stretch, for a calendar; at most 2,000, oldest first. */
  "tasks.calendar": {
    scopes: ["read"],
    params: z
      .strictObject({ fromMs: moment, untilMs: moment })
      .refine(({ fromMs, untilMs }) => untilMs - fromMs <= longestStretchMs, "ask for a year at most"),
    result: z.object({
      times: z.array(z.object({ task: z.string(), title: z.string(), atMs: z.number() })),
      more: z.boolean(),
    }),
  },
});
