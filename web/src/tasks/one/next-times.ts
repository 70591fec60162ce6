import type { PlannedTask } from "../../../../src/contract/wire/methods/tasks.ts";

const count = 5;

/** The times to come as far as they follow from the trigger itself; undefined: the gateway knows. */
export function plainTimes({ trigger, nextAtMs, state }: PlannedTask): number[] | undefined {
  if (state === "ended" || nextAtMs === undefined) return [];
  if (trigger.kind !== "every") return trigger.kind === "cron" ? undefined : [nextAtMs];
  if (trigger.timeZone !== undefined) return undefined;
  return Array.from({ length: count }, (_, index) => nextAtMs + index * trigger.everyMs);
}

/** How to ask for the times of a task whose times the calendar of a zone decides. */
export function timesWish({
  trigger,
  when,
}: PlannedTask): { when: string; timeZone: string; count: number } | undefined {
  if (trigger.kind === "cron") return { when: trigger.expression, timeZone: trigger.timeZone, count };
  if (trigger.kind !== "every" || trigger.timeZone === undefined) return undefined;
  return { when, timeZone: trigger.timeZone, count };
}
