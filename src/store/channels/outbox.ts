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

export type Undelivered = {
  reply: EventOf<"reply.written">;
  /** How many of its pieces the platform has. */
  sent: number;
  /** The piece that was about to go out when somebody last looked: nobody knows what became of it. */
  sending: number | undefined;
};

/** The oldest one of the conversation, which goes before all others of it. */
export async function nextToDeliver(
  db: Queryable,
  conversation: string,
  channels: readonly string[],
): Promise<Undelivered | undefined> {
  const [row] = await db.query(
    `SELECT events.*, outbox.sent AS outbox_sent, outbox.sending AS outbox_sending
     FROM outbox JOIN events ON events.seq = outbox.reply
     WHERE outbox.conversation = ? AND outbox.channel IN (${placeholders(channels)}) ORDER BY outbox.reply LIMIT 1`,
    [conversation, ...channels],
  );
  const reply = row && readEvent(row);
  if (reply?.type !== "reply.written") return undefined;
  const sending = row?.outbox_sending ?? undefined;
  return { reply, sent: Number(row?.outbox_sent), sending: sending === undefined ? undefined : Number(sending) };
}

/** How many replies of each channel wait to be delivered. */
export async function countUndelivered(db: Queryable): Promise<Readonly<Record<string, number>>> {
  const rows = await db.query("SELECT channel, COUNT(*) AS waiting FROM outbox GROUP BY channel");
  return Object.fromEntries(rows.map(({ channel, waiting }) => [String(channel), Number(waiting)]));
}
