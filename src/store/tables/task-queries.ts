// Tasks as the log knows them: a message, the turn that took it, and what happened in that turn from then on.
import { z } from "zod";
import type { AttachmentRef } from "../../contract/attachment.ts";
import type { Event, EventOf } from "../../contract/event.ts";
import { taskConversation } from "../../contract/task/task.ts";
import type { Queryable, Row } from "../database/database.ts";
import { rowReader } from "../database/rows.ts";
import { readEvent } from "../log/event-row.ts";

export type TaskMessage = EventOf<"message.received"> | EventOf<"message.refused">;
export type Taking = EventOf<"turn.started"> | EventOf<"turn.steered">;
export type OpenQuestion = EventOf<"approval.asked">;

const messageTypes = "type IN ('message.received', 'message.refused')";
const pageSize = 50;

/** The id is the first word of a message's body, which is what the index `events_by_message` holds. */
export async function findTaskMessage(db: Queryable, id: string): Promise<TaskMessage | undefined> {
  const start = `{"messageId":${JSON.stringify(id)}`;
  // a quotation mark is the last character of the start; the next one in the alphabet ends the range
  const rows = await db.query(
    `SELECT * FROM events WHERE ${messageTypes} AND substr(body, 1, 60) >= ? AND substr(body, 1, 60) < ?`,
    [start.slice(0, 60), `${start.slice(0, -1)}#`],
  );
  return rows.flatMap(readMessage).find((message) => message.messageId === id && !isBlank(message));
}

export async function messageAt(db: Queryable, seq: number): Promise<TaskMessage | undefined> {
  return (await db.query("SELECT * FROM events WHERE seq = ?", [seq])).flatMap(readMessage)[0];
}

export async function findMessageByKey(db: Queryable, idempotencyKey: string): Promise<TaskMessage | undefined> {
  return onlyMessages(await eventByKey(db, idempotencyKey))[0];
}

/** The first event that was appended under this key. */
export async function eventByKey(db: Queryable, idempotencyKey: string): Promise<Event | undefined> {
  const rows = await db.query(
    "SELECT events.* FROM idempotency_keys JOIN events ON events.seq = idempotency_keys.seq WHERE idempotency_keys.key = ?",
    [idempotencyKey],
  );
  return rows.map(readEvent)[0];
}

/** Newest first, with what deleted conversations have left. */
export async function listTaskMessages(
  db: Queryable,
  page: { beforeSeq: number; limit: number; conversation: string | undefined },
): Promise<readonly TaskMessage[]> {
  const within = inConversation(page.conversation);
  const rows = await db.query(
    `SELECT * FROM events WHERE ${within.sql}${messageTypes} AND seq < ? ORDER BY seq DESC LIMIT ?`,
    [...within.values, page.beforeSeq, page.limit],
  );
  return rows.flatMap(readMessage);
}

/** The event by which a turn took the message; undefined while it waits. */
export async function findTaking(db: Queryable, message: TaskMessage): Promise<Taking | undefined> {
  const waits = await db.query("SELECT seq FROM inbox WHERE seq = ?", [message.seq]);
  if (waits.length > 0 || message.type === "message.refused") return undefined;
  for (let seq = message.seq; ; ) {
    const rows = await db.query(
      "SELECT * FROM events WHERE conversation = ? AND seq > ? AND type IN ('turn.started', 'turn.steered') ORDER BY seq LIMIT ?",
      [message.conversation, seq, pageSize],
    );
    for (const event of rows.map(readEvent)) {
      if (event.type !== "turn.started" && event.type !== "turn.steered") continue;
      if (event.messages.includes(message.seq)) return event;
      seq = event.seq;
    }
    if (rows.length < pageSize) return undefined;
  }
}

/** The event by which somebody took the message back before its turn. */
export async function findWithdrawal(
  db: Queryable,
  message: TaskMessage,
): Promise<EventOf<"message.withdrawn"> | undefined> {
  const rows = await db.query(
    "SELECT * FROM events WHERE conversation = ? AND seq > ? AND type = 'message.withdrawn' ORDER BY seq",
    [message.conversation, message.seq],
  );
  return rows
    .map(readEvent)
    .flatMap((event) => (event.type === "message.withdrawn" && event.message === message.seq ? [event] : []))[0];
}

/** What happened in a planned task's conversation and what its reminders have said, oldest first, some at a time. */
export async function plannedPage(
  db: Queryable,
  task: string,
  page: { afterSeq: number; limit: number },
): Promise<readonly Event[]> {
  const rows = await db.query(
    `SELECT * FROM events WHERE conversation = ? AND seq > ?
     UNION ALL
     SELECT events.* FROM task_runs JOIN events ON events.seq = task_runs.began_seq
     WHERE task_runs.task = ? AND task_runs.began_seq > ? AND task_runs.id LIKE 'said:%' AND events.conversation <> ?
     ORDER BY seq LIMIT ?`,
    [taskConversation(task), page.afterSeq, task, page.afterSeq, taskConversation(task), page.limit],
  );
  return rows.map(readEvent);
}

