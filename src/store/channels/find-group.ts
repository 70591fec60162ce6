// To which group a conversation belongs, and so what it may see. It fails closed: what belonged to a group once never becomes the owner's.
import { createHash } from "node:crypto";
import { z } from "zod";
import { Chat } from "../../contract/channel/address.ts";
import { type Group, GroupOptions, mailGroupPrefix, removedGroupName } from "../../contract/channel/group.ts";
import { taskOf } from "../../contract/task/task.ts";
import type { Queryable, Row } from "../database/database.ts";
import { rowReader } from "../database/rows.ts";
import { findTask } from "../tasks/tasks.ts";

const readChatRow = rowReader(
  z.object({
    ...{ conversation: z.string(), channel: z.string(), chat: z.string(), thread: z.string().optional() },
    ...{ isDirect: z.number(), person: z.string().optional(), title: z.string(), details: z.string() },
  }),
);
const readGroupRow = rowReader(
  z.object({
    ...{ name: z.string(), title: z.string(), conversation: z.string(), channel: z.string(), chat: z.string() },
    options: z.string(),
  }),
);

// a task may have been made by a run of another one, and so on
const mostSteps = 10;

/** The group of its chat, of a thread in it, or of a task that was made there, so that nobody gains by waiting for one. */
export async function findGroup(db: Queryable, conversation: string): Promise<Group | undefined> {
  let place = conversation;
  let isGroups = false;
  for (let step = 0; step < mostSteps; step += 1) {
    const task = taskOf(place);
    const made = task === undefined ? undefined : await findTask(db, task);
    if (!made) break;
    isGroups ||= made.madeBy.kind === "group";
    place = made.madeIn;
  }
  const rows = await db.query(
    `SELECT chat_groups.* FROM chat_groups LEFT JOIN chats
       ON chats.channel = chat_groups.channel AND chats.chat = chat_groups.chat AND chats.conversation = ?
     WHERE chat_groups.is_removed = 0 AND (chats.conversation IS NOT NULL OR chat_groups.conversation = ?) LIMIT 1`,
    [place, place],
  );
  const [group] = rows.map(readGroup);
  if (group) return group;
  const chat = await findChat(db, place);
  if (chat?.channel === "email") return correspondent(chat);
  // what a group has left behind must not go on with the rights of the owner
  return isGroups || chat?.isDirect === false ? removedGroup(place, chat) : undefined;
}

export async function listGroups(db: Queryable, isRemoved = false): Promise<readonly Group[]> {
  const sql = "SELECT * FROM chat_groups WHERE is_removed = ? ORDER BY name";
  return (await db.query(sql, [isRemoved ? 1 : 0])).map(readGroup);
}

export async function findChat(db: Queryable, conversation: string): Promise<Chat | undefined> {
  return (await db.query("SELECT * FROM chats WHERE conversation = ?", [conversation])).map(readChat)[0];
}

/** Whoever is answered by mail is as far from the owner as a group is, each of them with a folder of their own. */
function correspondent({ conversation, channel, address }: Chat): Group {
  const name = `${mailGroupPrefix}${createHash("sha256").update(address.chat).digest("hex").slice(0, 12)}`;
  return {
    name,
    title: address.chat,
    conversation,
    channel,
    address,
    options: GroupOptions.parse({ needsTrigger: false }),
  };
}

function removedGroup(conversation: string, chat: Chat | undefined): Group {
  const options = GroupOptions.parse({ mode: "deny" });
  const { title = "", channel = "", address = { chat: conversation } } = chat ?? {};
  return { name: removedGroupName, title, conversation, channel, address, options };
}

export function readChat(row: Row): Chat {
  const { chat, thread, isDirect, person, details, ...rest } = readChatRow(row);
  return Chat.parse({
    ...rest,
    address: { chat, ...(thread !== undefined && { thread }) },
    isDirect: isDirect === 1,
    ...(person !== undefined && { person }),
    details: JSON.parse(details),
  });
}

function readGroup(row: Row): Group {
  const { chat, options, ...rest } = readGroupRow(row);
  return { ...rest, address: { chat }, options: GroupOptions.parse(JSON.parse(options)) };
}
