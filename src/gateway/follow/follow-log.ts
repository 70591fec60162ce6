import type { Followed } from "../../contract/client.ts";
import type { Event } from "../../contract/event.ts";
import type { EventLog } from "../../store/log/event-log.ts";
import type { LiveBus } from "../live-bus.ts";

// the first look is small: whoever reads slowly comes back often, and takes little each time
const firstBatch = 16;
const largestBatch = 512;

/** Everything after `since` without gaps or repeats, then what is new; live signals come between the events they belong to. */
export function followLog(
  deps: { log: EventLog; live: LiveBus; onTrouble(message: string, cause: unknown): void },
  since: number,
  listener: (followed: Followed) => void,
): () => void {
  let seen = since;
  let caughtUp = false;
  let stopped = false;
  const unsubscribeLog = deps.log.subscribe((events) => {
    // until the past is told, the present waits in the log
    if (caughtUp) for (const event of events) tell(event);
  });
  const unsubscribeLive = deps.live.subscribe((signal) => {
    if (caughtUp) listener(signal);
  });
  catchUp().catch((cause) => deps.onTrouble("A client could not be told what it missed.", cause));
  return () => {
    stopped = true;
    unsubscribeLog();
    unsubscribeLive();
  };

  async function catchUp(): Promise<void> {
    for (let size = firstBatch; !stopped && seen < deps.log.lastSeq(); size = Math.min(2 * size, largestBatch)) {
      for (const event of await deps.log.since(seen, size)) tell(event);
    }
    caughtUp = true;
    if (!stopped) for (const signal of deps.live.soFar()) listener(signal);
  }

  function tell(event: Event): void {
    if (stopped || event.seq <= seen) return;
    seen = event.seq;
    listener(event);
  }
}
