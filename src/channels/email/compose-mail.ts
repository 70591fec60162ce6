// A mail as the bytes that go over the wire and into the Sent mailbox. Whatever a header is made of is brought into one line first.
import { createHash } from "node:crypto";
import type { OutgoingFile } from "../../contract/channel/outgoing-message.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";

export type NewMail = {
  messageId: string;
  from: string;
  to: readonly string[];
  cc?: readonly string[];
  subject: string;
  text: string;
  html: string | undefined;
  references: readonly string[];
  file?: OutgoingFile | undefined;
  atMs: number;
  /** Says that a program has written it, so that other programs do not answer it. */
  isAutomatic: boolean;
};

const direct = "direct.";
const [lastReferences, longestReferences] = [20, 2_000];

export async function composeMail(mail: NewMail): Promise<Buffer> {
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const references = shortThread(mail.references.filter((id) => /^<[^<>\s]+>$/.test(id)));
  const composed = new MailComposer({
    messageId: mail.messageId,
    from: asAddress(mail.from),
    to: mail.to.map(asAddress),
    cc: (mail.cc ?? []).map(asAddress),
    subject: visibleLine(mail.subject, 500),
    date: new Date(mail.atMs),
    text: mail.text,
    ...(mail.html === undefined ? {} : { html: mail.html }),
    ...(references.length === 0 ? {} : { references: [...references], inReplyTo: references.at(-1) }),
    headers: mail.isAutomatic ? { "Auto-Submitted": "auto-replied" } : {},
    attachments: mail.file ? [attachmentOf(mail.file)] : [],
    // what is written in a mail never names a file or an address to fetch
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  return new Promise((resolve, reject) => {
    composed.build((cause, bytes) => (cause ? reject(cause) : resolve(bytes as Buffer)));
  });
}

/**
 * The same key always gives the same one, so that a mail can be looked up. In a mail that begins no thread of its own it says so: an
 * answer to it belongs to the direct conversation.
 */
export function messageIdOf(key: string, address: string, isDirect: boolean): string {
  const hash = createHash("sha256").update(key).digest("hex").slice(0, 32);
  return `<${isDirect ? direct : ""}${hash}@${address.slice(address.lastIndexOf("@") + 1)}>`;
}

export function isDirectId(messageId: string): boolean {
  return messageId.startsWith(`<${direct}`);
}

export function replySubject(subject: string): string {
  return `Re: ${subject.replace(/^(\s*(re|aw|antw|sv)(\[\d+\])?\s*:)+\s*/i, "")}`;
}

/** The first one names the thread and the last ones what is answered; those between may go. */
export function shortThread(references: readonly string[]): readonly string[] {
  const [first, ...others] = references.filter((id) => id !== "");
  if (first === undefined) return [];
  const last = others.slice(-lastReferences);
  while (last.length > 1 && [first, ...last].join(" ").length > longestReferences) last.shift();
  return [first, ...last];
}

function asAddress(address: string) {
  return { name: "", address: visibleLine(address, 320) };
}

function attachmentOf({ name, mediaType, data }: OutgoingFile) {
  const isType = /^[\w.+-]+\/[\w.+-]+$/.test(mediaType);
  return {
    filename: visibleLine(name, 150),
    contentType: isType ? mediaType : "application/octet-stream",
    content: Buffer.from(data),
  };
}
