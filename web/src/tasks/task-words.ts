// A task in plain words: how it stands, and what it does when something comes in between.
import type { PlannedTask, RunState } from "../../../src/contract/wire/methods/tasks.ts";
import { formatUsd } from "../../../src/contract/words/amounts.ts";
import { visibleLine } from "../../../src/contract/words/visible-line.ts";
import { sourceWords } from "../inbox/approval-words.ts";
import type { IconName } from "../style/icons.ts";
import { withoutMarks } from "../words.ts";
import { formatMoment, showSameClock } from "./time-words.ts";

export type Standing = { text: string; tone: "" | "good" | "warning" | "danger" | "accent"; icon?: IconName };

const underWay: readonly RunState[] = ["queued", "running", "waiting"];

/** Whether a run of it has begun and not ended. */
export function isUnderWay(task: PlannedTask): boolean {
  return task.lastRun !== undefined && underWay.includes(task.lastRun.state);
}

/** Why it cannot be begun by hand right now; undefined when it can. */
export function whyNotNow(task: PlannedTask): string | undefined {
  if (!isUnderWay(task)) return undefined;
  return task.lastRun?.state === "waiting"
    ? "A run waits for your answer. Answer it first."
    : "A run is under way already.";
}

/** What is worth a word beside the title; undefined when all is as it should be. */
export function standingOf(task: PlannedTask): Standing | undefined {
  const state = task.lastRun?.state;
  if (state !== undefined && underWay.includes(state)) return runStanding(state);
  if (task.state === "ended") return { text: endingWords(task.ended), tone: "" };
  if (task.state === "paused") return { text: "Paused", tone: "", icon: "pause" };
  if (state === "failed") return { text: "Last run failed", tone: "danger", icon: "warning" };
  if (state === "missed") return { text: "Last time missed", tone: "warning", icon: "warning" };
  if (state === "skipped") return { text: "Last time left out", tone: "warning" };
  return state === "stopped" ? { text: "Last run stopped", tone: "" } : undefined;
}

const runStandings: Readonly<Record<RunState, Standing>> = {
  queued: { text: "About to run", tone: "accent", icon: "spinner" },
  running: { text: "Running now", tone: "accent", icon: "spinner" },
  waiting: { text: "Waits for your answer", tone: "warning", icon: "inbox" },
  done: { text: "Done", tone: "good", icon: "check" },
  failed: { text: "Failed", tone: "danger", icon: "warning" },
  stopped: { text: "Stopped", tone: "" },
  missed: { text: "Missed", tone: "warning" },
  skipped: { text: "Left out", tone: "warning" },
};

export function runStanding(state: RunState): Standing {
  return runStandings[state];
}

function endingWords(why: string | undefined): string {
  if (why === "cancelled") return "Ended";
  return why === "condition" ? "Ended: it has happened" : why === "expired" ? "Its time has passed" : "Done";
}

export function wordsOf({ action }: Pick<PlannedTask, "action">): string {
  return action.kind === "say" ? action.text : action.prompt;
}

/** What was last answered, or what went wrong, on one line. */
export function lastWords({ lastRun, action }: PlannedTask): string | undefined {
  // a reminder says its own words, which are its title
  if (action.kind === "say" && lastRun?.state !== "failed") return undefined;
  return firstLine((lastRun?.state === "failed" ? lastRun.error : lastRun?.answer) ?? "");
}

/** How a text begins, without the marks of its form; undefined when there is none. */
export function firstLine(text: string): string | undefined {
  const lines = text.split("\n").map((line) => visibleLine(withoutMarks(line), 160));
  return lines.find((line) => /\w/u.test(line) || /\p{L}/u.test(line));
}

/** When, in words that hold where this browser is: the gateway counts in the owner's time zone. */
export function whenWords(task: PlannedTask, here: string, nowMs: number): string {
  const { trigger, when } = task;
  if (trigger.kind === "once")
    return task.nextAtMs === undefined ? `once, ${formatMoment(trigger.atMs, nowMs)}` : "once";
  const isElsewhere = trigger.kind === "cron" && !showSameClock(trigger.timeZone, here, nowMs) && !when.endsWith(")");
  return isElsewhere ? `${when} (${trigger.timeZone})` : when;
}

/** The words of a schedule without the time zone behind them. */
export function plainWhen(when: string): string {
  return when.replace(/ \([A-Za-z]+(?:\/[A-Za-z0-9_+-]+)*\)$/, "");
}

/** The time zone of this browser. */
export const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether it comes more than once. */
function isRecurring({ trigger }: Pick<PlannedTask, "trigger">): boolean {
  return trigger.kind !== "once";
}

const missedWords = {
  once: "runs once, late",
  all: "runs for every time that was missed",
  skip: "leaves out what was missed",
} as const;
const overlapWords = { skip: "leaves this time out", wait: "waits for it, then runs" } as const;

/** What it does when something comes in between, and what bounds it. */
export function policyLines(task: PlannedTask): string[] {
  const isTimed = ["cron", "every", "once"].includes(task.trigger.kind);
  const isDoing = task.action.kind === "do";
  return [
    ...(isTimed ? [`If Steward was off: ${missedWords[task.missed]}`] : []),
    ...(isDoing && isRecurring(task) ? [`If the run before is still under way: ${overlapWords[task.overlap]}`] : []),
    ...(task.until === undefined ? [] : [`Ends when: ${task.until}`]),
    ...(task.deleteAfterRun ? ["Leaves the list after its run"] : []),
    ...(task.budgetUsd === undefined ? [] : [`One run may cost ${formatUsd(task.budgetUsd)} at most`]),
    ...(task.model === undefined ? [] : [`Asks the model ${task.model}`]),
    ...(task.agent === undefined ? [] : [`Is done by the agent ${task.agent}`]),
  ];
}

/** Whose words may be behind it; undefined when it was all the owner's. */
export function originLine(labels: readonly string[]): string | undefined {
  if (labels.length === 0) return undefined;
  const names = new Intl.ListFormat("en", { type: "conjunction" }).format(new Set(labels.map(sourceWords)));
  return `Made while the conversation held text from ${names}.`;
}

/** Where its answers go; `nameOf`: what a conversation is called. */
export function deliveryWords(deliverTo: string, nameOf: (sessionKey: string) => string | undefined): string {
  switch (deliverTo) {
    case "origin":
      return "in the conversation it was made in";
    case "last":
      return "where you last wrote";
    case "main":
      return "in the terminal's conversation";
    case "none":
      return "nowhere: its answers stay on this page";
    default:
      return deliverTo.includes("--")
        ? `in ${nameOf(deliverTo) ?? deliverTo}`
        : `in your last conversation by ${deliverTo}`;
  }
}
