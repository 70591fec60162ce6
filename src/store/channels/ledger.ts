// The store's answers to what channels ask of what they knew before a restart.
import { z } from "zod";
import type { ChannelLedger } from "../../contract/channel/channel-ledger.ts";
import type { Database } from "../database/database.ts";
import { insertRow, rowReader } from "../database/rows.ts";
import type { EventLog } from "../log/event-log.ts";
import { listOpenApprovals } from "../tables/approvals.ts";
import { openTurnOf } from "../tables/open-work.ts";
import { findChat, findGroup, listGroups, readChat } from "./find-group.ts";
import { countUndelivered } from "./outbox.ts";
import { ownersChats } from "./owners-chats.ts";

const readPerson = rowReader(
  z.object({ channel: z.string(), person: z.string(), name: z.string(), pairedAtMs: z.number() }),
);
const readQuestion = rowReader(
  z.object({
    ...{ approvalId: z.string(), reply: z.number(), conversation: z.string(), channel: z.string(), ref: z.string() },
    answeredSeq: z.number(),
  }),
);
const readDraft = rowReader(
  z.object({ conversation: z.string(), turn: z.string(), ref: z.string(), atMs: z.number() }),
);

export function openChannelLedger({ database, log }: { database: Database; log: Pick<EventLog, "at"> }): ChannelLedger {
  return {
    chat: (conversation) => findChat(database, conversation),
    chats: async (channel) =>
      (
        await database.query(
          `SELECT chats.* FROM chats LEFT JOIN conversations ON conversations.conversation = chats.conversation
           WHERE chats.channel = ? ORDER BY COALESCE(conversations.last_seq, chats.met_seq) DESC LIMIT 1000`,
          [channel],
        )
      ).map(readChat),
    people: async (channel) =>
      (
        await database.query(
          `SELECT * FROM allowed_people ${channel === undefined ? "" : "WHERE channel = ?"} ORDER BY paired_at_ms`,
          channel === undefined ? [] : [channel],
        )
      ).map((row) => {
        const { person: id, ...rest } = readPerson(row);
        return { id, ...rest };
      }),
    groups: () => listGroups(database),
    formerGroups: () => listGroups(database, true),
    groupOf: (conversation) => findGroup(database, conversation),
    ownersChats: (channel) => ownersChats(database, channel),
    async openWork() {
      const rows = await database.query(
        "SELECT conversation, message_id FROM inbox UNION ALL SELECT conversation, NULL FROM open_turns ORDER BY conversation",
      );
      return [...Map.groupBy(rows, (row) => String(row.conversation))].map(([conversation, found]) => ({
        conversation,
        waiting: found.flatMap(({ message_id: id }) => (id === null ? [] : [String(id)])),
      }));
    },
    openApprovals: () => listOpenApprovals(database),
    async answeredQuestions() {
      const rows = await database.query("SELECT * FROM shown_questions WHERE answered_seq IS NOT NULL ORDER BY reply");
      const found = [];
      for (const { answeredSeq, ...question } of rows.map(readQuestion)) {
        const [event] = answeredSeq > 0 ? await log.at([answeredSeq]) : [];
        found.push({ ...question, answer: event?.type === "approval.answered" ? event : undefined });
      }
      return found;
    },
    async questionsIn(conversation) {
      const [last] = await database.query(
        "SELECT seq FROM events WHERE conversation = ? AND type = 'reply.written' ORDER BY seq DESC LIMIT 1",
        [conversation],
      );
      const rows = await database.query(
        "SELECT reply, approval_id, ref FROM shown_questions WHERE conversation = ? AND answered_seq IS NULL ORDER BY reply",
        [conversation],
      );
      return rows.map(({ reply, approval_id, ref }) => {
        return { approvalId: String(approval_id), ref: String(ref), isLast: Number(reply) === Number(last?.seq) };
      });
    },
    async questionInDoubt(conversation, approvalId) {
      const sql = "SELECT reply, sending FROM outbox WHERE conversation = ? AND asks = ? AND sending IS NOT NULL";
      const [row] = await database.query(sql, [conversation, approvalId]);
      return row && { reply: Number(row.reply), piece: Number(row.sending) };
    },
    turnIn: async (conversation) => (await openTurnOf(database, conversation))?.turn,
    undelivered: () => countUndelivered(database),
    drafts: async () => (await database.query("SELECT * FROM shown_drafts ORDER BY at_ms")).map(readDraft),
    async remembered(channel, name) {
      const [row] = await database.query("SELECT value FROM channel_notes WHERE channel = ? AND name = ?", [
        channel,
        name,
      ]);
      return row && String(row.value);
    },
    remember: (channel, name, value) =>
      database.transaction(true, (tx) =>
        insertRow(
          tx,
          "channel_notes",
          { channel, name, value },
          "(channel, name) DO UPDATE SET value = excluded.value",
        ),
      ),
  };
}
