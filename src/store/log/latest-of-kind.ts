import type { EventOf, EventType } from "../../contract/event.ts";
import type { Queryable } from "../database/database.ts";
import { readEvent } from "./event-row.ts";

// so many numbers are looked through at once
const seqsAtOnce = 50_000;

/** Newest first. There is no index by kind, since hardly anybody asks: the log is gone through from its end. */
export async function latestOfKind<Type extends EventType>(
  db: Queryable,
  type: Type,
  {
    conversation,
    beforeSeq,
    limit,
  }: { conversation: string | undefined; beforeSeq: number | undefined; limit: number },
): Promise<readonly EventOf<Type>[]> {
  const [last] = await db.query("SELECT COALESCE(MAX(seq), 0) + 1 AS seq FROM events");
  const [where, values] = conversation === undefined ? ["", []] : ["AND conversation = ?", [conversation]];
  const found: EventOf<Type>[] = [];
  for (let before = Math.min(beforeSeq ?? Number.MAX_SAFE_INTEGER, Number(last?.seq)); before > 1; ) {
    const from = Math.max(1, before - seqsAtOnce);
    const rows = await db.query(
      `SELECT * FROM events WHERE seq >= ? AND seq < ? AND type = ? ${where} ORDER BY seq DESC LIMIT ?`,
      [from, before, type, ...values, limit - found.length],
    );
    found.push(...rows.map((row) => readEvent(row) as EventOf<Type>));
    if (found.length >= limit) break;
    before = from;
  }
  return found;
}
