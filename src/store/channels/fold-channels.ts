// The fold of the log into what channels must know: where people talk, who may, which groups there are, what stands in chats.
import { type Address, conversationAt } from "../../contract/channel/address.ts";
import type { Event, EventOf } from "../../contract/event.ts";
import type { Queryable } from "../database/database.ts";
import { insertRow } from "../database/rows.ts";

export async function foldChannels(tx: Queryable, event: Event): Promise<void> {
  switch (event.type) {
    case "chat.met":
      return meetChat(tx, event);
    case "person.allowed": {
      const { channel, person, name, atMs: pairedAtMs } = event;
      return insertRow(
        tx,
        "allowed_people",
        { channel, person, name, pairedAtMs },
        "(channel, person) DO UPDATE SET name = excluded.name",
      );
    }
    case "person.removed":
      // nothing more is told where they read
      await tx.query(
        `UPDATE conversations SET spoken_seq = 0
         WHERE conversation IN (SELECT conversation FROM chats WHERE channel = ? AND person = ?)`,
        [event.channel, event.person],
      );
      await tx.query("DELETE FROM allowed_people WHERE channel = ? AND person = ?", [event.channel, event.person]);
      return;
    case "group.registered":
      return registerGroup(tx, event);
    case "group.changed":
      await tx.query("UPDATE chat_groups SET options = ? WHERE name = ?", [JSON.stringify(event.options), event.group]);
      return;
    case "group.removed":
      // its folder stays, and is kept for the same chat
      await tx.query("UPDATE chat_groups SET is_removed = 1 WHERE name = ?", [event.group]);
      return;
    case "reply.sending":
      return noteSending(tx, event.reply, event.piece);
    case "reply.unsent":
      return noteSending(tx, event.reply, null);
    case "reply.delivered":
      await tx.query("DELETE FROM outbox WHERE reply = ?", [event.reply]);
      return;
    case "reply.sent":
      await tx.query("UPDATE outbox SET sent = ?, sending = NULL WHERE reply = ?", [event.piece + 1, event.reply]);
      // the answer has taken the place of what was streamed
      await tx.query("DELETE FROM shown_drafts WHERE conversation = ? AND ref = ?", [event.conversation, event.ref]);
      return showQuestion(tx, event);
    case "approval.answered":
      await tx.query("UPDATE shown_questions SET answered_seq = ? WHERE approval_id = ?", [
        event.seq,
        event.approvalId,
      ]);
      return;
    case "question.closed":
      await tx.query("DELETE FROM shown_questions WHERE reply = ?", [event.reply]);
      return;
    case "draft.shown": {
      const { turn, conversation, ref, atMs } = event;
      return insertRow(
        tx,
        "shown_drafts",
        { turn, conversation, ref, atMs },
        "(turn) DO UPDATE SET ref = excluded.ref",
      );
    }
    case "draft.cleared":
      await tx.query("DELETE FROM shown_drafts WHERE turn = ?", [event.turn]);
      return;
    case "conversation.deleted":
      for (const table of ["chats", "shown_questions", "shown_drafts"])
        await tx.query(`DELETE FROM ${table} WHERE conversation = ?`, [event.conversation]);
      return;
    default:
      return;
  }
}

async function meetChat(tx: Queryable, event: EventOf<"chat.met">): Promise<void> {
  const { conversation, channel, address, isDirect, title, details = {}, seq: metSeq, person } = event;
  const { chat, thread } = address;
  await insertRow(
    tx,
    "chats",
    {
      conversation,
      channel,
      chat,
      thread,
      isDirect: isDirect ? 1 : 0,
      person,
      title,
      details: JSON.stringify(details),
      metSeq,
    },
    `(conversation) DO UPDATE SET title = excluded.title, details = excluded.details, is_direct = excluded.is_direct, person = excluded.person,
       met_seq = excluded.met_seq`,
  );
}

async function registerGroup(tx: Queryable, event: EventOf<"group.registered">): Promise<void> {
  const { group: name, title, channel, address, options, movedFrom } = event;
  const conversation = conversationAt(channel, address);
  if (movedFrom) await moveChats(tx, event, movedFrom);
  // the same chat may have been another group before
  await tx.query("DELETE FROM chat_groups WHERE name = ? OR (channel = ? AND chat = ?)", [name, channel, address.chat]);
  await insertRow(tx, "chat_groups", {
    ...{ name, title, conversation, channel, chat: address.chat },
    options: JSON.stringify(options),
  });
}

/** What began in the chat of before belongs to the group as before, and is answered where the chat is now. */
async function moveChats(
  tx: Queryable,
  { channel, address: { chat }, title, seq: metSeq }: EventOf<"group.registered">,
  from: Address,
): Promise<void> {
  const conversation = conversationAt(channel, from);
  await tx.query("UPDATE chats SET chat = ? WHERE channel = ? AND chat = ?", [chat, channel, from.chat]);
  // also where nobody had spoken yet
  const before = { conversation, channel, chat, isDirect: 0, title, details: "{}", metSeq };
  await insertRow(tx, "chats", before, "(conversation) DO NOTHING");
}

/** The buttons stand below the last piece. */
async function showQuestion(tx: Queryable, { reply, conversation, ref }: EventOf<"reply.sent">): Promise<void> {
  const [row] = await tx.query("SELECT asks, channel FROM outbox WHERE reply = ?", [reply]);
  if (!row || row.asks === null) return;
  const [open] = await tx.query("SELECT 1 AS open FROM open_approvals WHERE approval_id = ?", [String(row.asks)]);
  const answeredSeq = open ? undefined : 0;
  const shown = { reply, approvalId: String(row.asks), conversation, channel: String(row.channel), ref, answeredSeq };
  await insertRow(tx, "shown_questions", shown, "(reply) DO UPDATE SET ref = excluded.ref");
}

async function noteSending(tx: Queryable, reply: number, piece: number | null): Promise<void> {
  await tx.query("UPDATE outbox SET sending = ? WHERE reply = ?", [piece, reply]);
}
