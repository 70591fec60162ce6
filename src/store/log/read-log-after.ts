import type { EventOf, EventType } from "../../contract/event.ts";
import type { Queryable } from "../database/database.ts";
import { readEvent } from "./event-row.ts";

// so large that whoever keeps them has something to write, and so small that nobody waits for it
const mostSeqs = 10_000;
const mostEvents = 300;

/** The next events of these kinds, and how far they have come with them; undefined when there is nothing more. */
export async function readLogAfter<Type extends EventType>(
  db: Queryable,
  after: number,
  types: readonly Type[],
  most = mostEvents,
): Promise<{ events: readonly EventOf<Type>[]; through: number } | undefined> {
  // what the log has numbered but not committed yet must not be passed over
  const committed = Number((await db.query("SELECT COALESCE(MAX(seq), 0) AS seq FROM events"))[0]?.seq);
  if (committed <= after) return undefined;
  const farthest = Math.min(after + mostSeqs, committed);
  const listed = types.map((type) => `'${type}'`).join(", ");
  const rows = await db.query(
    `SELECT * FROM events WHERE seq > ? AND seq <= ? AND type IN (${listed}) ORDER BY seq LIMIT ?`,
    [after, farthest, most],
  );
  const through = rows.length === most ? Number(rows.at(-1)?.seq) : farthest;
  return { events: rows.map((row) => readEvent(row) as EventOf<Type>), through };
}
