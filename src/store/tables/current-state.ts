// What is open now, read from the folded tables: the waiting room, the turns under way, the questions nobody has answered.
import type { OpenApproval, Session, UsageRow } from "../../contract/method.ts";
import { ThinkingLevel } from "../../contract/model.ts";
import type { Database, Queryable, Row } from "../database/database.ts";
import type { EventLog } from "../log/event-log.ts";
import { readEvent } from "../log/event-row.ts";
import { readLabels } from "./fold-into-tables.ts";

export type ConversationState = {
  conversation: string;
  title: string;
  messages: number;
  lastAtMs: number;
  lastSeq: number;
  model: string | undefined;
  thinking: ThinkingLevel | undefined;
  agent: string | undefined;
  compactedSeq: number;
  /** Where untrusted text in this conversation came from. */
  labels: readonly string[];
};
export type OpenTurn = { turn: string; conversation: string; startedSeq: number; state: "running" | "waiting" };

export async function conversationState(db: Queryable, conversation: string): Promise<ConversationState | undefined> {
  const rows = await db.query("SELECT * FROM conversations WHERE conversation = ?", [conversation]);
  return rows[0] && readConversation(rows[0]);
}

export async function waitingMessages(db: Queryable, conversation: string): Promise<readonly number[]> {
  const rows = await db.query("SELECT seq FROM inbox WHERE conversation = ? ORDER BY seq", [conversation]);
  return rows.map((row) => Number(row.seq));
}

/** Every conversation in which something is left to do: a message nobody has taken, or a turn that may go on. */
export async function unfinishedConversations(db: Queryable): Promise<readonly string[]> {
  const rows = await db.query(
    "SELECT conversation FROM inbox UNION SELECT conversation FROM open_turns WHERE state = 'running' ORDER BY conversation",
  );
  return rows.map((row) => String(row.conversation));
}

export async function openTurnOf(db: Queryable, conversation: string): Promise<OpenTurn | undefined> {
  const rows = await db.query("SELECT * FROM open_turns WHERE conversation = ? ORDER BY started_seq LIMIT 1", [
    conversation,
  ]);
  return rows[0] && readTurn(rows[0]);
}

export type OpenApprovalRow = {
  approvalId: string;
  conversation: string;
  turn: string;
  callId: string;
  askedSeq: number;
  expiresAtMs: number;
};

export async function findOpenApproval(db: Queryable, approvalId: string): Promise<OpenApprovalRow | undefined> {
  const rows = await db.query("SELECT * FROM open_approvals WHERE approval_id = ?", [approvalId]);
  return rows[0] && readApprovalRow(rows[0]);
}

export async function openApprovalsOfTurn(db: Queryable, turn: string): Promise<readonly OpenApprovalRow[]> {
  return (await db.query("SELECT * FROM open_approvals WHERE turn = ? ORDER BY asked_seq", [turn])).map(
    readApprovalRow,
  );
}

export async function expiredApprovals(db: Queryable, nowMs: number): Promise<readonly OpenApprovalRow[]> {
  return (await db.query("SELECT * FROM open_approvals WHERE expires_at_ms <= ? ORDER BY asked_seq", [nowMs])).map(
    readApprovalRow,
  );
}

export async function nextApprovalExpiryMs(db: Queryable): Promise<number | undefined> {
  const value = (await db.query("SELECT MIN(expires_at_ms) AS at FROM open_approvals"))[0]?.at;
  return value === null || value === undefined ? undefined : Number(value);
}

export async function listSessions(db: Queryable): Promise<readonly Session[]> {
  const rows = await db.query(
    `SELECT conversations.*, open_turns.state AS turn_state FROM conversations
     LEFT JOIN open_turns ON open_turns.conversation = conversations.conversation
     ORDER BY conversations.last_seq DESC`,
  );
  return rows.map(readSession);
}

export async function findSession(db: Queryable, conversation: string): Promise<Session | undefined> {
  const rows = await db.query(
    `SELECT conversations.*, open_turns.state AS turn_state FROM conversations
     LEFT JOIN open_turns ON open_turns.conversation = conversations.conversation
     WHERE conversations.conversation = ?`,
    [conversation],
  );
  return rows[0] && readSession(rows[0]);
}

export async function listOpenApprovals(db: Database): Promise<readonly OpenApproval[]> {
  const rows = await db.query(
    "SELECT events.* FROM open_approvals JOIN events ON events.seq = open_approvals.asked_seq ORDER BY events.seq",
  );
  return rows.flatMap((row) => {
    const event = readEvent(row);
    if (event.type !== "approval.asked") return [];
    const { approvalId, conversation, turn, tool, display, reason, labels, atMs, expiresAtMs } = event;
    return [
      { approvalId, sessionKey: conversation, turn, tool, display, reason, labels, askedAtMs: atMs, expiresAtMs },
    ];
  });
}

