import { ThinkingLevel } from "../../contract/model.ts";
import type { Session } from "../../contract/wire/method.ts";
import type { Queryable, Row } from "../database/database.ts";
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

export async function conversationState(db: Queryable, conversation: string): Promise<ConversationState | undefined> {
  const rows = await db.query("SELECT * FROM conversations WHERE conversation = ?", [conversation]);
  return rows[0] && readConversation(rows[0]);
}

const sessions = `SELECT conversations.*, open_turns.state AS turn_state,
    EXISTS (SELECT 1 FROM inbox WHERE inbox.conversation = conversations.conversation) AS has_message
  FROM conversations LEFT JOIN open_turns ON open_turns.conversation = conversations.conversation`;

export async function listSessions(db: Queryable): Promise<readonly Session[]> {
  return (await db.query(`${sessions} ORDER BY conversations.last_seq DESC`)).map(readSession);
}

export async function findSession(db: Queryable, conversation: string): Promise<Session | undefined> {
  const [row] = await db.query(`${sessions} WHERE conversations.conversation = ?`, [conversation]);
  return row && readSession(row);
}

const WrittenThinking = ThinkingLevel.optional().catch(undefined);

function readConversation(row: Row): ConversationState {
  return {
    conversation: String(row.conversation),
    title: String(row.title),
    messages: Number(row.messages),
    lastAtMs: Number(row.last_at_ms),
    lastSeq: Number(row.last_seq),
    model: row.model === null ? undefined : String(row.model),
    thinking: WrittenThinking.parse(row.thinking ?? undefined),
    agent: row.agent === null ? undefined : String(row.agent),
    compactedSeq: Number(row.compacted_seq),
    labels: readLabels(row.labels),
  };
}

function readSession(row: Row): Session {
  const { conversation, compactedSeq: _, labels: __, ...state } = readConversation(row);
  return { ...state, sessionKey: conversation, state: sessionState(row) };
}

function sessionState(row: Row): Session["state"] {
  if (row.turn_state === "waiting") return "waiting";
  // a message that no turn has taken yet is work, whether or not the queue has come to it
  return row.turn_state === "running" || row.has_message ? "working" : "idle";
}
