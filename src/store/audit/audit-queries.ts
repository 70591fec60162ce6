// The log as somebody looks through it: newest first, page by page, and never further back in one call than is quick.
import { setImmediate } from "node:timers/promises";
import { type Event, parseEvent } from "../../contract/event.ts";
import type { Queryable, Row, SqlValue } from "../database/database.ts";
import { placeholders } from "../database/rows.ts";
import { mapTexts, redactNamed } from "../projections/map-texts.ts";

export type AuditFilter = {
  limit: number;
  beforeSeq?: number | undefined;
  types?: readonly string[] | undefined;
  conversation?: string | undefined;
  text?: string | undefined;
};

/** `nextBeforeSeq`: where the next page begins; without it there is nothing older to look at. */
export type AuditPage = { events: Event[]; nextBeforeSeq?: number };

// how far one call looks back for something rare: a text has to be read, a type only compared
const mostRowsByText = 20_000;
const mostNumbersByType = 200_000;
const rowsAtOnce = 1_000;
const maxFieldLength = 8_000;

/** What is shown is masked and shortened as `redact` and a screen want it; the log itself stays as it is. */
export async function listAudit(
  db: Queryable,
  filter: AuditFilter,
  redact: (text: string) => string,
): Promise<AuditPage> {
  const { limit, text } = filter;
  const events: Event[] = [];
  const size = text === undefined ? limit + 1 : rowsAtOnce;
  let beforeSeq = filter.beforeSeq ?? (await lastSeq(db)) + 1;
  const floor = filter.types ? Math.max(0, beforeSeq - mostNumbersByType) : 0;
  for (let looked = 0; looked < mostRowsByText; looked += size) {
    const rows = await readBack(db, filter, { beforeSeq, floor, size });
    for (const row of rows) {
      const shown = show(row, text, redact);
      if (!shown) continue;
      if (events.length === limit) return { events, nextBeforeSeq: beforeSeq };
      events.push(shown);
      beforeSeq = shown.seq;
    }
    if (rows.length < size) return floor > 0 ? { events, nextBeforeSeq: floor + 1 } : { events };
    beforeSeq = Number(rows.at(-1)?.seq);
    await setImmediate();
  }
  return { events, nextBeforeSeq: beforeSeq };
}

async function lastSeq(db: Queryable): Promise<number> {
  return Number((await db.query("SELECT COALESCE(MAX(seq), 0) AS seq FROM events"))[0]?.seq);
}

async function readBack(
  db: Queryable,
  { types, conversation }: AuditFilter,
  range: { beforeSeq: number; floor: number; size: number },
): Promise<readonly Row[]> {
  const conditions = ["seq < ?", "seq > ?"];
  const values: SqlValue[] = [range.beforeSeq, range.floor];
  if (conversation !== undefined) {
    conditions.push("conversation = ?");
    values.push(conversation);
  }
  if (types) {
    conditions.push(types.length === 0 ? "1 = 0" : `type IN (${placeholders(types)})`);
    values.push(...types);
  }
  return db.query(`SELECT * FROM events WHERE ${conditions.join(" AND ")} ORDER BY seq DESC LIMIT ?`, [
    ...values,
    range.size,
  ]);
}

/** Undefined when the text is not in what would be shown. */
function show(row: Row, text: string | undefined, redact: (text: string) => string): Event | undefined {
  const needle = text === undefined ? undefined : asInJson(text);
  if (needle !== undefined && !raw(row).includes(needle)) return undefined;
  const body = JSON.stringify(mapTexts(String(row.body), (text, name) => redactNamed(redact, text, name)));
  const place = { seq: row.seq, atMs: row.at_ms, type: row.type, conversation: row.conversation };
  // looked up again in what is shown: a secret must not be found by trying
  if (needle !== undefined && !raw({ ...row, body }).includes(needle)) return undefined;
  return parseEvent({ ...mapTexts(body, shorten), ...place });
}

function asInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1).toLowerCase();
}

function raw({ type, conversation, body }: Row): string {
  return `${type} ${conversation} ${body}`.toLowerCase();
}

function shorten(text: string): string {
  if (text.length <= maxFieldLength) return text;
  return `${text.slice(0, maxFieldLength)}… [${text.length - maxFieldLength} more characters]`;
}