export async function listUsage(
  db: Queryable,
  sinceDay: string,
  conversation: string | undefined,
): Promise<readonly UsageRow[]> {
  const rows = await db.query("SELECT * FROM usage WHERE day >= ? ORDER BY day DESC, model, conversation", [sinceDay]);
  return rows.filter((row) => !conversation || row.conversation === conversation).map(readUsage);
}

export async function isGranted(db: Queryable, binding: string): Promise<boolean> {
  return (await db.query("SELECT binding FROM grants WHERE binding = ?", [binding])).length > 0;
}

/** The labels of one file, or of every labelled file when none is named. */
export async function fileLabels(db: Queryable, path?: string): Promise<readonly string[]> {
  const rows =
    path === undefined
      ? await db.query("SELECT labels FROM file_labels")
      : await db.query("SELECT labels FROM file_labels WHERE path = ?", [path]);
  return [...new Set(rows.flatMap((row) => readLabels(row.labels)))];
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

/** Where a message waits or is being answered; undefined when it is over or was never there. */
export async function conversationOfMessage(
  db: Queryable,
  log: Pick<EventLog, "at" | "ofTurn">,
  messageId: string,
): Promise<string | undefined> {
  const [waiting] = await db.query("SELECT conversation FROM inbox WHERE message_id = ?", [messageId]);
  if (waiting) return String(waiting.conversation);
  for (const row of await db.query("SELECT * FROM open_turns")) {
    const { turn, conversation } = readTurn(row);
    const taken = (await log.ofTurn(turn)).flatMap((event) =>
      event.type === "turn.started" || event.type === "turn.steered" ? event.messages : [],
    );
    const messages = await log.at(taken);
    if (messages.some((event) => event.type === "message.received" && event.messageId === messageId))
      return conversation;
  }
  return undefined;
}

export type Counts = { conversations: number; working: number; waitingApprovals: number };

export async function countOpen(db: Queryable): Promise<Counts> {
  const row = (
    await db.query(
      `SELECT (SELECT COUNT(*) FROM conversations) AS conversations,
              (SELECT COUNT(*) FROM open_turns WHERE state = 'running') AS working,
              (SELECT COUNT(*) FROM open_approvals) AS waiting`,
    )
  )[0];
  return {
    conversations: Number(row?.conversations),
    working: Number(row?.working),
    waitingApprovals: Number(row?.waiting),
  };
}

export type Cursor = { seq: number; detail: string };

export async function readCursor(db: Queryable, name: string): Promise<Cursor> {
  const row = (await db.query("SELECT seq, detail FROM cursors WHERE name = ?", [name]))[0];
  return { seq: Number(row?.seq ?? 0), detail: String(row?.detail ?? "") };
}

export async function writeCursor(db: Database, name: string, cursor: Cursor): Promise<void> {
  await db.transaction(false, (tx) =>
    tx.query(
      "INSERT INTO cursors (name, seq, detail) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET seq = excluded.seq, detail = excluded.detail",
      [name, cursor.seq, cursor.detail],
    ),
  );
}

function readConversation(row: Row): ConversationState {
  return {
    conversation: String(row.conversation),
    title: String(row.title),
    messages: Number(row.messages),
    lastAtMs: Number(row.last_at_ms),
    lastSeq: Number(row.last_seq),
    model: row.model === null ? undefined : String(row.model),
    thinking: ThinkingLevel.optional()
      .catch(undefined)
      .parse(row.thinking ?? undefined),
    agent: row.agent === null ? undefined : String(row.agent),
    compactedSeq: Number(row.compacted_seq),
    labels: readLabels(row.labels),
  };
}

function readSession(row: Row): Session {
  const { conversation, compactedSeq: _, labels: __, ...state } = readConversation(row);
  const working = row.turn_state === "running" ? "working" : "idle";
  return { ...state, sessionKey: conversation, state: row.turn_state === "waiting" ? "waiting" : working };
}

function readTurn(row: Row): OpenTurn {
  return {
    turn: String(row.turn),
    conversation: String(row.conversation),
    startedSeq: Number(row.started_seq),
    state: row.state === "waiting" ? "waiting" : "running",
  };
}

function readApprovalRow(row: Row): OpenApprovalRow {
  return {
    approvalId: String(row.approval_id),
    conversation: String(row.conversation),
    turn: String(row.turn),
    callId: String(row.call_id),
    askedSeq: Number(row.asked_seq),
    expiresAtMs: Number(row.expires_at_ms),
  };
}

function readUsage(row: Row): UsageRow {
  return {
    day: String(row.day),
    model: String(row.model),
    sessionKey: String(row.conversation),
    calls: Number(row.calls),
    usage: {
      inputTokens: Number(row.input_tokens),
      outputTokens: Number(row.output_tokens),
      cacheReadTokens: Number(row.cache_read_tokens),
      cacheWriteTokens: Number(row.cache_write_tokens),
    },
    costUsd: Number(row.cost_usd),
    unpriced: Number(row.unpriced),
    durationMs: Number(row.duration_ms),
  };
}
