import { type Event, parseEvent } from "../../contract/event.ts";
import type { Queryable, Row } from "../database/database.ts";
import { insertRow } from "../database/rows.ts";
import type { SizedEvent } from "./event-cache.ts";

/** The row that `readEvent` reads back; answers with the length of its text. */
export async function insertEventRow(tx: Queryable, event: Event): Promise<number> {
  const { seq, atMs, type, conversation } = event;
  const turn = "turn" in event ? event.turn : undefined;
  const body = eventBody(event);
  await insertRow(tx, "events", { seq, atMs, type, conversation, turn, body });
  return body.length;
}

/** What of an event is not in a column of its own. */
export function eventBody(event: Event): string {
  const { seq: _, atMs: __, type: ___, conversation: ____, ...body } = event;
  return JSON.stringify(body);
}

export function readEvent(row: Row): Event {
  return parseEvent({
    ...JSON.parse(String(row.body)),
    seq: row.seq,
    atMs: row.at_ms,
    type: row.type,
    conversation: row.conversation,
  });
}

export function readSizedEvent(row: Row): SizedEvent {
  return { event: readEvent(row), size: String(row.body).length };
}
