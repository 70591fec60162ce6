// Replies that a channel's sender still has to hand over; channels that follow the log themselves have none.
import type { EventOf } from "../../contract/event.ts";
import type { Queryable } from "../database/database.ts";
import { placeholders } from "../database/rows.ts";
import { readEvent } from "../log/event-row.ts";

export async function conversationsToDeliver(db: Queryable, channels: readonly string[]): Promise<readonly string[]> {
  if (channels.length === 0) return [];
  const rows = await db.query(
    `SELECT conversation FROM outbox WHERE channel IN (${placeholders(channels)}) GROUP BY conversation ORDER BY MIN(reply)`,
    channels,
  );
  return rows.map((row) => String(row.conversation));
}

/** The oldest one of the conversation, which goes before all others of it. */
export async function nextToDeliver(
  db: Queryable,
  conversation: string,
  channels: readonly string[],
): Promise<EventOf<"reply.written"> | undefined> {
  const [row] = await db.query(
    `SELECT events.* FROM outbox JOIN events ON events.seq = outbox.reply
     WHERE outbox.conversation = ? AND outbox.channel IN (${placeholders(channels)}) ORDER BY outbox.reply LIMIT 1`,
    [conversation, ...channels],
  );
  const event = row && readEvent(row);
  return event?.type === "reply.written" ? event : undefined;
}
