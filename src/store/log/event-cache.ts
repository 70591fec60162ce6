import type { Event } from "../../contract/event.ts";

/** An event and how much room it takes on the disk, which stands for the room it takes in memory. */
export type SizedEvent = { event: Event; size: number };

/** All events of a conversation from this number on, without a hole. */
export type NewestEvents = { fromSeq: number; events: readonly Event[] };

/** The newest events of the conversations that were last used, so that a turn need not read and parse them again. */
export type EventCache = {
  /** Takes in what was just written, in the order of the log. */
  add(written: readonly SizedEvent[]): void;
  newest(conversation: string): NewestEvents;
  /** Takes in older events that were read: all from `fromSeq` up to where the newest began at that time. */
  extend(conversation: string, older: { fromSeq: number; untilSeq: number; events: readonly SizedEvent[] }): void;
  /** Undefined unless the turn's every event is here. */
  ofTurn(turn: string): readonly Event[] | undefined;
  at(seq: number): Event | undefined;
};

type Kept = { fromSeq: number; events: Event[] };

export function openEventCache(lastSeq: number, maxSize: number): EventCache {
  // in the order of their last use
  const conversations = new Map<string, Kept>();
  const bySeq = new Map<number, SizedEvent>();
  const conversationOfTurn = new Map<string, string>();
  let addedSeq = lastSeq;
  let size = 0;

  return {
    add(written) {
      for (const sized of written) addNewest(sized);
      makeRoom();
    },
    newest: (conversation) => use(conversation) ?? { fromSeq: addedSeq + 1, events: [] },
    extend(conversation, older) {
      const kept = use(conversation);
      // the beginning has moved since they were read, and there may be something in between
      if ((kept?.fromSeq ?? addedSeq + 1) !== older.untilSeq) return;
      const added = older.events.reduce((sum, sized) => sum + sized.size, 0);
      const present = kept?.events.reduce((sum, { seq }) => sum + (bySeq.get(seq)?.size ?? 0), 0) ?? 0;
      // what does not fit would push itself out again
      if (added + present > maxSize) return;
      // a key that nobody ever wrote to must take no room
      if (older.events.length === 0 && !kept) return;
      for (const sized of older.events) remember(sized);
      const events = [...older.events.map(({ event }) => event), ...(kept?.events ?? [])];
      conversations.set(conversation, { fromSeq: older.fromSeq, events });
      makeRoom();
    },
    ofTurn(turn) {
      const kept = conversations.get(conversationOfTurn.get(turn) ?? "");
      return kept?.events.filter((event) => "turn" in event && event.turn === turn);
    },
    at: (seq) => bySeq.get(seq)?.event,
  };

  function addNewest(sized: SizedEvent): void {
    const { conversation, seq, type } = sized.event;
    // what was said is gone from the log, and so it goes from here
    if (type === "conversation.deleted" || type === "messages.forgotten")
      forget(conversation, Number.POSITIVE_INFINITY);
    addedSeq = seq;
    remember(sized);
    const kept = use(conversation);
    if (kept) kept.events.push(sized.event);
    else conversations.set(conversation, { fromSeq: seq, events: [sized.event] });
  }

  function remember(sized: SizedEvent): void {
    const { event } = sized;
    bySeq.set(event.seq, sized);
    size += sized.size;
    if (event.type === "turn.started") conversationOfTurn.set(event.turn, event.conversation);
  }

  function use(conversation: string): Kept | undefined {
    const kept = conversations.get(conversation);
    if (!kept) return undefined;
    conversations.delete(conversation);
    conversations.set(conversation, kept);
    return kept;
  }

  // always from the old end of a conversation, so that what is left has no hole
  function makeRoom(): void {
    while (size > maxSize) {
      const [oldest] = conversations;
      if (!oldest) return;
      const [conversation, kept] = oldest;
      forget(conversation, conversations.size > 1 ? kept.events.length : Math.ceil(kept.events.length / 2));
    }
  }

  function forget(conversation: string, count: number): void {
    const kept = conversations.get(conversation);
    if (!kept) return;
    for (const event of kept.events.splice(0, count)) {
      size -= bySeq.get(event.seq)?.size ?? 0;
      bySeq.delete(event.seq);
      if (event.type === "turn.started") conversationOfTurn.delete(event.turn);
    }
    const [first] = kept.events;
    if (first) kept.fromSeq = first.seq;
    else conversations.delete(conversation);
  }
}
