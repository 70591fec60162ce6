// Whose words a message may hold: what its sender has not written, and for a reply what the conversation had read by then.
import { setImmediate } from "node:timers/promises";
import type { Event, EventOf } from "../../contract/event.ts";
import type { Queryable } from "../../store/database/database.ts";
import { readEvent } from "../../store/log/event-row.ts";
import { labelsOfMessage, labelsTaken } from "../../store/tables/conversation-labels.ts";

export type ConversationLabels = {
  of(said: EventOf<"message.received" | "reply.written">): Promise<readonly string[]>;
};

type Read = { throughSeq: number; labels: ReadonlySet<string> };

const mostConversations = 1_000;
const readAtOnce = 100;

/** Messages of a conversation are asked about in their order; going back costs reading it again. */
export function openConversationLabels(db: Queryable): ConversationLabels {
  const known = new Map<string, Read>();
  return {
    async of(said) {
      if (said.type === "message.received") return labelsOfWords(said);
      // a task has learnt what it says elsewhere
      if (said.task) return said.labels ?? [];
      return [...new Set([...(said.labels ?? []), ...(await labelsBefore(said))])].sort();
    },
  };

  async function labelsBefore({ conversation, seq }: Event): Promise<ReadonlySet<string>> {
    const before = known.get(conversation);
    const from = before && before.throughSeq < seq ? before : { throughSeq: 0, labels: new Set<string>() };
    const labels = await readLabels(db, { conversation, seq }, from);
    known.delete(conversation);
    known.set(conversation, { throughSeq: seq - 1, labels });
    const [oldest] = known.keys();
    if (known.size > mostConversations && oldest !== undefined) known.delete(oldest);
    return labels;
  }
}

/** What came along with the owner's words is not among them, unless it was heard. */
function labelsOfWords(message: EventOf<"message.received">): readonly string[] {
  const { sender, data, named, attachments } = message;
  const heard = named === undefined ? [] : attachments;
  const labels = sender.kind === "owner" && data !== undefined ? [] : message.labels;
  return labelsOfMessage({ ...message, attachments: heard, labels });
}

async function readLabels(
  db: Queryable,
  { conversation, seq }: Pick<Event, "conversation" | "seq">,
  { throughSeq, labels: before }: Read,
): Promise<ReadonlySet<string>> {
  let labels = new Set(before);
  for (let after = throughSeq; ; ) {
    // most of what tools return is long and nobody else's: it is not even parsed
    const rows = await db.query(
      `SELECT * FROM events WHERE conversation = ? AND seq > ? AND seq < ?
         AND (type IN ('message.received', 'conversation.renewed')
           OR (type IN ('tool.returned', 'reply.written') AND body LIKE '%"labels":["%'))
       ORDER BY seq LIMIT ?`,
      [conversation, after, seq, readAtOnce],
    );
    for (const event of rows.map(readEvent)) {
      if (event.type === "conversation.renewed") labels = new Set();
      for (const label of labelsTaken(event)) labels.add(label);
      after = event.seq;
    }
    if (rows.length < readAtOnce) return labels;
    await setImmediate();
  }
}
