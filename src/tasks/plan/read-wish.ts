// What a client or the assistant asks for becomes a definition, or a refusal in words.
import { isSchedule, type Schedule, type TaskAction, TaskDefinition, type Trigger } from "../../contract/task/task.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import { dayMs, isTimeZone, momentMeant, wallAt } from "../schedule/zone.ts";
import type { TaskDeps } from "../task-deps.ts";

export type Wish = { action: TaskAction; title?: string | undefined; timeZone?: string | undefined } & Partial<
  Record<"until" | "deliverTo" | "missed" | "overlap" | "deleteAfterRun" | "budgetUsd" | "model" | "agent", unknown>
>;

export function readDefinition(wish: Wish, trigger: Trigger): TaskDefinition {
  const { timeZone: _, ...choices } = wish;
  const given = Object.fromEntries(
    Object.entries(choices).filter(([, value]) => value !== undefined && value !== null),
  );
  const usual = { overlap: usualOverlap(trigger) };
  const read = TaskDefinition.safeParse({ ...usual, ...given, title: wish.title ?? titleOf(wish.action), trigger });
  if (read.success) return requireSense(read.data);
  const [issue] = read.error.issues;
  throw new CallRefused("invalid", `${issue?.path.join(".") || "The task"}: ${issue?.message ?? "not understood"}`);
}

/** Every call and every mail brings something else, so none is left out unless that is asked for. */
function usualOverlap({ kind }: Trigger): TaskDefinition["overlap"] {
  return kind === "webhook" || kind === "mail" ? "wait" : "skip";
}

function requireSense(definition: TaskDefinition): TaskDefinition {
  if (definition.until !== undefined && definition.action.kind === "say")
    throw new CallRefused(
      "invalid",
      "A reminder says its words and looks at nothing: whether something holds can only be told by a task that does something.",
    );
  if (definition.trigger.kind === "file" && definition.overlap === "wait")
    throw new CallRefused(
      "invalid",
      "What changes in a file during a run counts as the run's own work: overlap can only be skip.",
    );
  return definition;
}

const longestTitle = 60;

type Change = Omit<Wish, "action"> & { action?: TaskAction | undefined; when?: string | undefined };

/** What is named is changed, and null takes a choice away. */
export async function readChange(
  deps: Pick<TaskDeps, "world" | "timeZone">,
  definition: TaskDefinition,
  { when, timeZone, ...choices }: Change,
): Promise<TaskDefinition> {
  if (when !== undefined && !isSchedule(definition.trigger))
    throw new CallRefused(
      "invalid",
      "This task begins with an event and not at a time. Make a new one to give it times.",
    );
  const trigger = when === undefined ? inZone(definition.trigger, timeZone) : await readSchedule(deps, when, timeZone);
  const given = Object.entries(choices).filter(([, value]) => value !== undefined);
  return readDefinition({ ...definition, ...Object.fromEntries(given) }, trigger);
}

/** The same times in another zone, where times have one. */
function inZone(trigger: Trigger, timeZone: string | undefined): Trigger {
  if (timeZone === undefined) return trigger;
  if (trigger.kind === "cron") return { ...trigger, timeZone };
  if (trigger.kind !== "every" || trigger.everyMs % dayMs !== 0) return trigger;
  // a zone that there is not is refused with the rest
  if (trigger.timeZone === undefined || !isTimeZone(timeZone)) return { ...trigger, timeZone };
  return { ...trigger, timeZone, fromMs: momentMeant(timeZone, wallAt(trigger.timeZone, trigger.fromMs)) };
}

/** The first words of it. */
function titleOf(action: TaskAction): string {
  const text = action.kind === "do" ? action.prompt : action.text;
  const line = text.trim().split("\n", 1)[0]?.trim() ?? "";
  return line.length > longestTitle ? `${line.slice(0, longestTitle - 1)}…`.toWellFormed() : line;
}

export async function readSchedule(
  deps: Pick<TaskDeps, "world" | "timeZone">,
  when: string,
  timeZone = deps.timeZone,
  bare: "once" | "repeated" = "once",
): Promise<Schedule> {
  const { readWhen } = await import("../schedule/read-when.ts");
  const read = await readWhen(when, { nowMs: deps.world.nowMs(), timeZone, bare });
  if (!read.ok) throw new CallRefused("invalid", read.problem);
  return read.schedule;
}
