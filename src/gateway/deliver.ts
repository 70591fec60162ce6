// The way out: replies of channels that do not follow the log are handed to the channel's sender, and marked when they are there.
import type { EventOf } from "../contract/event.ts";
import type { SendReply } from "../contract/room/send-reply.ts";
import type { Database } from "../store/database/database.ts";
import type { EventLog } from "../store/log/event-log.ts";
import { conversationsToDeliver, nextToDeliver } from "../store/tables/outbox.ts";

export type Delivery = { close(): Promise<void> };

export type DeliveryDeps = {
  /** By the name of the channel. A channel that is not named here keeps its replies until it is. */
  senders: Readonly<Record<string, SendReply>>;
  log: EventLog;
  database: Database;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  onTrouble(message: string, cause: unknown): void;
};

const firstPauseMs = 1_000;
const longestPauseMs = 5 * 60_000;

/**
 * Replies of one conversation go out in order, and conversations do not wait for each other. One that fails is tried again
 * after ever longer pauses. What is still to be sent stands in the store, so a restart repeats rather than loses.
 */
export function openDelivery(deps: DeliveryDeps): Delivery {
  const { senders, log, database } = deps;
  const channels = Object.keys(senders);
  const closing = new AbortController();
  const working = new Map<string, Promise<void>>();
  const cameMeanwhile = new Set<string>();
  const unsubscribe = log.subscribe((events) => {
    for (const event of events) if (event.type === "reply.written" && channels.includes(event.channel)) start(event);
  });
  const resumed = resume().catch((cause) =>
    deps.onTrouble("It could not be read which replies are still to be delivered.", cause),
  );
  return {
    async close() {
      unsubscribe();
      closing.abort();
      await resumed;
      await Promise.all(working.values());
    },
  };

  async function resume(): Promise<void> {
    for (const conversation of await conversationsToDeliver(database, channels)) start({ conversation });
  }

  function start({ conversation }: { conversation: string }): void {
    if (closing.signal.aborted) return;
    if (working.has(conversation)) return void cameMeanwhile.add(conversation);
    const work = deliverAll(conversation).finally(() => {
      working.delete(conversation);
      if (cameMeanwhile.delete(conversation)) start({ conversation });
    });
    working.set(conversation, work);
  }

  async function deliverAll(conversation: string): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; ) {
      try {
        const reply = await nextToDeliver(database, conversation, channels);
        if (!reply) return;
        await deliver(reply);
        failures = 0;
      } catch (cause) {
        if (closing.signal.aborted) return;
        await pause(conversation, failures, cause);
        failures += 1;
      }
    }
  }

  async function deliver(reply: EventOf<"reply.written">): Promise<void> {
    const { conversation, turn, seq, channel } = reply;
    await senders[channel]?.(reply, closing.signal);
    await log.append([{ type: "reply.delivered", conversation, ...(turn && { turn }), reply: seq, channel }], {
      durable: false,
    });
  }

  function pause(conversation: string, failures: number, cause: unknown): Promise<void> {
    const pauseMs = Math.min(firstPauseMs * 2 ** failures, longestPauseMs);
    // once the pauses grow no longer there is nothing new to say
    if (pauseMs < longestPauseMs)
      deps.onTrouble(`A reply in ${conversation} could not be delivered; it is tried again.`, cause);
    return deps.sleep(pauseMs, closing.signal);
  }
}
