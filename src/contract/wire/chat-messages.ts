import type { Event } from "../event.ts";
import type { ChatMessage } from "./method.ts";

/** What is left of a conversation's events: nothing that was set aside by an edit, nothing that was forgotten or lies before a deletion. */
export function standingEvents<Kept extends Event>(events: readonly Kept[]): readonly Kept[] {
  let kept: Kept[] = [];
  for (const event of events) {
    if (event.type === "conversation.deleted") kept = [];
    else if (event.type === "conversation.rewound") kept = kept.filter(({ seq }) => seq < event.fromSeq);
    else if (event.type === "messages.forgotten") kept = withoutThese(kept, event.seqs);
    else kept.push(event);
  }
  return kept;
}

function withoutThese<Kept extends Event>(events: readonly Kept[], seqs: readonly number[]): Kept[] {
  const gone = new Set(seqs);
  // a call that stays has its answer, though that has lost its words
  return events.filter(({ seq, type }) => !gone.has(seq) || type === "tool.returned");
}

/** The conversation as a plain exchange of messages. */
export function messagesIn(events: readonly Event[]): ChatMessage[] {
  return standingEvents(events).flatMap((event): ChatMessage[] => {
    if (event.type !== "message.received" && event.type !== "reply.written") return [];
    const role = event.type === "message.received" ? "user" : "assistant";
    return [{ role, content: event.text, seq: event.seq, atMs: event.atMs }];
  });
}
