// The way out: tails the log, hands each reply to the channel its question came from, and marks it when it is there.
import type { EventOf } from "../contract/event.ts";
import type { SendReply } from "../contract/room/send-reply.ts";
import type { Database } from "../store/database/database.ts";
import type { EventLog } from "../store/log/event-log.ts";
import { undelivered } from "../store/tables/current-state.ts";

export type Delivery = { close(): Promise<void> };

const batchSize = 100;

export function openDelivery(deps: {
  channel: string;
  log: EventLog;
  database: Database;
  send: SendReply;
  retryAfterMs: number;
  onTrouble(message: string, cause: unknown): void;
}): Delivery {
  const { channel, log, database } = deps;
  let working: Promise<void> | undefined;
  let again = true;
  let closed = false;
  const closing = new AbortController();
  let retry: NodeJS.Timeout | undefined;
  const unsubscribe = log.subscribe((events) => {
    if (events.some((event) => event.type === "reply.written" && event.channel === channel)) start();
  });
  start();
  return {
    async close() {
      closed = true;
      closing.abort();
      unsubscribe();
      clearTimeout(retry);
      await working;
    },
  };

  function start(): void {
    again = true;
    working ??= work().finally(() => {
      working = undefined;
    });
  }

  async function work(): Promise<void> {
    try {
      while (again && !closed) {
        again = false;
        const replies = await undelivered(database, channel, batchSize);
        for (const event of await log.at(replies)) if (event.type === "reply.written") await deliver(event);
        if (replies.length === batchSize) again = true;
      }
    } catch (cause) {
      deps.onTrouble(`A reply could not be delivered by ${channel}; it will be tried again.`, cause);
      if (!closed) retry = setTimeout(start, deps.retryAfterMs);
    }
  }

  async function deliver(reply: EventOf<"reply.written">): Promise<void> {
    await deps.send(reply, closing.signal);
    const { conversation, turn, seq } = reply;
    await log.append([{ type: "reply.delivered", conversation, ...(turn && { turn }), reply: seq, channel }], {
      durable: false,
    });
  }
}
