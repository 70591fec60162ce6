// One way to follow for every protocol: what is past is read from the log at the reader's own pace, what is new is told as it happens.

import type { Event } from "../../contract/event.ts";
import type { Followed } from "../../contract/wire/client.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import type { LiveBus, LiveStep } from "../live-bus.ts";
import type { Outlet } from "./outlet.ts";

/** Where one reader is told what happens; it knows how far behind its reader is. */
export type Sink = Omit<Outlet, "send"> & {
  write(followed: Followed): void;
  /** What comes next cannot be read. Whoever is cut off comes again and goes on where it was. */
  close(): void;
};

/** Which part of what happens is followed. */
export type Selection = {
  /** Some of its events after this number, in order; up to `throughSeq` there are no others. */
  read(afterSeq: number, limit: number): Promise<{ events: readonly Event[]; throughSeq: number }>;
  /** Whether something that happens now belongs to it. */
  includes(followed: Followed): boolean;
};

// the first look is small: most have little to catch up with, and some read slowly
const firstBatch = 16;
const largestBatch = 512;

/**
 * Everything after `since` without gaps or repeats, then what is new; live signals come between the events they belong to.
 * Nothing is kept for a slow reader (backpressure): it is left alone until it has read, and then told the rest from the log.
 */
export function followLog(
  deps: { log: EventLog; live: LiveBus; onTrouble(message: string, cause: unknown): void },
  { since, selection }: { since: number; selection: Selection },
  sink: Sink,
): () => void {
  let seen = since;
  let isCatchingUp = false;
  let isPresent = false;
  let isStopped = false;
  // how much of the words of a turn's step under way the reader has
  const shown = new Map<string, { of?: LiveStep; length: number }>();
  const unsubscribeLog = deps.log.subscribe((events) => {
    // until the past is told, the present waits in the log
    for (const event of events) if (isPresent) tellNow(event);
  });
  const unsubscribeLive = deps.live.subscribe((signal) => {
    if (isPresent) tellNow(signal);
  });
  catchUp();
  return stop;

  function stop(): void {
    isStopped = true;
    isPresent = false;
    unsubscribeLog();
    unsubscribeLive();
  }

  function tellNow(followed: Followed): void {
    if ("seq" in followed) {
      if (followed.seq <= seen) return;
      seen = followed.seq;
    }
    if (!selection.includes(followed)) return;
    write(followed);
    if (isStopped || !sink.isFull()) return;
    isPresent = false;
    catchUp();
  }

  function write(followed: Followed): void {
    if (followed.type === "live.text") {
      const before = shown.get(followed.turn);
      shown.set(followed.turn, { ...before, length: (before?.length ?? 0) + followed.delta.length });
    } else if (
      followed.type === "live.text_reset" ||
      followed.type === "step.finished" ||
      followed.type === "turn.finished"
    )
      shown.delete(followed.turn);
    sink.write(followed);
  }

  /** Only what the reader does not have: told from the beginning each time, much text would never come to its end. */
  function tellSoFar(step: LiveStep): void {
    const { text, ...place } = step;
    const restart = { type: "live.text_reset", ...place } as const;
    if (!selection.includes(restart)) return;
    if (shown.get(step.turn)?.of !== step) {
      tellNow(restart);
      shown.set(step.turn, { of: step, length: 0 });
    }
    const delta = text.slice(shown.get(step.turn)?.length);
    if (isPresent && delta !== "") tellNow({ type: "live.text", ...place, delta });
  }

  function catchUp(): void {
    if (isCatchingUp) return;
    isCatchingUp = true;
    readPast().catch((cause) => {
      deps.onTrouble("A client could not be told what happened.", cause);
      stop();
      sink.close();
    });
  }

  async function readPast(): Promise<void> {
    let limit = firstBatch;
    while (!isStopped && !isPresent && !sink.isClosed()) {
      if (sink.isFull()) await sink.drained();
      else if (seen < deps.log.lastSeq()) limit = await readPage(limit);
      else {
        const steps = deps.live.soFar();
        isPresent = true;
        for (const step of steps) if (isPresent) tellSoFar(step);
      }
    }
    isCatchingUp = false;
  }

  /** How many to read next: what a full sink leaves over is read again, so no more than it has just taken, else twice as many. */
  async function readPage(limit: number): Promise<number> {
    const { events, throughSeq } = await selection.read(seen, limit);
    for (const [taken, event] of events.entries()) {
      if (isStopped || sink.isFull()) return Math.max(1, taken);
      seen = event.seq;
      write(event);
    }
    seen = Math.max(seen, throughSeq);
    return Math.min(2 * limit, largestBatch);
  }
}

export function wholeLog(log: Pick<EventLog, "since" | "lastSeq">): Selection {
  return {
    async read(afterSeq, limit) {
      const lastSeq = log.lastSeq();
      const events = await log.since(afterSeq, limit);
      return { events, throughSeq: events.at(-1)?.seq ?? lastSeq };
    },
    includes: () => true,
  };
}

/** For whoever takes everything at once, such as a client in this process. */
export function unboundedSink(write: (followed: Followed) => void, close: () => void = () => {}): Sink {
  return { write, isFull: () => false, drained: async () => {}, isClosed: () => false, close };
}
