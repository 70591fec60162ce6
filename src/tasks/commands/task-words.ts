// A task and its runs in a person's words, as the command line says them.
import type { TaskAction } from "../../contract/task/task.ts";
import type { PlannedTask, TaskRun } from "../../contract/wire/methods/tasks.ts";
import { count, formatDuration, formatUsd } from "../../contract/words/amounts.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import { dayMs, hourMs, minuteMs, wallAt, wallDay } from "../schedule/zone.ts";

export type Clock = { nowMs: number; timeZone: string };

// so near, hours say more than the name of the day
const soonMs = 6 * hourMs;
const longestTitle = 80;
const longestWhen = 200;

/** "Planned: “Water the plants”, every other day at 08:00. Next: Tue 17 Nov 08:00 (tomorrow)." */
export function plannedWords(task: PlannedTask, clock: Clock, verb = "Planned"): string {
  const { nextAtMs, trigger } = task;
  const named = `${verb}: ${titleWords(task)}`;
  const next = nextAtMs === undefined ? undefined : nextWords(nextAtMs, clock);
  // one moment is its own next time
  if (trigger.kind === "once" && next !== undefined) return `${named}, ${next}.`;
  return `${named}, ${visibleLine(task.when, longestWhen)}.${next === undefined ? "" : ` Next: ${next}.`}`;
}

export function titleWords({ title }: Pick<PlannedTask, "title">): string {
  return `“${visibleLine(title, longestTitle)}”`;
}

/** "Tue 17 Nov 08:00 (tomorrow)" */
export function nextWords(atMs: number, clock: Clock): string {
  return `${momentWords(atMs, clock)} (${untilWords(atMs, clock)})`;
}

/** "due now", "in 2 h 5 min", "tomorrow", "in 4 days": days by the calendar where the owner lives, as on the page. */
function untilWords(atMs: number, { nowMs, timeZone }: Clock): string {
  const left = atMs - nowMs;
  if (left <= 0) return "due now";
  const dayOf = (moment: number) => wallDay(wallAt(timeZone, moment));
  const days = (dayOf(atMs) - dayOf(nowMs)) / dayMs;
  if (days > 0 && left >= soonMs) return days === 1 ? "tomorrow" : `in ${days} days`;
  // seconds matter only at the end
  return `in ${formatDuration(left < minuteMs ? left : Math.round(left / minuteMs) * minuteMs)}`;
}

/** "Tue 17 Nov 08:00", with the year where it is another. */
export function momentWords(atMs: number, { nowMs, timeZone }: Clock): string {
  const { weekday, day, month, year, hour, minute: minutes } = partsOf(atMs, timeZone);
  const otherYear = year === partsOf(nowMs, timeZone).year ? "" : ` ${year}`;
  return `${weekday} ${day} ${month}${otherYear} ${hour}:${minutes}`;
}

function partsOf(atMs: number, timeZone: string): Record<string, string> {
  const format = new Intl.DateTimeFormat("en-GB", {
    ...{ weekday: "short", day: "numeric", month: "short", year: "numeric" },
    ...{ hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
    timeZone,
  });
  return Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
}

export function actionWords(action: TaskAction): string {
  return action.kind === "say" ? `Reminds you: ${action.text}` : `Does: ${action.prompt}`;
}

/** How a task stands; empty when there is nothing to say about it. */
export function stateWords({ state, ended, lastRun }: Pick<PlannedTask, "state" | "ended" | "lastRun">): string {
  if (state === "ended") return ended ?? "ended";
  const run = lastRun?.state;
  const words = run === "running" ? "running" : run === "waiting" ? "waits for your yes" : "";
  const failed = run === "failed" ? "last run failed" : words;
  if (state === "active") return failed;
  return failed === "" ? "paused" : `paused, ${failed}`;
}

export function runRow(run: TaskRun, clock: Clock): string[] {
  return [
    momentWords(run.dueAtMs, clock),
    runStateWords(run),
    tookWords(run),
    run.costUsd === 0 ? "" : formatUsd(run.costUsd),
    visibleLine(run.error ?? run.answer ?? "", 80),
  ];
}

// a reminder takes no time at all
function tookWords({ beganAtMs, finishedAtMs }: TaskRun): string {
  return finishedAtMs === undefined || finishedAtMs <= beganAtMs ? "" : formatDuration(finishedAtMs - beganAtMs);
}

function runStateWords({ state, settled, times }: TaskRun): string {
  if (state === "missed" || state === "skipped") return `${state} ${count(times, "time")}`;
  if (state === "waiting") return "waits for your yes";
  if (state !== "done") return state;
  if (settled === "quiet") return "done, nothing to tell";
  if (settled === "repeated") return "done, as before";
  // one run that stands for times that passed while Steward was not there
  return times > 1 ? `done, for ${count(times, "time")}` : "done";
}
