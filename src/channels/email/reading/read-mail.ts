// The bytes of a mail as a value; whatever stands in them is a stranger's. Runs in the reading thread.
import type { Email } from "postal-mime";
import { visibleLine } from "../../../contract/words/visible-line.ts";
import type { MailHeader } from "../genuine.ts";
import { htmlText } from "./html-text.ts";
import { longestText, newWords } from "./new-words.ts";

export type MailHead = {
  /** As they came. */
  headers: readonly MailHeader[];
  /** Undefined unless the mail names exactly one. `original`: with the capital letters of its writer. */
  from: { address: string; original: string; name: string } | undefined;
  to: string;
  cc: string;
  subject: string;
  date: string;
  messageId: string | undefined;
  /** Oldest first. */
  references: readonly string[];
  /** Written by a program, for many, or about another mail: answering it would be wrong. */
  isAutomatic: boolean;
};

export type MailBody = {
  /** Its beginning, if it is very long. */
  text: string;
  /** What of it was newly written. */
  newWords: string;
  files: readonly { name: string; mediaType: string; data: Uint8Array<ArrayBuffer> }[];
};

const messageIds = /<[^<>\s]{1,250}>/g;
const mostReferences = 50;
const mostFiles = 100;

/** Of the headers alone, or of a whole mail. */
export async function readHead(raw: Uint8Array): Promise<MailHead> {
  const { addressParser, decodeWords } = await import("postal-mime");
  const headers = (await parse(raw)).headers.map(({ key, value }) => ({ key, value }));
  const named = headers
    .filter((header) => header.key === "from")
    .flatMap(({ value }) => addressParser(value.slice(0, 10_000), { flatten: true }));
  return {
    headers,
    from: named.length === 1 && named[0]?.address ? senderOf(named[0].address, decodeWords(named[0].name)) : undefined,
    to: shownHeader(headers, "to"),
    cc: shownHeader(headers, "cc"),
    subject: visibleLine(decodeWords(headerOf(headers, "subject").slice(0, 10_000)), 500),
    date: shownHeader(headers, "date"),
    messageId: idsIn(headers, "message-id")[0],
    references: [...new Set([...idsIn(headers, "references"), ...idsIn(headers, "in-reply-to").slice(0, 1)])],
    isAutomatic: isAutomatic(headers, named[0]?.address ?? ""),
  };
}

/** Of a mail that may have been cut anywhere. */
export async function readBody(raw: Uint8Array): Promise<MailBody> {
  const email = await parse(raw);
  const text = textOf(email);
  const files = email.attachments.slice(0, mostFiles).map((attachment, index) => fileOf(attachment, index));
  const left = email.attachments.length - files.length;
  const remark = left > 0 ? `\n[${left} more attachments of this mail are left out.]` : "";
  return { text: text.slice(0, longestText) + remark, newWords: newWords(text) + remark, files };
}

async function parse(raw: Uint8Array): Promise<Email> {
  const { default: PostalMime } = await import("postal-mime");
  return PostalMime.parse(raw, { maxNestingDepth: 50, maxHeadersSize: 1_000_000, forceRfc822Attachments: true });
}

function headerOf(headers: readonly MailHeader[], key: string): string {
  return headers.find((header) => header.key === key)?.value ?? "";
}

function senderOf(original: string, name: string): MailHead["from"] {
  const isAddress = /^[^\s@<>()[\],;:\\"\p{Cc}\p{Cf}]{1,64}@[^\s@<>()[\],;:\\"\p{Cc}\p{Cf}]{1,253}$/u.test(original);
  return isAddress ? { address: original.toLowerCase(), original, name: visibleLine(name, 100) } : undefined;
}

function shownHeader(headers: readonly MailHeader[], key: string): string {
  return visibleLine(headerOf(headers, key), 1_000);
}

function idsIn(headers: readonly MailHeader[], key: string): string[] {
  const ids = headerOf(headers, key).slice(0, 50_000).match(messageIds) ?? [];
  // the first one names the thread, the last ones what is answered
  return ids.length > mostReferences ? [...ids.slice(0, 1), ...ids.slice(1 - mostReferences)] : ids;
}

function textOf({ text, html }: Email): string {
  return text?.trim() ? text : htmlText(html ?? "");
}

function fileOf(
  { filename, mimeType, content }: Email["attachments"][number],
  index: number,
): MailBody["files"][number] {
  const name = visibleLine((filename ?? "").slice(0, 2_000).replace(/[/\\]/g, "_"), 150);
  const data = new Uint8Array(typeof content === "string" ? Buffer.from(content) : content);
  return { name: name || `attachment-${index + 1}`, mediaType: mimeType, data };
}

function isAutomatic(headers: readonly MailHeader[], from: string): boolean {
  const says = (key: string, pattern: RegExp) => pattern.test(headerOf(headers, key).trim());
  return (
    says("auto-submitted", /^(?!no\s*(;|$)).+/i) ||
    says("precedence", /^(bulk|list|junk)/i) ||
    says("list-id", /./) ||
    says("return-path", /^<\s*>$/) ||
    says("content-type", /^multipart\/report/i) ||
    /^mailer-daemon(@|$)/i.test(from)
  );
}
