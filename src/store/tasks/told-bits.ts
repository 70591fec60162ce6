import { isBackground, taskConversation } from "../../contract/task/task.ts";
import type { Queryable } from "../database/database.ts";
import { findTask } from "./tasks.ts";

/**
 * What others can have learnt at most from calls that nobody was asked about: in this conversation, and for a task that the assistant
 * has made, also in the one it was made in and in its other tasks, so that many tasks tell no more than one conversation.
 */
export async function toldBitsOf(db: Queryable, conversation: string): Promise<number> {
  const task = isBackground(conversation)
    ? await findTask(db, conversation.slice(taskConversation("").length))
    : undefined;
  const group = task?.madeIn ?? "";
  const rows =
    group === ""
      ? await db.query("SELECT told_bits AS bits FROM conversations WHERE conversation = ?", [conversation])
      : await db.query(
          `SELECT SUM(told_bits) AS bits FROM conversations
           WHERE conversation = ? OR conversation IN (SELECT 'task--' || id FROM tasks WHERE made_in = ?)`,
          [group, group],
        );
  return Number(rows[0]?.bits ?? 0);
}
