// The mailbox of what was sent: here a mail is looked up of which nobody knows whether it went out.
import type { ImapFlow } from "imapflow";
import { answerMs, type ImapPlace, openToRead, visitImap, within } from "./imap-connection.ts";

export type SentMailbox = {
  holds(messageId: string, signal: AbortSignal): Promise<boolean>;
  /** Puts a copy there, unless the server has done so by itself. */
  keep(messageId: string, raw: Buffer, signal: AbortSignal): Promise<void>;
};

export function sentMailbox(place: ImapPlace): SentMailbox {
  return {
    holds: (messageId, signal) =>
      visitImap(place, signal, async (client) => {
        const path = await pathOfSent(client);
        return path !== undefined && (await isIn(client, path, messageId));
      }),
    keep: (messageId, raw, signal) =>
      visitImap(place, signal, async (client) => {
        const path = await pathOfSent(client);
        if (path !== undefined && (await isIn(client, path, messageId))) return;
        if (path === undefined) await within(client, answerMs, client.mailboxCreate("Sent"));
        await within(client, answerMs, client.append(path ?? "Sent", raw, ["\\Seen"]));
      }),
  };
}

async function pathOfSent(client: ImapFlow): Promise<string | undefined> {
  const all = await within(client, answerMs, client.list());
  return (all.find((one) => one.specialUse === "\\Sent") ?? all.find((one) => one.path === "Sent"))?.path;
}

async function isIn(client: ImapFlow, path: string, messageId: string): Promise<boolean> {
  await openToRead(client, path);
  const found = await within(client, answerMs, client.search({ header: { "message-id": messageId } }, { uid: true }));
  // undefined or false: it could not be looked for, which is not the same as not there
  if (!found) throw new Error(`${path} could not be searched`);
  return found.length > 0;
}
