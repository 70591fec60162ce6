// What is left to do: messages that wait and turns under way.
import type { Queryable, Row } from "../database/database.ts";
import type { EventLog } from "../log/event-log.ts";

export type OpenTurn = { turn: string; conversation: string; startedSeq: number; state: "running" | "waiting" };

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

function readTurn(row: Row): OpenTurn {
  return {
    turn: String(row.turn),
    conversation: String(row.conversation),
    startedSeq: Number(row.started_seq),
    state: row.state === "waiting" ? "waiting" : "running",
  };
}
