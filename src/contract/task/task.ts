// The nouns of durable work: what is to be done, when, and where its answer goes.
import { z } from "zod";
import { ModelName } from "../model.ts";

const moment = z.number().int().min(0).max(253_402_300_799_999);

/** Times in a time zone, a fixed distance, or one moment. */
export const Schedule = z.discriminatedUnion("kind", [
  /** Five fields: minute, hour, day, month, weekday. */
  z.object({ kind: z.literal("cron"), expression: z.string().min(1).max(200), timeZone: z.string().min(1).max(60) }),
  /** Counted from `fromMs`, so that it neither drifts nor begins anew with a restart. */
  z.object({
    ...{ kind: z.literal("every"), everyMs: z.number().int().positive(), fromMs: moment },
    /** With it, whole days are those of the calendar there: 8 stays 8 when the clocks are changed. */
    timeZone: z.string().min(1).max(60).optional(),
  }),
  z.object({ kind: z.literal("once"), atMs: moment }),
]);
export type Schedule = z.infer<typeof Schedule>;

/** Which mails; left out: all of them. */
export const mailFilter = {
  /** An address, or all of a domain: `@example.org`. */
  from: z
    .string()
    .trim()
    .toLowerCase()
    .max(320)
    .regex(/^[^\s@<>]*@[^\s@<>]+$/, "write an address such as boss@example.org, or @example.org for everybody there")
    .optional(),
  /** Words in its subject. */
  subject: z.string().trim().min(1).max(200).optional(),
};

/** What begins a run: a time, or something that happens. */
export const Trigger = z.union([
  Schedule,
  z.discriminatedUnion("kind", [
    /** Somebody calls the task's own address. */
    z.object({ kind: z.literal("webhook"), name: z.string().min(1).max(80) }),
    /** A file, or what lies in a folder, is another than before. */
    z.object({ kind: z.literal("file"), path: z.string().min(1).max(1000) }),
    /** A mail has come into the mailbox of the email channel. */
    z.object({ kind: z.literal("mail"), ...mailFilter }),
    /** A command that went on in the background has ended; `matching`: words in its command line. */
    z.object({ kind: z.literal("command"), matching: z.string().max(200).optional() }),
    /** Another task's run has ended. */
    z.object({
      kind: z.literal("task"),
      task: z.string().min(1).max(100),
      when: z.enum(["any", "done", "failed"]).default("any"),
    }),
  ]),
]);
export type Trigger = z.infer<typeof Trigger>;

/** do: a run of the assistant with all its tools. say: the words as they stand, without any model. */
export const TaskAction = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("do"), prompt: z.string().trim().min(1).max(20_000) }),
  z.object({ kind: z.literal("say"), text: z.string().trim().min(1).max(20_000) }),
]);
export type TaskAction = z.infer<typeof TaskAction>;

/**
 * Where an answer goes. origin: where the task was made. last: where the owner last spoke. main: the terminal's own conversation.
 * none: it stays with the task. Anything else: a conversation's key, or a channel, which means the last one in it.
 */
export const Delivery = z
  .string()
  .max(180)
  .regex(
    /^[a-z0-9]+(--[A-Za-z0-9_.-]+)*$/,
    "say origin, last, main, none, a channel, or a conversation such as terminal--default",
  )
  .refine(
    (place) => !/^(?:task|heartbeat)(?:--|$)/.test(place),
    "nobody reads the conversations of tasks; name another one",
  );

/** What becomes of times that passed while Steward was not there. */
export const MissedPolicy = z.enum(["once", "all", "skip"]);
/** What becomes of a time that comes while the run before it is still under way. */
export const OverlapPolicy = z.enum(["skip", "wait"]);

/** One line that can be seen, whoever has written it. */
const Title = z
  .string()
  .max(1_000)
  .transform((text) =>
    text
      .replace(/[\p{C}\s]+/gu, " ")
      .trim()
      .slice(0, 120)
      .toWellFormed(),
  )
  .refine((text) => text !== "", "a title holds at least one letter");

export const TaskDefinition = z.object({
  title: Title,
  action: TaskAction,
  trigger: Trigger,
  /** What ends a recurring task once it holds, in words for the assistant. */
  until: z.string().trim().min(1).max(1_000).optional(),
  deliverTo: Delivery.default("origin"),
  missed: MissedPolicy.default("once"),
  overlap: OverlapPolicy.default("skip"),
  /** It leaves the list with its last run. */
  deleteAfterRun: z.boolean().default(false),
  /** US dollars that one run may cost. */
  budgetUsd: z.number().positive().max(1_000).optional(),
  model: ModelName.optional(),
  agent: z.string().min(1).max(100).optional(),
});
export type TaskDefinition = z.infer<typeof TaskDefinition>;

/** Of which run an event tells. */
export const RunRef = z.object({
  task: z.string(),
  /** When it was due, or when what began it has happened. */
  dueAtMs: moment,
  cause: z.enum(["schedule", "webhook", "file", "mail", "command", "task", "asked", "heartbeat"]),
  /** What began it, where that has a name of its own. */
  key: z.string().optional(),
  /** When it is due next; null: never again; left out: as it was. */
  nextAtMs: moment.nullable().optional(),
  /** What the file that began it is now. */
  stamp: z.string().optional(),
  /** How many times before it had passed by, for which this one run stands. */
  missed: z.number().int().positive().optional(),
  /** The second and further tries of the same time. */
  attempt: z.number().int().positive().optional(),
});
export type RunRef = z.infer<typeof RunRef>;

export function isSchedule(trigger: Trigger): trigger is Schedule {
  return trigger.kind === "cron" || trigger.kind === "every" || trigger.kind === "once";
}

/** The conversation of a task's runs. */
export function taskConversation(task: string): string {
  return `task--${task}`;
}

/** Where the heartbeat thinks. */
export const heartbeatConversation = "heartbeat--main";
/** Stands for it among the tasks. */
export const heartbeatTask = "heartbeat";

/** Where the notes are looked through at night, and what stands for that among the tasks. */
export const tidyConversation = "heartbeat--tidy";
export const tidyTask = "tidy";

/** Conversations that nobody sits in: what is asked there goes to the inbox, what is answered goes where it should. */
export function isBackground(conversation: string): boolean {
  return conversation.startsWith("task--") || isBeat(conversation);
}

/** Each look begins afresh, and is no task of anybody. */
export function isBeat(conversation: string): boolean {
  return conversation === heartbeatConversation || conversation === tidyConversation;
}

/** Nobody wants any more of it; one that is done, or whose time has passed, may still have something to tell. */
export function isGivenUp({ why }: { why: string }): boolean {
  return why === "cancelled" || why === "condition";
}

/** The task whose runs think in this conversation. */
export function taskOf(conversation: string): string | undefined {
  if (conversation === heartbeatConversation) return heartbeatTask;
  if (conversation === tidyConversation) return tidyTask;
  return conversation.startsWith("task--") ? conversation.slice("task--".length) : undefined;
}

/** Under which the first event of a run is kept; no client can write such a key. */
export function runKeyIn(conversation: string, key: string): string {
  return `run ${conversation}:${key}`;
}
