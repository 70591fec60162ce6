// Where the owner is: what is meant for nobody else goes there, and never to where others read along.
import type { Chat } from "../../contract/channel/address.ts";
import type { Queryable } from "../database/database.ts";
import { readChat } from "./find-group.ts";

/** Of groups, also of former ones, and of people who write mails. */
const readByOthers = `SELECT conversation FROM chats WHERE is_direct = 0 OR channel = 'email'
  UNION SELECT conversation FROM chat_groups`;

/** The conversation in which they last spoke, on this channel or on any; one of tasks or programs is none. */
export async function lastSpoken(db: Queryable, channel?: string): Promise<string | undefined> {
  const fits = channel === undefined ? "" : " AND conversation LIKE ?";
  const rows = await db.query(
    `SELECT conversation FROM conversations
     WHERE spoken_seq > 0 AND conversation NOT LIKE 'task--%' AND conversation NOT LIKE 'heartbeat--%'
       AND conversation NOT LIKE 'api--%' AND conversation NOT IN (${readByOthers})${fits}
     ORDER BY spoken_seq DESC LIMIT 1`,
    channel === undefined ? [] : [`${channel}--%`],
  );
  return rows[0] && String(rows[0].conversation);
}

/** The chats on platforms in which they have spoken, the last one first. */
export async function ownersChats(db: Queryable, channel?: string): Promise<readonly Chat[]> {
  const rows = await db.query(
    `SELECT chats.* FROM chats JOIN conversations ON conversations.conversation = chats.conversation
     WHERE conversations.spoken_seq > 0 AND chats.conversation NOT IN (${readByOthers})
       ${channel === undefined ? "" : "AND chats.channel = ?"}
     ORDER BY conversations.spoken_seq DESC LIMIT 20`,
    channel === undefined ? [] : [channel],
  );
  return rows.map(readChat);
}
