// What Steward spends without being spoken to: the heartbeat, and the runs of tasks.
import { html, nothing, type TemplateResult } from "lit";
import { costWords } from "../../../src/contract/conversation/spending.ts";
import type { UsageRow } from "../../../src/contract/wire/method.ts";
import { lastDays } from "../../../src/contract/words/calendar.ts";
import { taskOf } from "../words.ts";
import { rowsOn } from "./usage-days.ts";
import { type Figures, sumUp } from "./usage-figures.ts";

export const heartbeatKey = "heartbeat--main";
export const tidyKey = "heartbeat--tidy";
const days = 7;

export type BackgroundUsage = {
  heartbeatToday: string;
  /** On an average day of the last week. */
  heartbeatDaily: string;
  /** Which part of the last week's money tasks have spent; undefined while nothing was. */
  tasksShare: number | undefined;
};

/** Undefined when nothing of it was ever spent and the heartbeat is off. */
export function readBackground(
  rows: readonly UsageRow[],
  today: string,
  settings: Readonly<Record<string, unknown>>,
): BackgroundUsage | undefined {
  const beats = rows.filter((row) => row.sessionKey === heartbeatKey);
  const week = rowsOn(rows, lastDays(today, days));
  const ofTasks = week.filter((row) => taskOf(row.sessionKey) !== undefined);
  if (beats.length === 0 && ofTasks.length === 0 && !isHeartbeatOn(settings)) return undefined;
  const beatsOfWeek = sumUp(rowsOn(beats, lastDays(today, days)));
  return {
    heartbeatToday: wordsOf(sumUp(rowsOn(beats, [today])), 1),
    heartbeatDaily: wordsOf(beatsOfWeek, days),
    tasksShare: shareOf(sumUp(ofTasks), sumUp(week)),
  };
}

export function renderBackground(
  rows: readonly UsageRow[],
  today: string,
  settings: Readonly<Record<string, unknown>>,
): TemplateResult | typeof nothing {
  const usage = readBackground(rows, today, settings);
  if (!usage) return nothing;
  return html`<section class="card background" aria-label="Without being spoken to">
    <p><strong>Heartbeat: ${usage.heartbeatDaily} a day</strong> on average, ${usage.heartbeatToday} today</p>
    ${usage.tasksShare === undefined ? nothing : html`<p>Tasks: ${Math.round(usage.tasksShare * 100)} % of what the last ${days} days cost</p>`}
    <a href="/tasks">Tasks</a>
  </section>`;
}

function isHeartbeatOn({ heartbeat }: Readonly<Record<string, unknown>>): boolean {
  return typeof heartbeat === "object" && heartbeat !== null && Reflect.get(heartbeat, "enabled") === true;
}

/** "3,120 tokens, $0.004" */
function wordsOf({ inputTokens, outputTokens, costUsd, unpriced }: Figures, over: number): string {
  const tokens = Math.round((inputTokens + outputTokens) / over);
  const cost = tokens === 0 ? "" : `, ${costWords(costUsd / over, unpriced)}`;
  return `${tokens.toLocaleString("en-US")} tokens${cost}`;
}

function shareOf(part: Figures, whole: Figures): number | undefined {
  return whole.costUsd > 0 ? part.costUsd / whole.costUsd : undefined;
}
