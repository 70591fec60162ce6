// Tasks in the words of the assistant's tools.
import type { ToolContext } from "../../contract/tool.ts";
import type { TaskRun } from "../../contract/wire/methods/tasks.ts";
import { findGroup } from "../../store/channels/find-group.ts";
import { openRuns, type StoredTask } from "../../store/tasks/tasks.ts";
import { triggerWords } from "../plan/shown-task.ts";
import { momentWords } from "../run/run-words.ts";
import type { TaskDeps } from "../task-deps.ts";

const notStaying =
  "Nothing of Steward runs once this command has ended. Keep a chat open, or run it as a service (steward service install), or it is said late.";

export async function plannedWords(deps: TaskDeps, task: StoredTask): Promise<string> {
  const { timeZone, world, stays } = deps;
  const { action, trigger, title } = task.definition;
  const what = action.kind === "say" ? `I will remind you: ${action.text}` : `Planned: ${title}`;
  const next = task.nextAtMs === undefined ? "" : nextWords(task.nextAtMs, timeZone, world.nowMs());
  const when = trigger.kind === "once" ? next : `${await triggerWords(deps, trigger)}; next ${next}`;
  return [what, `When: ${when} (${task.id})`, ...(stays ? [] : [notStaying])].join("\n");
}

/** With the year once it is another one. */
function nextWords(atMs: number, timeZone: string, nowMs: number): string {
  const year = (ms: number) => new Intl.DateTimeFormat("en-GB", { year: "numeric", timeZone }).format(ms);
  return `${momentWords(atMs, timeZone)}${year(atMs) === year(nowMs) ? "" : ` ${year(atMs)}`}`;
}

/**
 * `t1a2b3c4d5e  Water the plants — every day at 08:00; next Tue 17 Nov 08:00`, and how it stands, if that is not as usual. To whom
 * is no group themselves, it says to which one it belongs.
 */
export async function lineOf(
  deps: TaskDeps,
  task: StoredTask,
  { group: here }: Pick<ToolContext, "group">,
): Promise<string> {
  const { id, definition, nextAtMs } = task;
  const { trigger } = definition;
  const [open] = await openRuns(deps.database, id);
  const state = open ? (open.state === "waiting" ? "waits for an answer" : open.state) : task.state;
  const words = (atMs: number) => nextWords(atMs, deps.timeZone, deps.world.nowMs());
  // one moment is its own next time
  const when = trigger.kind === "once" ? words(trigger.atMs) : await triggerWords(deps, trigger);
  const next =
    nextAtMs === undefined || task.state !== "active" || trigger.kind === "once" ? "" : `; next ${words(nextAtMs)}`;
  const group = here ? undefined : await findGroup(deps.database, task.madeIn);
  const whose = group ? `; group ${group.name}` : "";
  return `${id}  ${definition.title} — ${when}${next}${state === "active" ? "" : `; ${state}`}${whose}`;
}

const longestAnswer = 300;

export function runLine(run: TaskRun, timeZone: string): string {
  const words = (run.error ?? run.answer ?? "").trim().replace(/\s+/g, " ");
  const shown = words.length > longestAnswer ? `${words.slice(0, longestAnswer - 1)}…`.toWellFormed() : words;
  const times = run.times > 1 ? ` ×${run.times}` : "";
  return `${momentWords(run.dueAtMs, timeZone)}  ${run.state}${times}${run.settled ? ` (${run.settled})` : ""}${shown === "" ? "" : `: ${shown}`}`;
}
