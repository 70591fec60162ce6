import { isBackground, taskOf } from "../../contract/task/task.ts";
import type { Queryable } from "../database/database.ts";

const dayMs = 86_400_000;

/** The day for which a conversation's bits count; 0: for good. */
export function toldDay(conversation: string, atMs: number): number {
  return isBackground(conversation) ? Math.floor(atMs / dayMs) : 0;
}

/**
 * What others can have learnt at most from calls that nobody was asked about: in this conversation, and for a task that the assistant
 * has made, also in the one it was made in and in its other tasks, so that many tasks tell no more in a day than one conversation.
 */
export async function toldBitsOf(db: Queryable, conversation: string, nowMs: number): Promise<number> {
  const group = isBackground(conversation) ? await groupOf(db, conversation) : "";
  const counted = "COALESCE(SUM(CASE WHEN told_day IN (0, ?) THEN told_bits ELSE 0 END), 0) AS bits FROM conversations";
  const today = Math.floor(nowMs / dayMs);
  const rows =
    group === ""
      ? await db.query(`SELECT ${counted} WHERE conversation = ?`, [today, conversation])
      : await db.query(
          `SELECT ${counted} WHERE conversation = ? OR conversation IN (SELECT 'task--' || id FROM tasks WHERE made_in = ?)`,
          [today, group, group],
        );
  return Number(rows[0]?.bits ?? 0);
}

/** The conversation that the task was made in; empty when it was made by a command or a program. */
async function groupOf(db: Queryable, conversation: string): Promise<string> {
  const rows = await db.query("SELECT made_in FROM tasks WHERE id = ?", [taskOf(conversation) ?? ""]);
  return String(rows[0]?.made_in ?? "");
}
