import type { Event } from "../../contract/event.ts";
import type { ModelCall } from "../../contract/model.ts";
import { UsageRow } from "../../contract/wire/method.ts";
import type { Queryable, Row } from "../database/database.ts";
import { fieldsOf } from "../database/rows.ts";
import { readEvent } from "../log/event-row.ts";

export async function listUsage(
  db: Queryable,
  sinceDay: string,
  conversation: string | undefined,
): Promise<readonly UsageRow[]> {
  const rows = await db.query("SELECT * FROM usage WHERE day >= ? ORDER BY day DESC, model, conversation", [sinceDay]);
  return rows.filter((row) => !conversation || row.conversation === conversation).map(readUsage);
}

export type Spent = { todayUsd: number; conversationUsd: number };

export async function readSpent(db: Queryable, day: string, conversation: string): Promise<Spent> {
  const [row] = await db.query(
    `SELECT (SELECT COALESCE(SUM(cost_usd), 0) FROM usage WHERE day = ?) AS today,
            (SELECT COALESCE(SUM(cost_usd), 0) FROM usage WHERE conversation = ?) AS conversation`,
    [day, conversation],
  );
  return { todayUsd: Number(row?.today), conversationUsd: Number(row?.conversation) };
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

function readUsage(row: Row): UsageRow {
  const fields = fieldsOf(row);
  return UsageRow.parse({ ...fields, sessionKey: fields.conversation, usage: fields });
}
