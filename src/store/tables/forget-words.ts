// Words leave the log and the tables in the transaction that appends the event which says so; the rest of them is noted, to go after it.
import type { Event, EventOf } from "../../contract/event.ts";
import type { Queryable, Row } from "../database/database.ts";
import { blankEvent, blankForgotten, kindOfLabel } from "../log/blank-event.ts";
import { eventBody, readEvent } from "../log/event-row.ts";
import { labelsFromLog } from "./conversation-labels.ts";
import { titleFromLog, titleGiven, titleIn } from "./conversation-title.ts";
import { noteForgetting } from "./forgetting.ts";

export async function forgetConversation(
  tx: Queryable,
  { conversation: key, seq }: EventOf<"conversation.deleted">,
): Promise<void> {
  await tx.query("DELETE FROM conversations WHERE conversation = ?", [key]);
  await tx.query("DELETE FROM outbox WHERE conversation = ?", [key]);
  const rows = await tx.query("SELECT * FROM events WHERE conversation = ? AND seq < ?", [key, seq]);
  await noteForgetting(tx, { key, seq }, bodiesOf(rows));
  await blankRows(tx, rows, blankEvent);
}

export async function forgetMessages(
  tx: Queryable,
  { conversation: key, seq, seqs }: EventOf<"messages.forgotten">,
): Promise<void> {
  const chosen = JSON.stringify(seqs);
  const rows = await tx.query(
    "SELECT * FROM events WHERE conversation = ? AND seq < ? AND seq IN (SELECT value FROM json_each(?))",
    [key, seq, chosen],
  );
  // what was not sent yet would go out without its words
  await tx.query("DELETE FROM outbox WHERE conversation = ? AND reply IN (SELECT value FROM json_each(?))", [
    ...[key, chosen],
  ]);
  await noteForgetting(tx, { key, seq, seqs }, bodiesOf(rows));
  const titles = rows.map(readEvent).flatMap((event) => titleGiven(event) ?? titleIn(event));
  await blankRows(tx, rows, blankForgotten);
  if (rows.some(holdsLabels)) await setLabels(tx, key, await labelsFromLog(tx, key));
  const [known] = await tx.query("SELECT title FROM conversations WHERE conversation = ?", [key]);
  if (known?.title && titles.includes(String(known.title)))
    await tx.query("UPDATE conversations SET title = ? WHERE conversation = ?", [await titleFromLog(tx, key), key]);
  if (rows.some((row) => row.type === "conversation.compacted")) await readBeforeSummary(tx, key);
}

/** Without its summary a part of the conversation is read again as it was said, as far as it still is there. */
async function readBeforeSummary(tx: Queryable, conversation: string): Promise<void> {
  await tx.query(
    `UPDATE conversations SET compacted_seq = (
       SELECT COALESCE(MAX(seq), 0) FROM events WHERE conversation = ? AND
         (type = 'conversation.renewed' OR (type = 'conversation.compacted' AND body NOT LIKE '%"summary":""%')))
     WHERE conversation = ?`,
    [conversation, conversation],
  );
}

function bodiesOf(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => String(row.body));
}

// a label may hold the name of what was read
function holdsLabels({ type, body }: Row): boolean {
  return (
    /"labels":\["/.test(String(body)) || (type === "message.received" && !String(body).includes('"attachments":[]'))
  );
}

async function setLabels(tx: Queryable, conversation: string, labels: readonly string[]): Promise<void> {
  await tx.query("UPDATE conversations SET labels = ? WHERE conversation = ?", [JSON.stringify(labels), conversation]);
}

async function blankRows(tx: Queryable, rows: readonly Row[], blanked: (event: Event) => Event): Promise<void> {
  for (const row of rows) {
    const event = readEvent(row);
    const blank = blanked(event);
    await tx.query("UPDATE events SET body = ? WHERE seq = ?", [eventBody(blank), blank.seq]);
    if (event.type === "tool.returned") await blankLabels(tx, event.files);
  }
}

/** Of files that still bear what the conversation said of them: whoever has written or vouched for one since knows better. */
async function blankLabels(tx: Queryable, files: EventOf<"tool.returned">["files"]): Promise<void> {
  for (const { path, labels } of files) {
    const [blank, said] = [JSON.stringify(labels.map(kindOfLabel)), JSON.stringify(labels)];
    await tx.query("UPDATE file_labels SET labels = ? WHERE path = ? AND labels = ?", [blank, path, said]);
  }
}
