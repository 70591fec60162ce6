import type { PlannedTask } from "../../../../src/contract/wire/methods/tasks.ts";

const count = 5;

/** The times to come as far as they follow from the trigger itself; undefined: the gateway knows. */
export function plainTimes({ trigger, nextAtMs, state }: PlannedTask): number[] | undefined {
  if (state === "ended" || nextAtMs === undefined) return [];
  if (trigger.kind === "cron") return undefined;
  if (trigger.kind !== "every") return [nextAtMs];
  return Array.from({ length: count }, (_, index) => nextAtMs + index * trigger.everyMs);
}

/** How to ask for the times of a task whose times do not follow from its trigger alone. */
export function timesWish({ trigger }: PlannedTask): { when: string; timeZone: string; count: number } | undefined {
  return trigger.kind === "cron" ? { when: trigger.expression, timeZone: trigger.timeZone, count } : undefined;
}
