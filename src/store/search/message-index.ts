// The tables behind the search, filled from the log piece by piece; the cursor moves in the same transaction as the words.
import { setImmediate } from "node:timers/promises";
import type { Event, EventOf } from "../../contract/event.ts";
import type { Database, Queryable } from "../database/database.ts";
import { insertRow } from "../database/rows.ts";
import { readLogAfter } from "../log/read-log-after.ts";
import { putCursor, readCursor } from "../tables/cursors.ts";
import { separateCharacters } from "./search-query.ts";

const cursorName = "message search";
// another word here makes the index anew
const layout = "1";
const maxIndexedLength = 100_000;
// taking words out of the index for good costs far more than putting them in
const removedAtOnce = 20;

const removalTypes = ["conversation.rewound", "conversation.deleted", "messages.forgotten"] as const;
/** What changes the index. */
export const indexedTypes = ["message.received", "reply.written", ...removalTypes] as const;
type Said = EventOf<"message.received" | "reply.written">;
type Removal = EventOf<(typeof removalTypes)[number]>;

/** How far the index has come; undefined when there is none, or one of another layout. */
export async function readIndexPlace(db: Queryable): Promise<number | undefined> {
  const { seq, detail } = await readCursor(db, cursorName);
  return detail === layout ? seq : undefined;
}

export async function makeIndexAnew(database: Database): Promise<void> {
  await database.transaction(false, async (tx) => {
    await tx.query("DROP TABLE IF EXISTS message_search");
    await tx.query("DROP TABLE IF EXISTS searched_messages");
    await tx.query(
      `CREATE VIRTUAL TABLE message_search USING fts5(text, tokenize = "unicode61 remove_diacritics 2", prefix = '2 3')`,
    );
    // a word that is taken out leaves no trace in the index
    await tx.query("INSERT INTO message_search (message_search, rank) VALUES ('secure-delete', 1)");
    await tx.query(
      "CREATE TABLE searched_messages (seq INTEGER PRIMARY KEY, conversation TEXT NOT NULL, at_ms BIGINT NOT NULL, who TEXT NOT NULL)",
    );
    await tx.query("CREATE INDEX searched_messages_by_conversation ON searched_messages (conversation, seq)");
    await writePlace(tx, 0);
  });
}

async function writePlace(tx: Queryable, seq: number): Promise<void> {
  await putCursor(tx, cursorName, { seq, detail: layout });
}

/** Takes in the next piece of the log and says how far it has come; undefined when there is nothing more. */
export async function indexNext(database: Database, after: number): Promise<number | undefined> {
  const next = await readLogAfter(database, after, indexedTypes);
  if (next === undefined) return undefined;
  const removal = next.events.find((event) => event.type !== "message.received" && event.type !== "reply.written");
  const before = removal ? next.events.filter(({ seq }) => seq < removal.seq) : next.events;
  // a removal takes its time, so it is a piece of its own
  const isNext = removal !== undefined && before.length === 0;
  if (isNext) await remove(database, removal);
  const end = isNext ? removal.seq : removal ? removal.seq - 1 : next.through;
  await database.transaction(false, async (tx) => {
    for (const event of before) if (isSaid(event)) await add(tx, event);
    await writePlace(tx, end);
  });
  return end;
}

/** With words, and not by Steward to itself. */
export function isSaid(event: Event): event is Said {
  const isMessage = event.type === "message.received" && event.sender.kind !== "system";
  return (isMessage || event.type === "reply.written") && event.text.trim() !== "";
}

async function add(tx: Queryable, { type, seq, conversation, atMs, text }: Said): Promise<void> {
  const who = type === "reply.written" ? "assistant" : "person";
  await insertRow(tx, "searched_messages", { seq, conversation, atMs, who });
  const words = separateCharacters(text.slice(0, maxIndexedLength));
  await tx.query("INSERT INTO message_search (rowid, text) VALUES (?, ?)", [seq, words]);
}

async function remove(database: Database, removal: Removal): Promise<void> {
  const [which, value] =
    removal.type === "messages.forgotten"
      ? ["seq IN (SELECT value FROM json_each(?))", JSON.stringify(removal.seqs)]
      : ["seq >= ?", removal.type === "conversation.rewound" ? removal.fromSeq : 0];
  for (;;) {
    const rows = await database.query(
      `SELECT seq FROM searched_messages WHERE conversation = ? AND ${which} AND seq < ? ORDER BY seq LIMIT ?`,
      [removal.conversation, value, removal.seq, removedAtOnce],
    );
    if (rows.length === 0) return;
    await database.transaction(false, async (tx) => {
      for (const row of rows) {
        await tx.query("DELETE FROM message_search WHERE rowid = ?", [Number(row.seq)]);
        await tx.query("DELETE FROM searched_messages WHERE seq = ?", [Number(row.seq)]);
      }
    });
    await setImmediate();
  }
}
