// Who waits for a job, and when it is worth looking for one. While nothing is due nobody looks: one timer waits for the next time.
import type { Claim } from "./engine.ts";

export type Waiting = { worker: string; leaseMs: number };
/** `nextAtMs`: when it is worth looking again. */
export type Taken = { claims: readonly Claim[]; nextAtMs: number };

export type DueWatchDeps = {
  nowMs(): number;
  /** Takes as many due jobs as it can, at most one for each of those who wait, in their order. */
  take(waiting: readonly Waiting[]): Promise<Taken>;
  /** Nobody wants this one any more. */
  putBack(claim: Claim): Promise<void>;
  onTrouble(message: string, cause: unknown): void;
};

export type DueWatch = {
  next(waiting: Waiting, signal: AbortSignal): Promise<Claim | undefined>;
  /** Something may be due from this time on. */
  expect(atMs: number): void;
  close(): Promise<void>;
};

// a clock that is set, or a machine that slept, is noticed after this long
const longestWaitMs = 20_000;

type Waiter = Waiting & { answer(claim: Claim | undefined): void };

export function openDueWatch(deps: DueWatchDeps): DueWatch {
  const waiters = new Set<Waiter>();
  let lookAtMs = 0;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  return {
    next(waiting, signal) {
      if (isClosed || signal.aborted) return Promise.resolve(undefined);
      return new Promise((resolve) => {
        const giveUp = () => waiter.answer(undefined);
        const waiter: Waiter = {
          ...waiting,
          answer(claim) {
            waiters.delete(waiter);
            signal.removeEventListener("abort", giveUp);
            resolve(claim);
          },
        };
        signal.addEventListener("abort", giveUp);
        waiters.add(waiter);
        look();
      });
    },
    expect(atMs) {
      lookAtMs = Math.min(lookAtMs, atMs);
      look();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      for (const waiter of waiters) waiter.answer(undefined);
      await looking;
    },
  };

  function look(): void {
    clearTimeout(timer);
    if (looking || waiters.size === 0) return;
    if (isDue()) looking = lookUntilQuiet();
    else if (Number.isFinite(lookAtMs)) arm();
  }

  function arm(): void {
    timer = setTimeout(look, Math.min(lookAtMs - deps.nowMs(), longestWaitMs));
    timer.unref();
  }

  function isDue(): boolean {
    return lookAtMs <= deps.nowMs();
  }

  async function lookUntilQuiet(): Promise<void> {
    try {
      do await takeSome();
      while (waiters.size > 0 && isDue());
    } catch (cause) {
      deps.onTrouble("Jobs that may be due could not be looked for; it is tried again soon.", cause);
      lookAtMs = deps.nowMs() + longestWaitMs;
    } finally {
      looking = undefined;
    }
    if (!isClosed) look();
  }

  async function takeSome(): Promise<void> {
    // what is announced from here on brings it forward again
    lookAtMs = Number.POSITIVE_INFINITY;
    const asked = [...waiters];
    const { claims, nextAtMs } = await deps.take(asked);
    lookAtMs = Math.min(lookAtMs, nextAtMs);
    for (const [at, claim] of claims.entries()) {
      const waiter = asked[at];
      if (waiter && waiters.has(waiter)) waiter.answer(claim);
      else await giveBack(claim);
    }
  }
  async function giveBack(claim: Claim): Promise<void> {
    await deps.putBack(claim);
    lookAtMs = 0;
  }
}
