import type { Event } from "../../contract/event.ts";
import type { Database } from "../database/database.ts";
import type { EventLog } from "../log/event-log.ts";
import { readCursor, writeCursor } from "../tables/cursors.ts";

/** A copy of the log in another shape. It may lag, and it catches up from the log after any interruption. */
export type Projection = {
  /** Everything committed before the call is written when it resolves. */
  flush(): Promise<void>;
  /** Works on what is written, with nothing left to write and nobody writing meanwhile. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

export type ProjectionDeps = {
  name: string;
  database: Database;
  log: EventLog;
  /** Writes events in order; must leave out those it finds already written. Returns what the cursor should remember beside the number. */
  write(events: readonly Event[]): Promise<string>;
  onTrouble(message: string, cause: unknown): void;
};

const batchSize = 500;
// opening and closing a file for each line would cost more than the line
const lazyMs = 1_000;
const retryMs = 2_000;

export async function openProjection(deps: ProjectionDeps): Promise<Projection> {
  const { log, database, name } = deps;
  let cursor = await readCursor(database, name);
  let pending: Event[] = [];
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  let closed = false;

  const unsubscribe = log.subscribe((events) => {
    pending.push(...events);
    // what no longer fits here is read back from the log
    if (pending.length > 4 * batchSize) pending = [];
    schedule(lazyMs);
  });
  await catchUp();

  return {
    flush,
    hold(work) {
      const held = flush().then(work);
      // whoever holds it hears of its failure; what comes next is written all the same
      working = Promise.allSettled([held]).then(() => {});
      return held;
    },
    async close() {
      unsubscribe();
      closed = true;
      clearTimeout(timer);
      await flush();
    },
  };

  function schedule(delayMs: number): void {
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      void flush();
    }, delayMs);
    timer.unref();
  }

  function flush(): Promise<void> {
    working = working.then(catchUp);
    return working;
  }

  async function catchUp(): Promise<void> {
    try {
      while (cursor.seq < log.lastSeq()) {
        const events = await nextBatch();
        const last = events.at(-1);
        if (!last) break;
        cursor = { seq: last.seq, detail: await deps.write(events) };
        await writeCursor(database, name, cursor);
      }
    } catch (cause) {
      deps.onTrouble(`The ${name} could not be written and will be caught up later.`, cause);
      schedule(retryMs);
    }
  }

  async function nextBatch(): Promise<readonly Event[]> {
    const fresh = pending.filter((event) => event.seq > cursor.seq);
    pending = [];
    return fresh[0]?.seq === cursor.seq + 1 ? fresh : log.since(cursor.seq, batchSize);
  }
}
