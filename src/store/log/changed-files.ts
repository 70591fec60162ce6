// What was done to files, newest first, as calls and the owner have left it in the log.
import { setImmediate } from "node:timers/promises";
import type { Event, EventOf, EventType } from "../../contract/event.ts";
import type { FileChange } from "../../contract/file-change.ts";
import type { Queryable } from "../database/database.ts";
import { readEvent } from "./event-row.ts";

// so many numbers are looked through between other work
const seqsAtOnce = 5_000;
const seqsInPass = 500;

/** Every event that names one of these files; in whose folder it was, their conversation tells. */
export function changesOf(
  db: Queryable,
  paths: readonly string[],
): AsyncGenerator<EventOf<"tool.returned" | "note.written">> {
  return eventsWith(db, ["tool.returned", "note.written"], paths.map(pathField));
}

/** What became of one file, by whomever. `group`: of the owner's own hand; a call's tells its conversation. */
export type ChangedFile = Pick<FileChange, "path" | "kind" | "before" | "after"> & {
  by: { conversation: string } | { group: string | undefined };
};

/** Every change of any file, without the rest of the events that tell of them. */
export async function* allChanges(db: Queryable): AsyncGenerator<ChangedFile> {
  const [last] = await db.query("SELECT COALESCE(MAX(seq), 0) AS seq FROM events");
  for (let through = Number(last?.seq); through > 0; through -= seqsInPass) {
    const rows = await db.query(
      `SELECT conversation, type, CASE type WHEN 'note.written' THEN body ELSE json_extract(body, '$.changes') END AS told
         FROM events WHERE seq > ? AND seq <= ? AND (type = 'note.written' OR (type = 'tool.returned' AND body LIKE '%"changes":[{%'))
         ORDER BY seq DESC`,
      [through - seqsInPass, through],
    );
    for (const { conversation, type, told } of rows) {
      const read = JSON.parse(String(told));
      if (type === "note.written") yield { ...read, kind: "file", by: { group: read.group } };
      else for (const change of read) yield { ...change, by: { conversation: String(conversation) } };
    }
    await setImmediate();
  }
}

/** Every recall. */
export function recallsOf(db: Queryable): AsyncGenerator<EventOf<"memory.recalled">> {
  return eventsWith(db, ["memory.recalled"], [""]);
}

function pathField(path: string): string {
  return `"path":${JSON.stringify(path)}`;
}

/** Those of these kinds whose body holds one of the pieces. */
async function* eventsWith<Type extends EventType>(
  db: Queryable,
  types: readonly Type[],
  pieces: readonly string[],
): AsyncGenerator<EventOf<Type>> {
  if (pieces.length === 0) return;
  const [last] = await db.query("SELECT COALESCE(MAX(seq), 0) AS seq FROM events");
  const listed = types.map((type) => `'${type}'`).join(", ");
  for (let through = Number(last?.seq); through > 0; through -= seqsAtOnce) {
    const rows = await db.query(
      `SELECT * FROM events WHERE seq > ? AND seq <= ? AND type IN (${listed})
         AND EXISTS (SELECT 1 FROM json_each(?) AS piece WHERE instr(events.body, piece.value) > 0) ORDER BY seq DESC`,
      [through - seqsAtOnce, through, JSON.stringify(pieces)],
    );
    for (const event of rows.map(readEvent) as readonly Event[]) yield event as EventOf<Type>;
    await setImmediate();
  }
}
