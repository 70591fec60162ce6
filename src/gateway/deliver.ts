// The way out: replies of channels that do not follow the log are handed to the channel's sender, and marked when they are there.
import { SendFailure } from "../contract/channel/outgoing-message.ts";
import type { ReplyOutlet } from "../contract/channel/reply-outlet.ts";
import type { EventOf, NewEvent } from "../contract/event.ts";
import { reasonOf } from "../contract/failure.ts";
import { conversationsToDeliver, nextToDeliver, type Undelivered } from "../store/channels/outbox.ts";
import type { Database } from "../store/database/database.ts";
import type { EventLog } from "../store/log/event-log.ts";

export type Delivery = { close(): Promise<void> };

export type DeliveryDeps = {
  /** By the name of the channel. A channel that is not named here keeps its replies until it is. */
  senders: Readonly<Record<string, ReplyOutlet>>;
  log: EventLog;
  database: Database;
  nowMs(): number;
  /** A reply that waited for so long says so. */
  lateAfterMinutes: number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  onTrouble(message: string, cause: unknown): void;
};

const firstPauseMs = 1_000;
const longestPauseMs = 5 * 60_000;
const graceMs = 1_500;

/**
 * Replies of one conversation go out in order, and conversations do not wait for each other. One that fails is tried again
 * after ever longer pauses. What is still to be sent stands in the store, so a restart goes on with the piece it had come to.
 */
export function openDelivery(deps: DeliveryDeps): Delivery {
  const { senders, log, database } = deps;
  const channels = Object.keys(senders);
  // no new piece is begun, and what is on its way gets a moment to arrive
  const closing = new AbortController();
  const cutting = new AbortController();
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
      const timer = setTimeout(() => cutting.abort(), graceMs);
      await Promise.all(working.values());
      clearTimeout(timer);
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
        const next = await nextToDeliver(database, conversation, channels);
        if (!next) return;
        await deliver(next);
        failures = 0;
      } catch (cause) {
        if (closing.signal.aborted) return;
        await pause(conversation, failures, cause);
        failures += 1;
      }
    }
  }

  async function deliver({ reply, sent, sending }: Undelivered): Promise<void> {
    const outlet = senders[reply.channel];
    if (!outlet) return;
    const late = deps.nowMs() - reply.atMs > deps.lateAfterMinutes * 60_000;
    try {
      const pieces = await outlet.pieces(reply);
      if (sending !== undefined && sending >= pieces) await noteUnwanted(outlet, reply, sending);
      for (let piece = sent; piece < pieces; piece += 1) {
        if (closing.signal.aborted) return;
        await sendPiece(outlet, reply, { piece, isInDoubt: piece === sending, late });
      }
      await end(reply, late ? { late: true } : {});
    } catch (cause) {
      if (!(cause instanceof SendFailure) || cause.retry !== "never") throw cause;
      deps.onTrouble(
        `A reply in ${reply.conversation} cannot be delivered there. It stays in the conversation.`,
        cause,
      );
      await end(reply, { failed: cause.message });
    }
  }

  /** A question that was answered meanwhile may stand there all the same, and once that is known its buttons go. */
  async function noteUnwanted(outlet: ReplyOutlet, reply: EventOf<"reply.written">, piece: number): Promise<void> {
    const found = await outlet.find?.(reply, piece, cutting.signal);
    if (typeof found === "object") await note(reply, piece, found.ref, false);
  }

  type Piece = { piece: number; isInDoubt: boolean; late: boolean };

  async function sendPiece(
    outlet: ReplyOutlet,
    reply: EventOf<"reply.written">,
    { piece, isInDoubt, late }: Piece,
  ): Promise<void> {
    const { signal } = cutting;
    const found = isInDoubt ? await outlet.find?.(reply, piece, signal) : undefined;
    if (typeof found === "object") return note(reply, piece, found.ref, false);
    const mayRepeat = found === "unknown" || (isInDoubt && !outlet.dropsRepeats && !outlet.find);
    // noted before it goes out: of a note without an end nobody knows what became of the piece
    if (!isInDoubt)
      await append(reply, { type: "reply.sending", conversation: reply.conversation, reply: reply.seq, piece }, true);
    try {
      const { ref } = await outlet.send(reply, piece, { mayRepeat, late, signal });
      await note(reply, piece, ref, mayRepeat);
    } catch (cause) {
      const place = { conversation: reply.conversation, reply: reply.seq, piece };
      // what surely has not arrived is in doubt no more, unless it already was before this attempt
      if (cause instanceof SendFailure && cause.arrived === "no" && !isInDoubt)
        await append(reply, { type: "reply.unsent", ...place, reason: cause.message }, false);
      throw cause;
    }
  }

  function note(reply: EventOf<"reply.written">, piece: number, ref: string, mayRepeat: boolean): Promise<void> {
    const place = { conversation: reply.conversation, reply: reply.seq, piece };
    return append(reply, { type: "reply.sent", ...place, ref, ...(mayRepeat && { mayRepeat }) }, false);
  }

  function end(reply: EventOf<"reply.written">, how: { late?: true; failed?: string }): Promise<void> {
    const { conversation, turn, seq, channel } = reply;
    const place = { conversation, ...(turn && { turn }), reply: seq, channel };
    return append(reply, { type: "reply.delivered", ...place, ...how }, false);
  }

  /** Of a conversation that was deleted meanwhile nothing more is written. */
  async function append({ seq }: EventOf<"reply.written">, event: NewEvent, durable: boolean): Promise<void> {
    await log.appendDecided(
      async (tx) =>
        (await tx.query("SELECT 1 AS there FROM outbox WHERE reply = ?", [seq])).length > 0 ? [event] : [],
      { durable },
    );
  }

  function pause(conversation: string, failures: number, cause: unknown): Promise<void> {
    const wantedMs = (cause instanceof SendFailure && cause.retryAfterMs) || 0;
    const pauseMs = Math.max(wantedMs, Math.min(firstPauseMs * 2 ** failures, longestPauseMs));
    // once the pauses grow no longer there is nothing new to say, and a platform that asks for patience is no trouble
    if (pauseMs < longestPauseMs && wantedMs === 0)
      deps.onTrouble(`A reply in ${conversation} could not be delivered; it is tried again: ${reasonOf(cause)}`, cause);
    return deps.sleep(pauseMs, closing.signal);
  }
}
