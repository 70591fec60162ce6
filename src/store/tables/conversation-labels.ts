// Whose words a conversation has taken in, from what the log holds of it.
import type { Event, EventOf } from "../../contract/event.ts";
import { heartbeatConversation } from "../../contract/task/task.ts";
import type { Queryable } from "../database/database.ts";
import { readEvent } from "../log/event-row.ts";

export function labelsOfMessage({ sender, attachments, labels = [] }: EventOf<"message.received">): readonly string[] {
  return [
    ...(sender.kind === "group" || sender.kind === "stranger" ? [`person:${sender.id}`] : []),
    // whoever hands a file on has mostly not written it
    ...attachments.map(({ name }) => `upload:${name}`),
    ...labels,
  ];
}

/** What a message brings along when it comes in, a call when it returns, a reply when it is said. */
export function labelsTaken(event: Event): readonly string[] {
  if (event.type === "message.received") return labelsOfMessage(event);
  if (event.type === "tool.returned") return event.labels;
  // a question that another conversation asks is shown here, and no model here ever reads it
  return event.type === "reply.written" && event.asks === undefined ? (event.labels ?? []) : [];
}

/** As they were added up one by one, by what is left of the events. */
export async function labelsFromLog(tx: Queryable, conversation: string): Promise<readonly string[]> {
  const rows = await tx.query(
    `SELECT * FROM events WHERE conversation = ? AND (type IN ('message.received', 'turn.started', 'conversation.renewed')
       OR (type IN ('tool.returned', 'reply.written') AND body LIKE '%"labels":["%')) ORDER BY seq`,
    [conversation],
  );
  const received = new Map<number, EventOf<"message.received">>();
  let labels = new Set<string>();
  for (const event of rows.map(readEvent)) {
    if (event.type === "message.received") received.set(event.seq, event);
    const begun = event.type === "turn.started" ? event.messages.flatMap((seq) => received.get(seq) ?? []) : [];
    // a look around sees nothing of those before it
    const beginsClean = conversation === heartbeatConversation && begun.some(({ run }) => run);
    if (event.type === "conversation.renewed" || beginsClean) labels = new Set();
    for (const label of [...begun.flatMap(labelsOfMessage), ...labelsTaken(event)]) labels.add(label);
  }
  return [...labels].sort();
}
