// What is left to do: messages that wait and turns under way.
import { z } from "zod";
import type { Queryable } from "../database/database.ts";
import { rowReader } from "../database/rows.ts";
import type { EventLog } from "../log/event-log.ts";

const OpenTurn = z.object({
  turn: z.string(),
  conversation: z.string(),
  startedSeq: z.number(),
  state: z.enum(["running", "waiting"]),
});
export type OpenTurn = z.infer<typeof OpenTurn>;
const readTurn = rowReader(OpenTurn);

export async function waitingMessages(db: Queryable, conversation: string): Promise<readonly number[]> {
  const rows = await db.query("SELECT seq FROM inbox WHERE conversation = ? ORDER BY seq", [conversation]);
  return rows.map((row) => Number(row.seq));
}

/**
 * What may be answered together: a message that begins a run wants a turn of its own, and joins nobody else's.
 * `joining`: only what a turn under way may take in.
 */
export async function messagesTogether(
  db: Queryable,
  conversation: string,
  joining = false,
): Promise<readonly number[]> {
  const rows = await db.query("SELECT seq, alone FROM inbox WHERE conversation = ? ORDER BY seq", [conversation]);
  const first = rows[0];
  if (!joining && first?.alone === 1) return [Number(first.seq)];
  const end = rows.findIndex((row) => row.alone === 1);
  return rows.slice(0, end < 0 ? rows.length : end).map((row) => Number(row.seq));
}

/** Every conversation in which something is left to do: a message nobody has taken, or a turn that may go on. */
export async function unfinishedConversations(db: Queryable): Promise<readonly string[]> {
  const rows = await db.query(
    "SELECT conversation FROM inbox UNION SELECT conversation FROM open_turns WHERE state = 'running' ORDER BY conversation",
  );
  return rows.map((row) => String(row.conversation));
}

export async function openTurnOf(db: Queryable, conversation: string): Promise<OpenTurn | undefined> {
  const sql = "SELECT * FROM open_turns WHERE conversation = ? ORDER BY started_seq LIMIT 1";
  return (await db.query(sql, [conversation])).map(readTurn)[0];
}

/** Every turn that somebody works on or should. */
export function runningTurns(db: Queryable): Promise<readonly OpenTurn[]> {
  return turnsIn(db, "running");
}

/** Those with an open question. */
export function waitingTurns(db: Queryable): Promise<readonly OpenTurn[]> {
  return turnsIn(db, "waiting");
}

async function turnsIn(db: Queryable, state: OpenTurn["state"]): Promise<readonly OpenTurn[]> {
  return (await db.query("SELECT * FROM open_turns WHERE state = ? ORDER BY started_seq", [state])).map(readTurn);
}

/** Where a message waits for its turn; undefined when a turn has taken it, or it was never there. */
export async function findWaiting(
  db: Queryable,
  messageId: string,
): Promise<{ conversation: string; seq: number } | undefined> {
  const [row] = await db.query("SELECT conversation, seq FROM inbox WHERE message_id = ?", [messageId]);
  return row && { conversation: String(row.conversation), seq: Number(row.seq) };
}

/** Where a message waits or is being answered; undefined when it is over or was never there. */
export async function conversationOfMessage(
  db: Queryable,
  log: Pick<EventLog, "at" | "ofTurn">,
  messageId: string,
): Promise<string | undefined> {
  const waiting = await findWaiting(db, messageId);
  if (waiting) return waiting.conversation;
  for (const { turn, conversation } of (await db.query("SELECT * FROM open_turns")).map(readTurn)) {
    const taken = (await log.ofTurn(turn)).flatMap((event) =>
      event.type === "turn.started" || event.type === "turn.steered" ? event.messages : [],
    );
    const messages = await log.at(taken);
    if (messages.some((event) => event.type === "message.received" && event.messageId === messageId))
      return conversation;
  }
  return undefined;
}

const readCounts = rowReader(
  z.object({ conversations: z.number(), working: z.number(), waitingApprovals: z.number() }),
);

export async function countOpen(db: Queryable): Promise<ReturnType<typeof readCounts>> {
  const [row = {}] = await db.query(
    `SELECT (SELECT COUNT(*) FROM conversations) AS conversations,
            (SELECT COUNT(*) FROM open_turns WHERE state = 'running') AS working,
            (SELECT COUNT(*) FROM open_approvals) AS waiting_approvals`,
  );
  return readCounts(row);
}
