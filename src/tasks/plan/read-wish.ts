// What a client or the assistant asks for becomes a definition, or a refusal in words.
import { type Schedule, type TaskAction, TaskDefinition, type Trigger } from "../../contract/task/task.ts";
import { CallRefused } from "../../contract/wire/client.ts";
import type { TaskDeps } from "../task-deps.ts";

export type Wish = { action: TaskAction; title?: string | undefined; timeZone?: string | undefined } & Partial<
  Record<"until" | "deliverTo" | "missed" | "overlap" | "deleteAfterRun" | "budgetUsd" | "model" | "agent", unknown>
>;

export function readDefinition(wish: Wish, trigger: Trigger): TaskDefinition {
  const { timeZone: _, ...choices } = wish;
  const given = Object.fromEntries(
    Object.entries(choices).filter(([, value]) => value !== undefined && value !== null),
  );
  const read = TaskDefinition.safeParse({ ...given, title: wish.title ?? titleOf(wish.action), trigger });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new CallRefused("invalid", `${issue?.path.join(".") || "The task"}: ${issue?.message ?? "not understood"}`);
}

const longestTitle = 60;

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
