// The fold of the log into small tables that answer "what is open now" without reading history.
import { z } from "zod";
import { isChannelEvent } from "../../contract/channel/channel-events.ts";
import { isFollowed } from "../../contract/conversation-key.ts";
import { type Event, type EventOf, installationKey, tellsOfProcess } from "../../contract/event.ts";
import { isMemoryEvent } from "../../contract/memory/memory-events.ts";
import type { ModelCall } from "../../contract/model.ts";
import { isBackground, isBeat } from "../../contract/task/task.ts";
import { foldChannels } from "../channels/fold-channels.ts";
import type { Queryable } from "../database/database.ts";
import { insertRow, placeholders } from "../database/rows.ts";
import { readEvent } from "../log/event-row.ts";
import { foldTasks } from "../tasks/fold-tasks.ts";
import { toldDay } from "../tasks/told-bits.ts";
import { labelsOfMessage } from "./conversation-labels.ts";
import { titleIn } from "./conversation-title.ts";
import { forgetConversation, forgetMessages } from "./forget-words.ts";
import { modelCallsOf, quarterOf } from "./usage.ts";

export const currentStateTables = [
  ...["conversations", "inbox", "open_turns", "open_approvals", "outbox", "usage", "grants", "file_labels"],
  ...["tasks", "task_runs", "task_wakes", "heartbeat_notes"],
  ...["chats", "allowed_people", "chat_groups", "shown_questions", "shown_drafts"],
] as const;

/** Runs in the transaction that appends the event, so the tables and the log never disagree. */
export async function foldIntoTables(tx: Queryable, event: Event): Promise<void> {
  const { seq, conversation } = event;
  if (conversation !== installationKey) await foldConversation(tx, event);
  await foldTasks(tx, event);
  await foldChannels(tx, event);
  switch (event.type) {
    case "message.received":
      await insertRow(tx, "inbox", { seq, conversation, messageId: event.messageId, alone: beginsRun(event) ? 1 : 0 });
      return addLabels(tx, conversation, labelsOfMessage(event));
    case "message.withdrawn":
      return takeFromInbox(tx, [event.message]);
    case "turn.started":
      await insertRow(tx, "open_turns", { turn: event.turn, conversation, startedSeq: seq, state: "running" });
      if (isBeat(conversation)) await beginClean(tx, event);
      return takeFromInbox(tx, event.messages);
    case "turn.steered":
      return takeFromInbox(tx, event.messages);
    case "turn.waiting":
      return setTurnState(tx, event.turn, "waiting");
    case "turn.finished":
      await tx.query("DELETE FROM open_turns WHERE turn = ?", [event.turn]);
      return;
    case "approval.asked": {
      const { approvalId, turn, callId, expiresAtMs } = event;
      return insertRow(tx, "open_approvals", { approvalId, conversation, turn, callId, askedSeq: seq, expiresAtMs });
    }
    case "approval.answered":
      await tx.query("DELETE FROM open_approvals WHERE approval_id = ?", [event.approvalId]);
      if (event.grants !== undefined && event.decision === "approved")
        await insertRow(tx, "grants", { binding: event.grants, grantedSeq: seq }, "(binding) DO NOTHING");
      // whoever resumes the turn finds it by this state, also after a restart
      return setTurnState(tx, event.turn, "running");
    case "reply.written":
      return foldReply(tx, event);
    case "tool.returned":
      await addLabels(tx, conversation, event.labels);
      for (const file of event.files) await labelFile(tx, file);
      return addUsage(tx, event);
    case "tool.sent":
      return event.bits === undefined ? undefined : addToldBits(tx, event, event.bits);
    case "step.finished":
    case "model.called":
      return addUsage(tx, event);
    case "conversation.compacted":
      await foldSummary(tx, event);
      return addUsage(tx, event);
    // what was read before is forgotten, and with it whose words they were
    case "conversation.renewed":
      await tx.query("UPDATE conversations SET compacted_seq = ?, labels = '[]' WHERE conversation = ?", [
        ...[seq, conversation],
      ]);
      return;
    case "changes.undone":
      for (const file of event.files) await labelFile(tx, file);
      return;
    case "turn.stop_requested":
      return setTurnState(tx, event.turn, "running");
    case "model.failed":
    case "message.refused":
    case "turn.resumed":
    case "turn.interrupted":
    case "conversation.configured":
    case "conversation.rewound":
    case "conversation.forgotten":
    case "access.granted":
    case "access.revoked":
    case "access.signed_in":
    case "access.refused":
    case "approval.reminded":
    case "task.made":
    case "task.changed":
    case "task.ended":
    case "task.skipped":
    case "task.settled":
    case "heartbeat.noted":
    case "trouble.met":
    case "settings.changed":
      return;
    case "conversation.deleted":
      return forgetConversation(tx, event);
    case "messages.forgotten":
      return forgetMessages(tx, event);
    default:
      // channels and other rooms keep tables of their own
      if (!isChannelEvent(event) && !isMemoryEvent(event)) event satisfies never;
      return;
  }
}

async function foldReply(tx: Queryable, event: EventOf<"reply.written">): Promise<void> {
  const { seq: reply, conversation, channel } = event;
  // a question that another conversation asks is shown here, and no model here ever reads it
  if (event.asks === undefined) await addLabels(tx, conversation, event.labels ?? []);
  if (!isFollowed(channel)) await insertRow(tx, "outbox", { reply, conversation, channel, asks: askedBy(event) });
}

