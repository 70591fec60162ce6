import { isProgress } from "../agent/turn-state.ts";
import type { EventLog } from "../store/log/event-log.ts";

/** Long enough to see that the program is still there; one that hangs does not come this far. */
const longestTrialMs = 2_000;

/**
 * Turns with which a process has died are begun one after another, each when the one before has got somewhere: so the one
 * that ends processes is found, and the others keep their good name. Resolves when the turn may go on.
 */
export type Trials = (turn: string, begin: () => Promise<void>) => Promise<void>;

export function openTrials(log: EventLog): Trials {
  let last: Promise<void> = Promise.resolve();
  return async (turn, begin) => {
    const before = last;
    const { promise, resolve: end } = Promise.withResolvers<void>();
    last = promise;
    await before;
    try {
      await begin();
    } catch (cause) {
      end();
      throw cause;
    }
    const timer = setTimeout(endTrial, longestTrialMs).unref();
    const unsubscribe = log.subscribe((events) => {
      if (events.some((event) => "turn" in event && event.turn === turn && isProgress(event))) endTrial();
    });

    function endTrial(): void {
      clearTimeout(timer);
      unsubscribe();
      end();
    }
  };
}
