// A log of any length, made by the database itself in a few statements; half of it is one long conversation.
import { join } from "node:path";
import type { Database } from "../../src/store/database/database.ts";
import { migrate, migrations } from "../../src/store/database/migrations.ts";
import { openSqliteDatabase } from "../../src/store/database/sqlite-database.ts";
import { type EventLog, openEventLog } from "../../src/store/log/event-log.ts";

export type LongLog = AsyncDisposable & { events: number; database: Database; log: EventLog };

export const longConversation = "terminal--long";
const eventsPerTurn = 6;
const turnsPerShortConversation = 10;
const keptTurns = 50;
const eventsAtOnce = 250_000;

export async function openLongLog(folder: string, events: number): Promise<LongLog> {
  const database = openSqliteDatabase(join(folder, `log-${events}.db`));
  await migrate({ migrations, nowMs: Date.now, keepCopy: async () => {}, refold: async () => {} }, database);
  // in pieces, so that what is written ahead does not grow as large as the log
  for (let from = 1; from <= events; from += eventsAtOnce)
    await database.transaction(false, (tx) => tx.query(fillEvents, [from, Math.min(from + eventsAtOnce - 1, events)]));
  await database.transaction(false, (tx) => tx.query(fillConversations));
  const log = await openEventLog({ database, nowMs: Date.now, cachedCharacters: 0 });
  await summariseOlder(log);
  return { events, database, log, [Symbol.asyncDispose]: () => database.close() };
}

// one turn is six events: the message, start, step, reply, end, delivery; every other turn is of the long conversation
const fillEvents = `
  WITH RECURSIVE counted (seq) AS (SELECT CAST(? AS INTEGER) UNION ALL SELECT seq + 1 FROM counted WHERE seq < ?),
  placed AS (
    SELECT seq, (seq - 1) / ${eventsPerTurn} AS number, (seq - 1) % ${eventsPerTurn} AS part FROM counted
  ),
  named AS (
    SELECT *, 'turn_' || number AS turn, CASE number % 2
      WHEN 0 THEN '${longConversation}'
      ELSE 'terminal--short' || (number / ${2 * turnsPerShortConversation}) END AS conversation
    FROM placed
  )
  INSERT INTO events (seq, at_ms, type, conversation, turn, body)
  SELECT seq, 1700000000000 + seq * 1000,
    CASE part WHEN 0 THEN 'message.received' WHEN 1 THEN 'turn.started' WHEN 2 THEN 'step.finished'
      WHEN 3 THEN 'reply.written' WHEN 4 THEN 'turn.finished' ELSE 'reply.delivered' END,
    conversation,
    CASE part WHEN 0 THEN NULL ELSE turn END,
    CASE part
      WHEN 0 THEN json_object('messageId', 'message_' || number, 'channel', 'terminal',
        'sender', json('{"kind":"owner","id":"owner"}'), 'text', 'What about number ' || number || '?', 'attachments', json('[]'))
      WHEN 1 THEN json_object('turn', turn, 'messages', json_array(seq - 1))
      WHEN 2 THEN json_object('turn', turn, 'step', 0, 'model', 'fake/fake-model', 'toolCalls', json('[]'), 'finish', 'stop',
        'text', 'Number ' || number || ' is what it was, and nothing has been heard of it since then.',
        'usage', json('{"inputTokens":1000,"outputTokens":20,"cacheReadTokens":0,"cacheWriteTokens":0}'), 'costUsd', 0)
      WHEN 3 THEN json_object('turn', turn, 'channel', 'terminal', 'attachments', json('[]'),
        'text', 'Number ' || number || ' is what it was, and nothing has been heard of it since then.')
      WHEN 4 THEN json_object('turn', turn, 'ending', 'answered')
      ELSE json_object('turn', turn, 'reply', seq - 2, 'channel', 'terminal')
    END
  FROM named`;

const fillConversations = `
  INSERT INTO conversations (conversation, title, messages, last_at_ms, last_seq)
  SELECT conversation, '', COUNT(*), MAX(at_ms), MAX(seq) FROM events GROUP BY conversation`;

/** As in real life, the model sees the last hundred messages and a summary of the rest. */
async function summariseOlder(log: EventLog): Promise<void> {
  const kept = await log.latest(longConversation, (keptTurns + 1) * eventsPerTurn);
  const starts = kept.filter((event) => event.type === "turn.started");
  const firstKept = starts.at(-keptTurns);
  if (!firstKept) throw new Error("the long conversation is too short for this bench");
  await log.append([
    {
      type: "conversation.compacted",
      conversation: longConversation,
      // the message of the first turn that is kept stands just before it
      throughSeq: firstKept.seq - 2,
      summary: "They talked about numbers.",
      messagesBefore: 1_000,
      messagesAfter: 2 * keptTurns,
      model: "fake/fake-model",
      usage: { inputTokens: 1_000, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 },
    },
  ]);
}
