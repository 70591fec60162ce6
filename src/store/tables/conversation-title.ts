import type { Event } from "../../contract/event.ts";
import type { Queryable } from "../database/database.ts";
import { readEvent } from "../log/event-row.ts";

const rowsAtOnce = 100;

/** What it is called as long as nobody has named it; '' from most events. A group is called like its chat, a mail by its subject. */
export function titleIn(event: Event): string {
  if (event.type === "message.received") return firstWords(event.text);
  const isCalled = event.type === "chat.met" && (!event.isDirect || event.channel === "email");
  return isCalled ? firstWords(event.title) : "";
}

/** What somebody has called it. */
export function titleGiven(event: Event): string | undefined {
  return event.type === "conversation.configured" ? event.title : undefined;
}

/** The same from what is left of its events, when the words it was called by are gone. */
export async function titleFromLog(tx: Queryable, conversation: string): Promise<string> {
  const [named] = await tx.query(
    `SELECT * FROM events WHERE conversation = ? AND type = 'conversation.configured' AND body LIKE '%"title":%'
     ORDER BY seq DESC LIMIT 1`,
    [conversation],
  );
  const given = named && titleGiven(readEvent(named));
  if (given) return given;
  for (let after = 0; ; ) {
    const rows = await tx.query(
      `SELECT * FROM events WHERE conversation = ? AND seq > ? AND type IN ('message.received', 'chat.met')
       ORDER BY seq LIMIT ?`,
      [conversation, after, rowsAtOnce],
    );
    const title = rows.map((row) => titleIn(readEvent(row))).find((each) => each !== "");
    if (title !== undefined) return title;
    if (rows.length < rowsAtOnce) return "";
    after = Number(rows.at(-1)?.seq);
  }
}

function firstWords(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
