import { z } from "zod";
import { ThinkingLevel } from "../../contract/model.ts";
import type { Session } from "../../contract/wire/method.ts";
import type { Queryable, Row } from "../database/database.ts";
import { rowReader } from "../database/rows.ts";
import { readLabels } from "./fold-into-tables.ts";

const ConversationState = z.object({
  conversation: z.string(),
  title: z.string(),
  messages: z.number(),
  lastAtMs: z.number(),
  lastSeq: z.number(),
  model: z.string().optional(),
  thinking: ThinkingLevel.optional().catch(undefined),
  agent: z.string().optional(),
  compactedSeq: z.number(),
  /** Where untrusted text in this conversation came from. */
  labels: z.string().transform(readLabels),
  /** What others can have learnt at most from calls that nobody was asked about. */
  toldBits: z.number(),
  /** US dollars that one turn in it may cost. */
  budgetUsd: z.number().optional(),
});
export type ConversationState = z.infer<typeof ConversationState>;
const readConversation = rowReader(ConversationState);

export async function conversationState(db: Queryable, conversation: string): Promise<ConversationState | undefined> {
  const rows = await db.query("SELECT * FROM conversations WHERE conversation = ?", [conversation]);
  return rows.map(readConversation)[0];
}

const sessions = `SELECT conversations.*, open_turns.state AS turn_state,
    EXISTS (SELECT 1 FROM inbox WHERE inbox.conversation = conversations.conversation) AS has_message
  FROM conversations LEFT JOIN open_turns ON open_turns.conversation = conversations.conversation`;

export async function listSessions(db: Queryable): Promise<readonly Session[]> {
  // runs are found with their tasks, and on a phone nobody writes
  const rows = await db.query(
    `${sessions} WHERE conversations.conversation NOT LIKE 'task--%' AND conversations.conversation NOT LIKE 'heartbeat--%'
       AND conversations.conversation NOT LIKE 'ntfy--%'
     ORDER BY conversations.last_seq DESC`,
  );
  return rows.map(readSession);
}

export async function findSession(db: Queryable, conversation: string): Promise<Session | undefined> {
  return (await db.query(`${sessions} WHERE conversations.conversation = ?`, [conversation])).map(readSession)[0];
}

function readSession(row: Row): Session {
  const { conversation, compactedSeq: _, labels: __, toldBits: ___, budgetUsd: ____, ...state } = readConversation(row);
  return { ...state, sessionKey: conversation, state: sessionState(row) };
}

function sessionState(row: Row): Session["state"] {
  if (row.turn_state === "waiting") return "waiting";
  // a message that no turn has taken yet is work, whether or not the queue has come to it
  return row.turn_state === "running" || row.has_message ? "working" : "idle";
}
