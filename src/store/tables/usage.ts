import type { Event } from "../../contract/event.ts";
import type { ModelCall } from "../../contract/model.ts";
import { UsageRow } from "../../contract/wire/method.ts";
import type { Calendar } from "../../contract/words/calendar.ts";
import type { Queryable, Row } from "../database/database.ts";
import { fieldsOf } from "../database/rows.ts";
import { readEvent } from "../log/event-row.ts";

/** `2026-11-15T23:45`: small enough to be put together to days of any time zone. */
export function quarterOf(atMs: number): string {
  const quarterMs = 900_000;
  return new Date(Math.floor(atMs / quarterMs) * quarterMs).toISOString().slice(0, 16);
}

/** By the owner's days, newest first. */
export async function listUsage(
  db: Queryable,
  calendar: Calendar,
  { sinceMs, conversation }: { sinceMs: number; conversation?: string | undefined },
): Promise<readonly UsageRow[]> {
  const sinceDay = calendar(sinceMs);
  const rows = await db.query(
    `SELECT * FROM usage WHERE quarter >= ? ${conversation === undefined ? "" : "AND conversation = ?"}
     ORDER BY quarter DESC, model, conversation`,
    [quarterOf(Math.max(0, sinceMs - longestDayMs)), ...(conversation === undefined ? [] : [conversation])],
  );
  const days = new Map<string, UsageRow>();
  for (const row of rows.map((one) => readUsage(one, calendar))) {
    if (row.day < sinceDay) continue;
    const key = JSON.stringify([row.day, row.model, row.sessionKey]);
    const same = days.get(key);
    days.set(key, same ? addUp(same, row) : row);
  }
  return [...days.values()].sort((one, other) => sortKey(other.day, one.day) || sortKey(one.model, other.model));
}

export type Spent = { todayUsd: number; conversationUsd: number };

export async function readSpent(
  db: Queryable,
  calendar: Calendar,
  { nowMs, conversation }: { nowMs: number; conversation: string },
): Promise<Spent> {
  const recent = await db.query(
    "SELECT quarter, SUM(cost_usd) AS cost_usd FROM usage WHERE quarter >= ? GROUP BY quarter",
    [quarterOf(Math.max(0, nowMs - longestDayMs))],
  );
  const [whole] = await db.query("SELECT COALESCE(SUM(cost_usd), 0) AS spent FROM usage WHERE conversation = ?", [
    conversation,
  ]);
  const ofToday = recent.filter((row) => calendar(startOf(String(row.quarter))) === calendar(nowMs));
  const todayUsd = ofToday.reduce((sum, row) => sum + Number(row.cost_usd), 0);
  return { todayUsd, conversationUsd: Number(whole?.spent) };
}

/** What models have cost in a turn so far. */
export async function readTurnSpentUsd(db: Queryable, turn: string): Promise<number> {
  const rows = await db.query(
    "SELECT * FROM events WHERE turn = ? AND type IN ('step.finished', 'conversation.compacted', 'tool.returned', 'model.called')",
    [turn],
  );
  return rows
    .map(readEvent)
    .flatMap(modelCallsOf)
    .reduce((sum, call) => sum + (call.costUsd ?? 0), 0);
}

/** Every call of a model that the event tells of. */
export function modelCallsOf(event: Event): readonly ModelCall[] {
  if (event.type === "tool.returned") return event.modelCalls ?? [];
  return event.type === "step.finished" || event.type === "conversation.compacted" || event.type === "model.called"
    ? [event]
    : [];
}

// the day on which clocks are put back
const longestDayMs = 25 * 3_600_000;

function startOf(quarter: string): number {
  return Date.parse(`${quarter}Z`);
}

function readUsage(row: Row, calendar: Calendar): UsageRow {
  const fields = fieldsOf(row);
  const day = calendar(startOf(String(fields.quarter)));
  return UsageRow.parse({ ...fields, day, sessionKey: fields.conversation, usage: fields });
}

function addUp(one: UsageRow, other: UsageRow): UsageRow {
  const { usage } = one;
  return {
    ...one,
    calls: one.calls + other.calls,
    usage: {
      inputTokens: usage.inputTokens + other.usage.inputTokens,
      outputTokens: usage.outputTokens + other.usage.outputTokens,
      cacheReadTokens: usage.cacheReadTokens + other.usage.cacheReadTokens,
      cacheWriteTokens: usage.cacheWriteTokens + other.usage.cacheWriteTokens,
    },
    costUsd: one.costUsd + other.costUsd,
    unpriced: one.unpriced + other.unpriced,
    durationMs: one.durationMs + other.durationMs,
  };
}

function sortKey(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