async function foldSummary(
  tx: Queryable,
  { seq, conversation, summary }: EventOf<"conversation.compacted">,
): Promise<void> {
  // one that was forgotten stands for nothing
  if (summary !== "")
    await tx.query("UPDATE conversations SET compacted_seq = ? WHERE conversation = ?", [seq, conversation]);
}

/** The approval that it puts before the owner. */
function askedBy({ asks, task }: EventOf<"reply.written">): string | undefined {
  return asks ?? task?.ask;
}

async function foldConversation(tx: Queryable, event: Event): Promise<void> {
  // ten thousand reminders are no ten thousand conversations
  if (event.type.startsWith("task.") || event.type.startsWith("heartbeat.")) return;
  const isMessage = event.type === "message.received" || event.type === "reply.written";
  const title = titleIn(event);
  const { conversation, atMs: lastAtMs, seq: lastSeq } = event;
  const spokenSeq = isSpokenByOwner(event) ? lastSeq : 0;
  await insertRow(
    tx,
    "conversations",
    { conversation, title, messages: isMessage ? 1 : 0, lastAtMs, lastSeq, spokenSeq },
    `(conversation) DO UPDATE SET
       title = CASE WHEN conversations.title = '' THEN excluded.title ELSE conversations.title END,
       messages = conversations.messages + excluded.messages,
       last_at_ms = excluded.last_at_ms,
       last_seq = excluded.last_seq,
       spoken_seq = CASE WHEN excluded.spoken_seq > 0 THEN excluded.spoken_seq ELSE conversations.spoken_seq END`,
  );
  if (event.type === "conversation.configured") await configure(tx, event);
}

function isSpokenByOwner(event: Event): boolean {
  return event.type === "message.received" && event.sender.kind === "owner" && event.run === undefined;
}

const configurable = [
  ...(["title", "model", "thinking", "agent"] as const).map((name) => [name, name] as const),
  ["budgetUsd", "budget_usd"] as const,
];

async function configure(tx: Queryable, event: EventOf<"conversation.configured">): Promise<void> {
  for (const [field, column] of configurable) {
    const value = event[field];
    if (value !== undefined)
      await tx.query(`UPDATE conversations SET ${column} = ? WHERE conversation = ?`, [value, event.conversation]);
  }
}

/** What comes of a command of a run is told in a run of its own. */
function beginsRun(event: EventOf<"message.received">): boolean {
  return event.run !== undefined || (tellsOfProcess(event) && isBackground(event.conversation));
}

/** A look around sees nothing of those before it, so their labels do not cling to it; what a turn takes in does. */
async function beginClean(tx: Queryable, { conversation, messages }: EventOf<"turn.started">): Promise<void> {
  const rows = await tx.query(`SELECT * FROM events WHERE seq IN (${placeholders(messages)})`, messages);
  const begun = rows.map(readEvent).flatMap((event) => (event.type === "message.received" ? [event] : []));
  if (begun.some(({ run }) => run))
    await tx.query("UPDATE conversations SET labels = '[]' WHERE conversation = ?", [conversation]);
  await addLabels(tx, conversation, begun.flatMap(labelsOfMessage));
}

/** A conversation's are added up for good; runs come back every day, and so does what they may tell. */
async function addToldBits(tx: Queryable, { conversation, atMs }: Event, bits: number): Promise<void> {
  const day = toldDay(conversation, atMs);
  await tx.query(
    `UPDATE conversations SET told_bits = CASE WHEN told_day = ? THEN told_bits ELSE 0 END + ?, told_day = ?
     WHERE conversation = ?`,
    [day, bits, day, conversation],
  );
}

// what a conversation has once taken in, it has taken in for good
async function addLabels(tx: Queryable, conversation: string, labels: readonly string[]): Promise<void> {
  if (labels.length === 0) return;
  const [row] = await tx.query("SELECT labels FROM conversations WHERE conversation = ?", [conversation]);
  const all = [...new Set([...readLabels(row?.labels), ...labels])].sort();
  await tx.query("UPDATE conversations SET labels = ? WHERE conversation = ?", [JSON.stringify(all), conversation]);
}

async function labelFile(tx: Queryable, file: EventOf<"tool.returned">["files"][number]): Promise<void> {
  const { path, labels, stamp = null } = file;
  const ifThere = "(path) DO UPDATE SET labels = excluded.labels, stamp = excluded.stamp";
  await insertRow(tx, "file_labels", { path, labels: JSON.stringify(labels), stamp }, ifThere);
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
  const quarter = quarterOf(event.atMs);
  for (const call of modelCallsOf(event)) await addModelCall(tx, { quarter, conversation: event.conversation }, call);
}

async function addModelCall(
  tx: Queryable,
  { quarter, conversation }: { quarter: string; conversation: string },
  { model, usage, costUsd, durationMs }: ModelCall,
): Promise<void> {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  await insertRow(
    tx,
    "usage",
    {
      ...{ quarter, model, conversation, calls: 1, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens },
      costUsd: costUsd ?? 0,
      unpriced: costUsd === undefined ? 1 : 0,
      durationMs: Math.round(durationMs ?? 0),
    },
    `(quarter, model, conversation) DO UPDATE SET ${counters.map((name) => `${name} = usage.${name} + excluded.${name}`)}`,
  );
}

const counters = [
  ...["calls", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"],
  ...["cost_usd", "unpriced", "duration_ms"],
];
