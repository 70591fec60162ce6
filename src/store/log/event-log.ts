// Events come in, get a sequence number and are on disk before append returns; anyone may read from any point.
import { type Event, type NewEvent, parseEvent } from "../../contract/event.ts";
import type { Database, Queryable } from "../database/database.ts";
import { insertRow } from "../database/rows.ts";
import { foldIntoTables } from "../tables/fold-into-tables.ts";
import { openEventCache, type SizedEvent } from "./event-cache.ts";
import { insertEventRow, readEvent, readSizedEvent } from "./event-row.ts";

/** Decides inside the writing transaction what to append, from what the tables say at that moment. */
export type Decide = (tx: Queryable) => Promise<readonly NewEvent[]>;

export type AppendOptions = {
  /** False: may be lost if the machine (not the program) dies in the next moments. */
  durable?: boolean;
  /** The same key appends once; the second time answers with what the first one wrote. */
  idempotencyKey?: string | undefined;
};

export type Appended = { events: readonly Event[]; repeated: boolean };

export type EventLog = {
  append(events: readonly NewEvent[], options?: AppendOptions): Promise<Appended>;
  appendDecided(decide: Decide, options?: AppendOptions): Promise<Appended>;
  since(seq: number, limit: number): Promise<readonly Event[]>;
  /** The last events of a conversation, oldest first; found by index however long the log is. */
  latest(conversation: string, limit: number, beforeSeq?: number, afterSeq?: number): Promise<readonly Event[]>;
  ofTurn(turn: string): Promise<readonly Event[]>;
  at(seqs: readonly number[]): Promise<readonly Event[]>;
  lastSeq(): number;
  /** Called after each commit with what it wrote, in order. */
  subscribe(listener: (events: readonly Event[]) => void): () => void;
};

const usualCachedCharacters = 4 << 20;

type Job = { decide: Decide; options: AppendOptions; resolve(appended: Appended): void; reject(cause: unknown): void };

export type EventLogDeps = { database: Database; nowMs(): number; cachedCharacters?: number };

export async function openEventLog(deps: EventLogDeps): Promise<EventLog> {
  const { database } = deps;
  const listeners = new Set<(events: readonly Event[]) => void>();
  let lastSeq = Number((await database.query("SELECT COALESCE(MAX(seq), 0) AS seq FROM events"))[0]?.seq);
  // a number that is being written may still be taken back, and nobody can read its event yet
  let committedSeq = lastSeq;
  const cache = openEventCache(lastSeq, deps.cachedCharacters ?? usualCachedCharacters);
  let jobs: Job[] = [];
  let writing = false;

  return {
    append: (events, options = {}) => enqueue(async () => events, options),
    appendDecided: (decide, options = {}) => enqueue(decide, options),
    since: async (seq, limit) =>
      (await database.query("SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?", [seq, limit])).map(readEvent),
    latest,
    async ofTurn(turn) {
      const kept = cache.ofTurn(turn);
      if (kept) return kept;
      return (await database.query("SELECT * FROM events WHERE turn = ? ORDER BY seq", [turn])).map(readEvent);
    },
    async at(seqs) {
      const found: Event[] = [];
      for (const seq of seqs) {
        const kept = cache.at(seq);
        if (kept) found.push(kept);
        else found.push(...(await database.query("SELECT * FROM events WHERE seq = ?", [seq])).map(readEvent));
      }
      return found;
    },
    lastSeq: () => committedSeq,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  async function latest(
    conversation: string,
    limit: number,
    beforeSeq = Number.MAX_SAFE_INTEGER,
    afterSeq = 0,
  ): Promise<readonly Event[]> {
    const { fromSeq, events } = cache.newest(conversation);
    const newest = events.filter(({ seq }) => seq > afterSeq && seq < beforeSeq).slice(-limit);
    const missing = limit - newest.length;
    if (missing === 0 || fromSeq <= afterSeq + 1) return newest;
    const rows = await database.query(
      "SELECT * FROM events WHERE conversation = ? AND seq < ? AND seq > ? ORDER BY seq DESC LIMIT ?",
      [conversation, Math.min(beforeSeq, fromSeq), afterSeq, missing],
    );
    const older = rows.map(readSizedEvent).reverse();
    if (beforeSeq >= fromSeq) {
      const readFrom = rows.length < missing ? afterSeq + 1 : (older[0]?.event.seq ?? fromSeq);
      cache.extend(conversation, { fromSeq: readFrom, untilSeq: fromSeq, events: older });
    }
    return [...older.map(({ event }) => event), ...newest];
  }

  function enqueue(decide: Decide, options: AppendOptions): Promise<Appended> {
    return new Promise((resolve, reject) => {
      jobs.push({ decide, options, resolve, reject });
      if (writing) return;
      writing = true;
      // everything asked for in this round of the event loop shares one commit
      setImmediate(() => void writeAll());
    });
  }

  async function writeAll(): Promise<void> {
    while (jobs.length > 0) {
      const group = jobs;
      jobs = [];
      await commitGroup(group);
    }
    writing = false;
  }

  async function commitGroup(group: readonly Job[]): Promise<void> {
    const answers: (() => void)[] = [];
    const written: SizedEvent[] = [];
    const lastSeqBefore = lastSeq;
    try {
      const durable = group.some((job) => job.options.durable !== false);
      await database.transaction(durable, async (tx) => {
        for (const job of group) answers.push(await runJob(tx, job, written));
      });
    } catch (cause) {
      lastSeq = lastSeqBefore;
      for (const job of group) job.reject(cause);
      return;
    }
    committedSeq = lastSeq;
    cache.add(written);
    for (const answer of answers) answer();
    const events = written.map(({ event }) => event);
    if (events.length > 0) for (const listener of listeners) listener(events);
  }

  async function runJob(tx: Queryable, job: Job, written: SizedEvent[]): Promise<() => void> {
    const repeated = await findRepeated(tx, job.options.idempotencyKey);
    if (repeated) return () => job.resolve({ events: repeated, repeated: true });
    let decided: readonly NewEvent[];
    try {
      decided = await job.decide(tx);
    } catch (cause) {
      // whoever decides reads first and writes, if at all, as the last act: a refusal leaves nothing behind for the others
      return () => job.reject(cause);
    }
    const sized: SizedEvent[] = [];
    for (const fresh of decided) sized.push(await insert(tx, fresh));
    const events = sized.map(({ event }) => event);
    const { idempotencyKey: key } = job.options;
    if (events[0] && key) await insertRow(tx, "idempotency_keys", { key, seq: events[0].seq });
    written.push(...sized);
    return () => job.resolve({ events, repeated: false });
  }

  async function insert(tx: Queryable, fresh: NewEvent): Promise<SizedEvent> {
    lastSeq += 1;
    // the sequence number is the order; the time is only what the clock said, and clocks jump
    const event = parseEvent({ ...fresh, seq: lastSeq, atMs: deps.nowMs() });
    const size = await insertEventRow(tx, event);
    await foldIntoTables(tx, event);
    return { event, size };
  }
}

async function findRepeated(tx: Queryable, key: string | undefined): Promise<readonly Event[] | undefined> {
  if (!key) return undefined;
  const rows = await tx.query(
    "SELECT events.* FROM idempotency_keys JOIN events ON events.seq = idempotency_keys.seq WHERE idempotency_keys.key = ?",
    [key],
  );
  return rows.length > 0 ? rows.map(readEvent) : undefined;
}