/** The last event of a planned task that is over with all its runs; undefined while something may come. */
export async function plannedEndSeq(db: Queryable, task: string): Promise<number | undefined> {
  const [open] = await db.query(
    `SELECT 1 FROM tasks WHERE id = ? AND state <> 'ended'
     UNION ALL SELECT 1 FROM task_runs WHERE task = ? AND state IN ('queued', 'running', 'waiting') LIMIT 1`,
    [task, task],
  );
  if (open) return undefined;
  const [row] = await db.query(
    "SELECT MAX(seq) AS seq FROM events WHERE conversation = ? AND type IN ('task.ended', 'turn.finished', 'message.withdrawn')",
    [taskConversation(task)],
  );
  return Number(row?.seq ?? 0);
}

/** What happened in the turn after the given number, oldest first, some at a time. */
export async function turnPage(db: Queryable, turn: string, afterSeq: number): Promise<readonly Event[]> {
  const sql = "SELECT * FROM events WHERE turn = ? AND seq > ? ORDER BY seq LIMIT ?";
  return (await db.query(sql, [turn, afterSeq, pageSize])).map(readEvent);
}

/** What decides how a task stands; the outputs of its tools are not among it. */
export async function milestones(db: Queryable, taking: Taking): Promise<readonly Event[]> {
  const rows = await db.query(
    `SELECT * FROM events WHERE turn = ? AND seq >= ? AND type IN ('turn.started', 'turn.steered', 'step.finished', 'turn.waiting',
       'turn.stop_requested', 'approval.asked', 'approval.answered', 'reply.written', 'turn.finished') ORDER BY seq`,
    [taking.turn, taking.seq],
  );
  return rows.map(readEvent);
}

const questions = "SELECT events.* FROM open_approvals JOIN events ON events.seq = open_approvals.asked_seq";

export async function openQuestions(db: Queryable): Promise<readonly OpenQuestion[]> {
  return (await db.query(`${questions} ORDER BY events.seq`)).flatMap(readQuestion);
}

/** By the name of the call or of the question; models may give two calls the same name. */
export async function findOpenQuestions(db: Queryable, callOrApprovalId: string): Promise<readonly OpenQuestion[]> {
  const rows = await db.query(
    `${questions} WHERE open_approvals.call_id = ? OR open_approvals.approval_id = ? ORDER BY events.seq`,
    [callOrApprovalId, callOrApprovalId],
  );
  return rows.flatMap(readQuestion);
}

/** The newest event that carries these bytes says what they are; looked for from the end, where people look. */
export async function findAttachment(
  db: Queryable,
  sha256: string,
  conversation: string | undefined,
): Promise<AttachmentRef | undefined> {
  const carried = "type IN ('message.received', 'tool.returned', 'reply.written') AND body LIKE ?";
  const words = `%"sha256":"${sha256}","mediaType":%`;
  const within = inConversation(conversation);
  const sql = `SELECT * FROM events WHERE ${within.sql}${carried} ORDER BY seq DESC LIMIT 1`;
  const rows = await db.query(sql, [...within.values, words]);
  return rows
    .map(readEvent)
    .flatMap((event) => ("attachments" in event ? event.attachments : []))
    .find((ref) => ref.sha256 === sha256);
}

function inConversation(conversation: string | undefined): { sql: string; values: readonly string[] } {
  return conversation === undefined
    ? { sql: "", values: [] }
    : { sql: "conversation = ? AND ", values: [conversation] };
}

const count = z.number();
const OpenCounts = z.object({ waitingMessages: count, runningTurns: count, waitingTurns: count, openApprovals: count });
export type OpenCounts = z.infer<typeof OpenCounts>;

export async function countOpenWork(db: Queryable): Promise<OpenCounts> {
  const [row = {}] = await db.query(
    `SELECT (SELECT COUNT(*) FROM inbox) AS waiting_messages,
            (SELECT COUNT(*) FROM open_turns WHERE state = 'running') AS running_turns,
            (SELECT COUNT(*) FROM open_turns WHERE state = 'waiting') AS waiting_turns,
            (SELECT COUNT(*) FROM open_approvals) AS open_approvals`,
  );
  return rowReader(OpenCounts)(row);
}

const ModelTotals = z.object({
  model: z.string(),
  calls: count,
  inputTokens: count,
  outputTokens: count,
  costUsd: count,
});
export type ModelTotals = z.infer<typeof ModelTotals>;

/** Everything that models have ever been asked, by model. */
export async function modelTotals(db: Queryable): Promise<readonly ModelTotals[]> {
  const rows = await db.query(
    `SELECT model, SUM(calls) AS calls, SUM(input_tokens) AS input_tokens, SUM(output_tokens) AS output_tokens,
            SUM(cost_usd) AS cost_usd
     FROM usage GROUP BY model ORDER BY model`,
  );
  return rows.map(rowReader(ModelTotals));
}

/** What was said in a deleted conversation is gone, and a message without words is nobody's task. */
export function isBlank(message: TaskMessage): boolean {
  return message.text === "" && (message.type === "message.refused" || message.attachments.length === 0);
}

function readMessage(row: Row): readonly TaskMessage[] {
  return onlyMessages(readEvent(row));
}

function onlyMessages(event: Event | undefined): readonly TaskMessage[] {
  return event?.type === "message.received" || event?.type === "message.refused" ? [event] : [];
}

function readQuestion(row: Row): readonly OpenQuestion[] {
  const event = readEvent(row);
  return event.type === "approval.asked" ? [event] : [];
}
