// Which mails are new, and what becomes of each. How far it has come is remembered only after a mail is on disk, so none is lost.
import type { ImapFlow, SearchObject } from "imapflow";
import { z } from "zod";
import type { ChannelBase } from "../../contract/channel/channel.ts";
import { judgeSender } from "./genuine.ts";
import { answerMs, fetchHead, fetchSource, within } from "./imap-connection.ts";
import { readUpdate, type Sender } from "./read-update.ts";
import { type MailReader, maxMailBytes, unread } from "./reading/mail-reader.ts";
import type { MailBody, MailHead } from "./reading/read-mail.ts";
import { openReadingMark } from "./reading/reading-mark.ts";

/** It could not be written to disk, so it must come again. */
export class NotKept extends Error {}

export type MailTaker = {
  /** Called for each new connection, with the mailbox open. */
  begin(client: ImapFlow): Promise<void>;
  /** Hands on what has come since, oldest first. Throws NotKept. A mail that fails again and again is passed over in the end. */
  takeNew(client: ImapFlow): Promise<void>;
};

const uid = z.number().int().nonnegative();
/** atMs: when the last one came. again: numbers that the server has given anew to mails that may not have been taken. */
const Position = z.object({
  ...{ uidValidity: z.string(), lastUid: uid },
  ...{ atMs: z.number().optional(), again: z.array(uid).default([]) },
});
type Position = z.infer<typeof Position>;

/** The mail that all others wait for. */
type Held = { uid: number; from: string; atMs: number | undefined; tries: number; sinceMs: number };

// a mail that harms whoever reads it must not hold up the others for ever
const [mostTries, leastHeldMs] = [20, 10 * 60_000];
// the server searches by days, and each has its own time zone
const dayMs = 86_400_000;
// of a mail that is not answered, only tasks may want to know
const newsBytes = 128 * 1024;

