import { Failure } from "../../contract/failure.ts";
import type { CommandContext } from "../../contract/room/command.ts";
import { isSchedule } from "../../contract/task/task.ts";
import type { GatewayClient } from "../../contract/wire/client.ts";
import type { MethodResult } from "../../contract/wire/method.ts";
import type { PlannedTask, TaskRun } from "../../contract/wire/methods/tasks.ts";
import { alignColumns } from "../../contract/words/align-columns.ts";
import { formatAgo, formatUsd } from "../../contract/words/amounts.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import { shortIds } from "./find-task.ts";
import { actionWords, type Clock, momentWords, nextWords, runRow, stateWords } from "./task-words.ts";

const longestText = 1000;

export function clockOf({ world }: Pick<CommandContext, "world">): Clock {
  return { nowMs: world.nowMs(), timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}

export function printTasks(context: CommandContext, { tasks, total }: MethodResult<"tasks.list">): void {
  const { output } = context.console;
  if (tasks.length === 0)
    return void output.write(
      'Nothing is planned. Plan something: steward tasks add "Water the plants" --remind --when "every other day at 8"\n',
    );
  const ids = shortIds(tasks);
  const clock = clockOf(context);
  const rows = tasks.map((task, index) => [
    ids[index] ?? task.id,
    visibleLine(task.title, 40),
    // its one time stands in the next column
    task.trigger.kind === "once" ? "once" : visibleLine(task.when, 50),
    task.nextAtMs === undefined ? "" : nextWords(task.nextAtMs, clock),
    [stateWords(task), task.group === undefined ? "" : `group ${task.group}`]
      .filter((words) => words !== "")
      .join(", "),
  ]);
  printLines(context, alignColumns([["id", "title", "when", "next", ""], ...rows]));
  if (total > tasks.length) output.write(`and ${total - tasks.length} more\n`);
}

export type Shown = { task: PlannedTask; nextAtMs: readonly number[]; runs: readonly TaskRun[] };

export function printTask(context: CommandContext, { task, nextAtMs, runs }: Shown): void {
  const clock = clockOf(context);
  const isDone = task.action.kind === "do";
  const rows: (readonly [string, string])[] = [
    ["Title", visibleLine(task.title)],
    ["Id", task.id],
    ["Task", visibleLine(actionWords(task.action), longestText)],
    ["When", visibleLine(task.when, longestText)],
    ["State", stateWords(task) || "active"],
    ["Until", visibleLine(task.until ?? "", longestText)],
    ["Answer to", visibleLine(deliveryWords(task))],
    ["Missed", isSchedule(task.trigger) ? missedWords[task.missed] : ""],
    ["Overlap", isDone ? overlapWords[task.overlap] : ""],
    ["Budget", task.budgetUsd === undefined ? "" : `${formatUsd(task.budgetUsd)} a run`],
    ["Model", visibleLine(task.model ?? "")],
    ["Agent", visibleLine(task.agent ?? "")],
    ["Made", `${formatAgo(task.madeAtMs, clock.nowMs)}${task.madeIn === "" ? "" : ` in ${visibleLine(task.madeIn)}`}`],
    ["Group", task.group ?? ""],
    ["Words of", task.labels.length === 0 ? "" : visibleLine(task.labels.join(", "), longestText)],
    ["Runs in", isDone ? visibleLine(task.sessionKey) : ""],
    ...nextAtMs.map((atMs, index) => [index === 0 ? "Next" : "", nextWords(atMs, clock)] as const),
  ];
  printLines(context, alignColumns(rows.filter(([, value]) => value !== "")));
  if (runs.length === 0) return;
  context.console.output.write("\n");
  printRuns(context, runs);
}

export function printRuns(context: CommandContext, runs: readonly TaskRun[]): void {
  const clock = clockOf(context);
  const rows = runs.map((run) => runRow(run, clock));
  printLines(context, alignColumns([["due", "run", "took", "cost", "answer"], ...rows]));
}

export function printPreview(context: CommandContext, preview: MethodResult<"tasks.preview">): void {
  if (!preview.ok) throw new Failure(preview.words);
  const clock = { ...clockOf(context), timeZone: preview.timeZone };
  const times = preview.nextAtMs.map((atMs) => `  ${nextWords(atMs, clock)}`);
  printLines(context, [visibleLine(preview.words, longestText), ...times]);
}

/** The next times of a task as it stands; none while it is paused or when nobody knows them before. */
export async function nextTimes(client: GatewayClient, task: PlannedTask, count = 5): Promise<readonly number[]> {
  const { trigger, nextAtMs } = task;
  if (task.state !== "active" || nextAtMs === undefined) return [];
  const when = trigger.kind === "cron" ? trigger.expression : task.when;
  const isByCalendar = trigger.kind === "cron" || (trigger.kind === "every" && trigger.timeZone !== undefined);
  if (isByCalendar) return (await client.call("tasks.preview", { when, timeZone: trigger.timeZone, count })).nextAtMs;
  if (trigger.kind !== "every") return [nextAtMs];
  return Array.from({ length: count }, (_, index) => nextAtMs + index * trigger.everyMs);
}

/** A run's answer whole, or why there is none. */
export function answerWords(run: TaskRun, clock: Clock): string {
  if (run.state === "waiting") return "It waits for your yes: steward approvals";
  if (run.error !== undefined)
    return `It ended at ${momentWords(run.finishedAtMs ?? clock.nowMs, clock)}: ${run.error}`;
  return run.answer ?? `It is ${run.state}.`;
}

const missedWords = {
  once: "times missed while Steward was off: one run for all",
  all: "times missed while Steward was off: a run for each",
  skip: "times missed while Steward was off: passed by",
} satisfies Record<PlannedTask["missed"], string>;

const overlapWords = {
  skip: "a time that comes while it runs: passed by",
  wait: "a time that comes while it runs: waits for its end",
} satisfies Record<PlannedTask["overlap"], string>;

function deliveryWords({ deliverTo, madeIn }: PlannedTask): string {
  if (deliverTo === "origin" && madeIn !== "") return `where it was made (${madeIn})`;
  if (deliverTo === "origin" || deliverTo === "last") return "where you last spoke";
  if (deliverTo === "none") return "nowhere: it stays with the task";
  return deliverTo;
}

function printLines({ console: { output } }: CommandContext, lines: readonly string[]): void {
  output.write(`${lines.join("\n")}\n`);
}
