// A mail as a message to Steward: its new words, in the thread to which it belongs.
import { createHash } from "node:crypto";
import type { IncomingUpdate } from "../../contract/channel/incoming-update.ts";
import { isDirectId, shortThread } from "./compose-mail.ts";
import type { MailBody, MailHead } from "./reading/read-mail.ts";

export type Sender = NonNullable<MailHead["from"]>;

/** `key`: what the mail is called if it has no Message-ID. */
export function readUpdate(mail: MailHead & MailBody, from: Sender, at: { key: string; atMs: number }): IncomingUpdate {
  const messageId = mail.messageId ?? "";
  const root = mail.references[0] ?? mail.messageId ?? at.key;
  const thread = isDirectId(root) ? {} : { thread: createHash("sha256").update(root).digest("hex").slice(0, 16) };
  const references = messageId ? [...mail.references.filter((id) => id !== messageId), messageId] : mail.references;
  return {
    kind: "message",
    address: { chat: from.address, ...thread },
    isDirect: true,
    title: mail.subject || "(no subject)",
    from: { id: from.address, name: from.name || from.address },
    atMs: at.atMs,
    details: { messageId, references: shortThread(references).join(" "), subject: mail.subject, to: from.original },
    key: messageId || at.key,
    text: mail.newWords,
    files: mail.files.map(({ name, mediaType, data }) => ({
      name,
      mediaType,
      bytes: data.length,
      read: async () => data,
    })),
    labels: [labelOf(from.address)],
  };
}

/** Where words of a mail come from. */
export function labelOf(address: string): string {
  return `mail:${address.toLowerCase()}`;
}
