// The tables behind the search, filled from the log piece by piece; the cursor moves in the same transaction as the words.
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { EventType } from "../../contract/event.ts";
import type { Database, Queryable, Row } from "../database/database.ts";
import { insertRow } from "../database/rows.ts";
import { putCursor, readCursor } from "../tables/cursors.ts";
import { separateCharacters } from "./search-query.ts";

const cursorName = "message search";
// another word here makes the index anew
const layout = "1";
// a piece is so large that writing it is worth a transaction, and so small that nobody waits for it
const mostSeqs = 10_000;
const mostMessages = 300;
const maxIndexedLength = 100_000;
// taking words out of the index for good costs far more than putting them in
const removedAtOnce = 20;

/** What changes the index. */
export const indexedTypes: ReadonlySet<EventType> = new Set([
  "message.received",
  "reply.written",
  "conversation.rewound",
  "conversation.deleted",
]);

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
  // what the log has numbered but not committed yet must not be passed over
  const committed = Number((await database.query("SELECT COALESCE(MAX(seq), 0) AS seq FROM events"))[0]?.seq);
  if (committed <= after) return undefined;
  const farthest = Math.min(after + mostSeqs, committed);
  const types = [...indexedTypes].map((type) => `'${type}'`).join(", ");
  const rows = await database.query(
    `SELECT seq, at_ms, type, conversation, body FROM events WHERE seq > ? AND seq <= ? AND type IN (${types}) ORDER BY seq LIMIT ?`,
    [after, farthest, mostMessages],
  );
  const through = rows.length === mostMessages ? Number(rows.at(-1)?.seq) : farthest;
  const steps = rows.flatMap((row) => readStep(row) ?? []);
  const removal = steps.find((step) => step.kind === "removal");
  const before = removal ? steps.filter((step) => step.seq < removal.seq) : steps;
  // a removal takes its time, so it is a piece of its own
  const isNext = removal !== undefined && before.length === 0;
  if (isNext) await remove(database, removal);
  const end = isNext ? removal.seq : removal ? removal.seq - 1 : through;
  await database.transaction(false, async (tx) => {
    for (const step of before) if (step.kind === "message") await add(tx, step);
    await writePlace(tx, end);
  });
  return end;
}

type Message = { kind: "message"; seq: number; atMs: number; conversation: string; who: string; text: string };
type Removal = { kind: "removal"; seq: number; conversation: string; fromSeq: number };

const Said = z.object({ text: z.string(), sender: z.object({ kind: z.string() }).optional() });
const Rewound = z.object({ fromSeq: z.number() });

function readStep(row: Row): Message | Removal | undefined {
  const place = { seq: Number(row.seq), conversation: String(row.conversation) };
  if (row.type === "conversation.deleted") return { kind: "removal", ...place, fromSeq: 0 };
  const body: unknown = JSON.parse(String(row.body));
  if (row.type === "conversation.rewound") return { kind: "removal", ...place, fromSeq: Rewound.parse(body).fromSeq };
  const { text, sender } = Said.parse(body);
  // what Steward tells itself was said by nobody
  if (text.trim() === "" || sender?.kind === "system") return undefined;
  const who = row.type === "reply.written" ? "assistant" : "person";
  return { kind: "message", ...place, atMs: Number(row.at_ms), who, text: text.slice(0, maxIndexedLength) };
}

async function add(tx: Queryable, { seq, conversation, atMs, who, text }: Message): Promise<void> {
  await insertRow(tx, "searched_messages", { seq, conversation, atMs, who });
  await tx.query("INSERT INTO message_search (rowid, text) VALUES (?, ?)", [seq, separateCharacters(text)]);
}

async function remove(database: Database, { seq, conversation, fromSeq }: Removal): Promise<void> {
  for (;;) {
    const rows = await database.query(
      "SELECT seq FROM searched_messages WHERE conversation = ? AND seq >= ? AND seq < ? ORDER BY seq LIMIT ?",
      [conversation, fromSeq, seq, removedAtOnce],
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
