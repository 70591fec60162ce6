// The newest messages of a conversation, and the events they stand among.
import type { Event } from "../contract/event.ts";
import { messagesIn } from "../contract/wire/chat-messages.ts";
import type { ChatMessage } from "../contract/wire/method.ts";
import type { EventLog } from "../store/log/event-log.ts";

const eventsAtOnce = 1_000;
// a turn may have hundreds of steps between two messages, but a client is not kept waiting for ever
const mostEventsRead = 20_000;

export type HowMuch = { limit: number; maxEvents?: number | undefined; beforeSeq?: number | undefined };

export async function readHistory(
  log: Pick<EventLog, "latest">,
  conversation: string,
  { limit, maxEvents, beforeSeq }: HowMuch,
): Promise<{ messages: ChatMessage[]; events: Event[] }> {
  let events = await log.latest(conversation, maxEvents ?? eventsAtOnce, beforeSeq);
  let found = messagesIn(events).length;
  let isMore = maxEvents === undefined && events.length === eventsAtOnce;
  while (isMore && found < limit && events.length < mostEventsRead) {
    const earlier = await log.latest(conversation, eventsAtOnce, events[0]?.seq);
    events = [...earlier, ...events];
    found += messagesIn(earlier).length;
    isMore = earlier.length === eventsAtOnce;
  }
  const newest = messagesIn(events).slice(-limit);
  if (maxEvents !== undefined) return { messages: newest, events: [...events] };
  const from = newest[0]?.seq ?? 0;
  return { messages: newest, events: events.filter(({ seq }) => seq >= from).slice(-eventsAtOnce) };
}
