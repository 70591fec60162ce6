// The fold of the log into small tables that answer "what is open now" without reading history.
import { z } from "zod";
import { isFollowed } from "../../contract/conversation-key.ts";
import { type Event, type EventOf, installationKey } from "../../contract/event.ts";
import type { ModelCall } from "../../contract/model.ts";
import type { Queryable, Row } from "../database/database.ts";
import { blankEvent } from "../log/blank-event.ts";
import { eventBody, readEvent } from "../log/event-row.ts";
import { modelCallsOf } from "./usage.ts";

export const currentStateTables = [
  "conversations",
  "inbox",
  "open_turns",
  "open_approvals",
  "outbox",
  "usage",
  "grants",
  "file_labels",
] as const;

/** Runs in the transaction that appends the event, so the tables and the log never disagree. */
export async function foldIntoTables(tx: Queryable, event: Event): Promise<void> {
  if (event.conversation !== installationKey) await foldConversation(tx, event);
  switch (event.type) {
    case "message.received":
      await tx.query("INSERT INTO inbox (seq, conversation, message_id) VALUES (?, ?, ?)", [
        event.seq,
        event.conversation,
        event.messageId,
      ]);
      if (event.sender.kind === "group" || event.sender.kind === "stranger") {
        await addLabels(tx, event.conversation, [`person:${event.sender.id}`]);
      }
      return;
    case "turn.started":
      await tx.query("INSERT INTO open_turns (turn, conversation, started_seq, state) VALUES (?, ?, ?, 'running')", [
        event.turn,
        event.conversation,
        event.seq,
      ]);
      return takeFromInbox(tx, event.messages);
    case "turn.steered":
      return takeFromInbox(tx, event.messages);
    case "turn.waiting":
      await setTurnState(tx, event.turn, "waiting");
      return;
    case "turn.finished":
      await tx.query("DELETE FROM open_turns WHERE turn = ?", [event.turn]);
      return;
    case "approval.asked":
      await tx.query(
        "INSERT INTO open_approvals (approval_id, conversation, turn, call_id, asked_seq, expires_at_ms) VALUES (?, ?, ?, ?, ?, ?)",
        [event.approvalId, event.conversation, event.turn, event.callId, event.seq, event.expiresAtMs],
      );
      return;
    case "approval.answered":
      await tx.query("DELETE FROM open_approvals WHERE approval_id = ?", [event.approvalId]);
      if (event.grants !== undefined && event.decision === "approved") {
        await tx.query("INSERT INTO grants (binding, granted_seq) VALUES (?, ?) ON CONFLICT (binding) DO NOTHING", [
          event.grants,
          event.seq,
        ]);
      }
      // whoever resumes the turn finds it by this state, also after a restart
      await setTurnState(tx, event.turn, "running");
      return;
    case "reply.written":
      if (isFollowed(event.channel)) return;
      await tx.query("INSERT INTO outbox (reply, conversation, channel) VALUES (?, ?, ?)", [
        event.seq,
        event.conversation,
        event.channel,
      ]);
      return;
    case "reply.delivered":
      await tx.query("DELETE FROM outbox WHERE reply = ?", [event.reply]);
      return;
    case "tool.returned":
      await addLabels(tx, event.conversation, event.labels);
      for (const file of event.files) await labelFile(tx, file.path, file.labels);
      return addUsage(tx, event);
    case "step.finished":
      return addUsage(tx, event);
    case "conversation.compacted":
      await tx.query("UPDATE conversations SET compacted_seq = ? WHERE conversation = ?", [
        event.seq,
        event.conversation,
      ]);
      return addUsage(tx, event);
    case "turn.stop_requested":
      await setTurnState(tx, event.turn, "running");
      return;
    case "message.refused":
    case "turn.resumed":
    case "changes.undone":
    case "tool.sent":
    case "conversation.configured":
    case "conversation.rewound":
    case "access.granted":
    case "access.revoked":
    case "settings.changed":
      return;
    case "conversation.deleted":
      return forgetConversation(tx, event);
    default:
      // another room keeps tables of its own
      event satisfies never;
      return;
  }
}

async function forgetConversation(tx: Queryable, event: EventOf<"conversation.deleted">): Promise<void> {
  await tx.query("DELETE FROM conversations WHERE conversation = ?", [event.conversation]);
  await tx.query("DELETE FROM outbox WHERE conversation = ?", [event.conversation]);
  const rows: readonly Row[] = await tx.query("SELECT * FROM events WHERE conversation = ? AND seq < ?", [
    event.conversation,
    event.seq,
  ]);
  for (const row of rows) {
    const blank = blankEvent(readEvent(row));
    await tx.query("UPDATE events SET body = ? WHERE seq = ?", [eventBody(blank), blank.seq]);
  }
}