export function openMailTaker(base: ChannelBase, reader: MailReader): MailTaker {
  const email = base.settings.channels.email;
  const name = `position:${email.mailbox}`;
  const allowed = new Set(email.allowedUserIds.map((address) => address.toLowerCase()));
  const own = new Set([email.address, email.user ?? ""].map((address) => address.toLowerCase()));
  const mark = openReadingMark(base, email.mailbox);
  let position: Position | undefined;
  let held: Held | undefined;
  return { begin, takeNew };

  async function begin(client: ImapFlow): Promise<void> {
    if (!client.mailbox) throw new Error("the mailbox is not open");
    const uidValidity = String(client.mailbox.uidValidity);
    position ??= readPosition(await base.recall(name));
    if (position?.uidValidity === uidValidity) return;
    const lastUid = await newestUid(client, client.mailbox.uidNext);
    // what lies there at the first start was written before anybody expected an answer
    if (!position) return keepPosition({ uidValidity, lastUid, atMs: base.world.nowMs(), again: [] });
    const nowMs = base.world.nowMs();
    const again = await cameSince(client, Math.min(position.atMs ?? nowMs, nowMs) - dayMs, lastUid);
    await keepPosition({ uidValidity, lastUid, atMs: position.atMs, again });
    base.trouble(
      `Email: the server has numbered the mails in ${email.mailbox} anew. Those of the last days are read again, and what was answered is not answered twice. One without a Message-ID is not read: look for such a mail yourself.`,
      undefined,
    );
  }

  async function takeNew(client: ImapFlow): Promise<void> {
    if (!position) throw new Error("the mailbox is not open");
    const { uidValidity, lastUid, again } = position;
    // the range always holds the newest mail, even if that is an old one
    const found = await searchAll(client, { uid: `${lastUid + 1}:*` });
    const news = found.filter((one) => one > lastUid).sort((one, other) => one - other);
    for (const uid of [...again, ...news]) {
      if (held?.uid !== uid) held = { uid, from: "", atMs: undefined, tries: 0, sinceMs: base.world.nowMs() };
      let isRead = true;
      try {
        isRead = await keep(() => mark.set({ uidValidity, uid }));
        if (isRead) await handOn(client, held, uidValidity);
      } catch (cause) {
        // one that cannot be lifted stands for a death too many, and the next process reads the mail all the same
        await mark.lift().catch(() => undefined);
        await passOver(held, cause, position);
        continue;
      }
      await keepPosition(past(position, held));
      if (!isRead)
        base.trouble(
          `Email: Steward has ended twice while it read mail ${uid} in ${email.mailbox}, so this mail was passed over. Read it in your mail program.`,
          undefined,
        );
    }
  }

  /** Throws the cause as long as there is hope. That it could be passed over is on disk first: a full disk costs no mail. */
  async function passOver(mail: Held, cause: unknown, before: Position): Promise<void> {
    mail.tries += 1;
    if (mail.tries < mostTries || base.world.nowMs() - mail.sinceMs < leastHeldMs) throw cause;
    await keepPosition(past(before, mail));
    base.trouble(
      `Email: mail ${mail.uid} in ${email.mailbox}${mail.from && `, from ${mail.from},`} could not be taken in ${mail.tries} tries and was passed over. Read it in your mail program.`,
      cause instanceof NotKept ? cause.cause : cause,
    );
  }

  async function handOn(client: ImapFlow, held: Held, uidValidity: string): Promise<void> {
    const { uid } = held;
    const found = await fetchHead(client, uid);
    if (!found) return;
    held.atMs = found.atMs;
    const head = await reader.head(found.raw);
    // by its number alone it would be another mail now, and be answered twice
    if (head.messageId === undefined && position?.again.includes(uid)) return;
    const key = head.messageId ?? `${uidValidity}:${uid}`;
    const { address = "", name: fromName = "" } = head.from ?? {};
    held.from = address;
    const answered = answerable(head, found.isWhole);
    if ("reason" in answered) base.note("a mail is not answered", { uid, reason: answered.reason });
    const body = await bodyOf(client, uid, found.bytes, "from" in answered);
    if (!body) return;
    await keep(async () => {
      await base.news?.({ key, from: address, fromName, subject: head.subject, text: body.newWords });
      const at = { key, atMs: found.atMs ?? base.world.nowMs() };
      if ("from" in answered) await base.take(readUpdate({ ...head, ...body }, answered.from, at));
    });
  }

  function answerable(head: MailHead, isWhole: boolean): { from: Sender } | { reason: string } {
    // what a second sender or a program has written may stand in the rest
    if (!isWhole) return { reason: "its headers are too long" };
    if (!head.from) return { reason: "it does not name one sender" };
    if (own.has(head.from.address)) return { reason: "it is our own" };
    if (head.isAutomatic) return { reason: "a program wrote it, or it went to many" };
    if (!allowed.has(head.from.address)) return { reason: "its sender is not in channels.email.allowedUserIds" };
    const verdict = judgeSender(head.headers, head.from.address, email.authServer);
    return verdict.isGenuine ? { from: head.from } : { reason: verdict.reason };
  }

  async function bodyOf(client: ImapFlow, uid: number, bytes: number, isAnswered: boolean) {
    if (isAnswered && bytes > maxMailBytes) return tooLarge(bytes);
    const raw = await fetchSource(client, uid, isAnswered ? maxMailBytes : newsBytes);
    return raw && reader.body(raw);
  }

  async function keepPosition(next: Position): Promise<void> {
    await keep(() => base.remember(name, JSON.stringify(next)));
    position = next;
  }
}

async function keep<Value>(write: () => Promise<Value>): Promise<Value> {
  try {
    return await write();
  } catch (cause) {
    throw new NotKept("it could not be kept", { cause });
  }
}

function past({ uidValidity, lastUid, atMs, again }: Position, mail: Held): Position {
  const rest = again.filter((one) => one !== mail.uid);
  return { uidValidity, lastUid: Math.max(lastUid, mail.uid), atMs: mail.atMs ?? atMs, again: rest };
}

/** By both dates: a mailbox that was moved may say of each mail that it has come only then. */
async function cameSince(client: ImapFlow, ms: number, lastUid: number): Promise<number[]> {
  const since = new Date(ms);
  const found = await searchAll(client, { since, sentSince: since });
  return found.filter((one) => one <= lastUid).sort((one, other) => one - other);
}

async function newestUid(client: ImapFlow, uidNext: number): Promise<number> {
  if (uidNext > 0) return uidNext - 1;
  return Math.max(0, ...(await searchAll(client, { uid: "*" })));
}

async function searchAll(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const found = await within(client, answerMs, client.search(query, { uid: true }));
  if (!found) throw new Error("the server refuses to search the mailbox");
  return found;
}

function readPosition(remembered: string | undefined): Position | undefined {
  if (remembered === undefined) return undefined;
  return Position.parse(JSON.parse(remembered));
}

function tooLarge(bytes: number): MailBody {
  return unread(`it is ${Math.ceil(bytes / 1024 / 1024)} MB large, which is more than is read.`);
}
