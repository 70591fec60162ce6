// Hands on what came in, the updates of one line one after the other, and keeps count of what Telegram must send again.
import type { Timings } from "./timings.ts";

/** line: the messages of one chat, or the presses in it, which wait for no message. */
export type RawUpdate = { id: number; line: string; raw: unknown };

export type Intake = {
  /** Whether it was taken. False: it must come again, and so must those of its line that waited behind it. */
  take(update: RawUpdate): Promise<boolean>;
  /** What Telegram sent of all that it still has: what it no longer has is not waited for. */
  compare(batch: readonly RawUpdate[], isAll: boolean): void;
  /** The first update that is still owed: Telegram forgets those before it. */
  offset(): number | undefined;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
};

export type IntakeDeps = {
  /** Whether it was taken. */
  hand(update: RawUpdate): Promise<boolean>;
  /** Nothing helps this one. True: it is let go, so that it holds up nobody any longer. */
  giveUp(update: RawUpdate): Promise<boolean>;
  nowMs(): number;
  timings: Pick<Timings, "hopelessTries" | "hopelessMs">;
};

type Owed = { failures: number; sinceMs: number };

// whoever keeps messages drops what it knows, so that one that comes again after that does no harm
const keptIds = 2_000;

export function openIntake({ hand, giveUp, nowMs, timings }: IntakeDeps): Intake {
  const owed = new Map<number, Owed>();
  const taken = new Set<number>();
  const underWay = new Map<number, Promise<boolean>>();
  const tails = new Map<string, Promise<boolean>>();
  let next: number | undefined;

  return { take, compare, offset, idle };

  function take(update: RawUpdate): Promise<boolean> {
    if (taken.has(update.id)) return Promise.resolve(true);
    return underWay.get(update.id) ?? begin(update);
  }

  function begin(update: RawUpdate): Promise<boolean> {
    const tries = owed.get(update.id) ?? { failures: 0, sinceMs: nowMs() };
    owed.set(update.id, tries);
    forgetOldest(owed);
    next = Math.max(next ?? 0, update.id + 1);
    // what stands behind a failed update waits until that one has come again, so that a chat keeps its order
    const before = tails.get(update.line) ?? Promise.resolve(true);
    const work = before
      .then((wasTaken) => (wasTaken ? attempt(update, tries) : false))
      .then((isTaken) => settle(update, isTaken));
    underWay.set(update.id, work);
    tails.set(update.line, work);
    return work;
  }

  async function attempt(update: RawUpdate, tries: Owed): Promise<boolean> {
    if (await hand(update)) return true;
    tries.failures += 1;
    const isHopeless = tries.failures >= timings.hopelessTries && nowMs() - tries.sinceMs >= timings.hopelessMs;
    return isHopeless && (await giveUp(update));
  }

  function settle({ id, line }: RawUpdate, isTaken: boolean): boolean {
    if (tails.get(line) === underWay.get(id)) tails.delete(line);
    underWay.delete(id);
    if (isTaken) {
      owed.delete(id);
      taken.add(id);
      forgetOldest(taken);
    }
    return isTaken;
  }

  function compare(batch: readonly RawUpdate[], isAll: boolean): void {
    const ids = new Set(batch.map(({ id }) => id));
    const first = Math.min(...ids);
    for (const id of owed.keys()) if (!underWay.has(id) && !ids.has(id) && (isAll || id < first)) owed.delete(id);
  }

  function offset(): number | undefined {
    const first = owed.size > 0 ? Math.min(...owed.keys()) : next;
    for (const id of taken) if (id < (first ?? 0)) taken.delete(id);
    return first;
  }

  async function idle(): Promise<void> {
    await Promise.all(underWay.values());
  }
}

/** Of what is called by webhook nobody ever says that it is over. */
function forgetOldest(ids: Set<number> | Map<number, unknown>): void {
  const [oldest] = ids.keys();
  if (ids.size > keptIds && oldest !== undefined) ids.delete(oldest);
}