async function foldConversation(tx: Queryable, event: Event): Promise<void> {
  const isMessage = event.type === "message.received" || event.type === "reply.written";
  const title = event.type === "message.received" ? titleOf(event.text) : "";
  await tx.query(
    `INSERT INTO conversations (conversation, title, messages, last_at_ms, last_seq) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (conversation) DO UPDATE SET
       title = CASE WHEN conversations.title = '' THEN excluded.title ELSE conversations.title END,
       messages = conversations.messages + excluded.messages,
       last_at_ms = excluded.last_at_ms,
       last_seq = excluded.last_seq`,
    [event.conversation, title, isMessage ? 1 : 0, event.atMs, event.seq],
  );
  if (event.type === "conversation.configured") await configure(tx, event);
}

async function configure(tx: Queryable, event: EventOf<"conversation.configured">): Promise<void> {
  const { conversation } = event;
  if (event.title !== undefined)
    await tx.query("UPDATE conversations SET title = ? WHERE conversation = ?", [event.title, conversation]);
  if (event.model !== undefined)
    await tx.query("UPDATE conversations SET model = ? WHERE conversation = ?", [event.model, conversation]);
  if (event.thinking !== undefined)
    await tx.query("UPDATE conversations SET thinking = ? WHERE conversation = ?", [event.thinking, conversation]);
  if (event.agent !== undefined)
    await tx.query("UPDATE conversations SET agent = ? WHERE conversation = ?", [event.agent, conversation]);
}

// what a conversation has once taken in, it has taken in for good
async function addLabels(tx: Queryable, conversation: string, labels: readonly string[]): Promise<void> {
  if (labels.length === 0) return;
  const [row] = await tx.query("SELECT labels FROM conversations WHERE conversation = ?", [conversation]);
  const all = [...new Set([...readLabels(row?.labels), ...labels])].sort();
  await tx.query("UPDATE conversations SET labels = ? WHERE conversation = ?", [JSON.stringify(all), conversation]);
}

async function labelFile(tx: Queryable, path: string, labels: readonly string[]): Promise<void> {
  if (labels.length === 0) {
    await tx.query("DELETE FROM file_labels WHERE path = ?", [path]);
    return;
  }
  await tx.query(
    "INSERT INTO file_labels (path, labels) VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET labels = excluded.labels",
    [path, JSON.stringify(labels)],
  );
}

const Labels = z.array(z.string());

export function readLabels(value: unknown): readonly string[] {
  return Labels.parse(JSON.parse(String(value ?? "[]")));
}

async function takeFromInbox(tx: Queryable, messages: readonly number[]): Promise<void> {
  for (const seq of messages) await tx.query("DELETE FROM inbox WHERE seq = ?", [seq]);
}

async function setTurnState(tx: Queryable, turn: string, state: "running" | "waiting"): Promise<void> {
  await tx.query("UPDATE open_turns SET state = ? WHERE turn = ?", [state, turn]);
}

async function addUsage(tx: Queryable, event: Event): Promise<void> {
  const day = new Date(event.atMs).toISOString().slice(0, 10);
  for (const call of modelCallsOf(event)) await addModelCall(tx, { day, conversation: event.conversation }, call);
}

async function addModelCall(
  tx: Queryable,
  { day, conversation }: { day: string; conversation: string },
  { model, usage, costUsd, durationMs }: ModelCall,
): Promise<void> {
  await tx.query(
    `INSERT INTO usage (day, model, conversation, calls, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost_usd, unpriced, duration_ms)
     VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (day, model, conversation) DO UPDATE SET
       calls = usage.calls + 1,
       input_tokens = usage.input_tokens + excluded.input_tokens,
       output_tokens = usage.output_tokens + excluded.output_tokens,
       cache_read_tokens = usage.cache_read_tokens + excluded.cache_read_tokens,
       cache_write_tokens = usage.cache_write_tokens + excluded.cache_write_tokens,
       cost_usd = usage.cost_usd + excluded.cost_usd,
       unpriced = usage.unpriced + excluded.unpriced,
       duration_ms = usage.duration_ms + excluded.duration_ms`,
    [
      day,
      model,
      conversation,
      usage.inputTokens,
      usage.outputTokens,
      usage.cacheReadTokens,
      usage.cacheWriteTokens,
      costUsd ?? 0,
      costUsd === undefined ? 1 : 0,
      Math.round(durationMs ?? 0),
    ],
  );
}

function titleOf(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
