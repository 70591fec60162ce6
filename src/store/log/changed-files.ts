// What was done to files, newest first, as calls and the owner have left it in the log.
import { setImmediate } from "node:timers/promises";
import type { Event, EventOf, EventType } from "../../contract/event.ts";
import type { Queryable } from "../database/database.ts";
import { readEvent } from "./event-row.ts";

// so many numbers are looked through between other work
const seqsAtOnce = 5_000;

type Files =
  | { paths: readonly string[] /** Folders, with all that lies below them. */; within?: readonly string[] }
  | { hashes: readonly string[] };

/** Every event that names one of these files, by path or by the hash of a content; in whose folder it was, their conversation tells. */
export function changesOf(db: Queryable, files: Files): AsyncGenerator<EventOf<"tool.returned" | "note.written">> {
  const named =
    "paths" in files
      ? [...files.paths.map(pathField), ...(files.within ?? []).map(withinField)]
      : files.hashes.map((hash) => JSON.stringify(hash));
  return eventsWith(db, ["tool.returned", "note.written"], named);
}

/** Every recall that found something in one of these files or conversations. */
export function recallsOf(
  db: Queryable,
  { paths, conversations }: { paths: readonly string[]; conversations: readonly string[] },
): AsyncGenerator<EventOf<"memory.recalled">> {
  const keys = conversations.map((key) => `"sessionKey":${JSON.stringify(key)}`);
  return eventsWith(db, ["memory.recalled"], [...paths.map(pathField), ...keys]);
}

function withinField(folder: string): string {
  return `"path":${JSON.stringify(`${folder}/`).slice(0, -1)}`;
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
