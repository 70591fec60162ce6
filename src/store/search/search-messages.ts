// Finds words in everything that was said. The index is a copy of the log in another shape: it catches up, and can be made again.
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { Database, Queryable } from "../database/database.ts";
import { rowReader } from "../database/rows.ts";
import type { EventLog } from "../log/event-log.ts";
import { indexedTypes, indexNext, makeIndexAnew, readIndexPlace } from "./message-index.ts";
import { joinCharacters, toSearchQuery } from "./search-query.ts";

const MessageHit = z.object({
  conversation: z.string(),
  title: z.string().default(""),
  seq: z.number(),
  atMs: z.number(),
  who: z.enum(["person", "assistant"]),
  /** Words around the hit, plain text. */
  snippet: z.string().transform((snippet) => joinCharacters(snippet).replace(/\s+/g, " ").trim()),
});
export type MessageHit = z.infer<typeof MessageHit>;
const readHit = rowReader(MessageHit);

/** The full-text index of another database would stand behind the same two functions. */
export type MessageSearch = {
  /** Newest first; everything committed before the call is found. */
  search(query: string, limit: number): Promise<readonly MessageHit[]>;
  /** Everything committed before the call is in the index, and what was deleted is out of it. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
};

export type MessageSearchDeps = {
  database: Database;
  log: Pick<EventLog, "subscribe">;
  onTrouble(message: string, cause: unknown): void;
};

const lazyMs = 2_000;

/** By SQLite's own full-text index; the tables are made when they are first needed. */
export function openSqliteMessageSearch(deps: MessageSearchDeps): MessageSearch {
  const { database } = deps;
  let working: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const unsubscribe = deps.log.subscribe((events) => {
    if (events.some(({ type }) => indexedTypes.some((indexed) => indexed === type))) schedule();
  });
  schedule();
  return {
    async search(query, limit) {
      const match = toSearchQuery(query);
      if (match === undefined) return [];
      try {
        await inTurn(catchUp);
        return await find(database, match, limit);
      } catch (cause) {
        deps.onTrouble("The search index could not be used and is made again.", cause);
        await inTurn(() => makeIndexAnew(database).then(catchUp));
        return find(database, match, limit);
      }
    },
    catchUp: () => inTurn(catchUp),
    async close() {
      closed = true;
      unsubscribe();
      clearTimeout(timer);
      await working;
    },
  };

  // words that were deleted leave the disk soon, also when nobody searches
  function schedule(): void {
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      inTurn(catchUp).catch((cause) => deps.onTrouble("The search index could not be caught up.", cause));
    }, lazyMs);
    timer.unref();
  }

  async function catchUp(): Promise<void> {
    let place = await readIndexPlace(database);
    if (place === undefined) await makeIndexAnew(database);
    place ??= 0;
    while (!closed) {
      const next = await indexNext(database, place);
      if (next === undefined) return;
      place = next;
      // a long log is taken in between other work
      await setImmediate();
    }
  }

  function inTurn(work: () => Promise<void>): Promise<void> {
    const mine = working.then(work);
    // the chain only orders the work; each caller hears of its own failure
    working = mine.catch(() => undefined);
    return mine;
  }
}

async function find(db: Queryable, match: string, limit: number): Promise<readonly MessageHit[]> {
  const rows = await db.query(
    `SELECT hits.seq, hits.snippet, searched_messages.conversation, searched_messages.at_ms, searched_messages.who,
            conversations.title
     FROM (SELECT rowid AS seq, snippet(message_search, 0, '', '', '…', 20) AS snippet FROM message_search
           WHERE message_search MATCH ? ORDER BY rowid DESC LIMIT ?) AS hits
     JOIN searched_messages ON searched_messages.seq = hits.seq
     LEFT JOIN conversations ON conversations.conversation = searched_messages.conversation
     ORDER BY hits.seq DESC`,
    [match, limit],
  );
  return rows.map(readHit);
}
