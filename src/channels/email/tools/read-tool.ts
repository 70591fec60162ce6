import { z } from "zod";
import { defineTool, type Tool, type ToolResult, textResult } from "../../../contract/tool.ts";
import { judgeSender } from "../genuine.ts";
import { fetchHead, fetchSource, openToRead, visitImap } from "../imap-connection.ts";
import { labelOf } from "../read-update.ts";
import { maxMailBytes } from "../reading/mail-reader.ts";
import type { MailBody, MailHead } from "../reading/read-mail.ts";
import { type EmailToolDeps, orFailed } from "./tool-deps.ts";

const mostCharacters = 50_000;

const ReadArguments = z.object({
  uid: z.number().int().min(1).max(0xff_ff_ff_ff),
  mailbox: z.string().min(1).max(200).optional(),
});

export function readTool(deps: EmailToolDeps): Tool {
  return defineTool({
    name: "email_read",
    description: "Read a mail of the owner's mailbox; it stays unread there.",
    arguments: ReadArguments,
    result: textResult,
    effects: ["reads"],
    class: "read",
    undo: { kind: "nothing to undo" },
    formatApproval: ({ uid, mailbox }) => `Read mail ${uid}${mailbox ? ` in ${mailbox}` : ""}`,
    run: ({ signal }, { uid, mailbox }) => orFailed(deps, () => read(deps, uid, mailbox, signal)),
  });
}

async function read(
  deps: EmailToolDeps,
  uid: number,
  mailbox: string | undefined,
  signal: AbortSignal,
): Promise<ToolResult> {
  const path = mailbox ?? deps.email.mailbox;
  const fetched = await visitImap(deps.imap, signal, async (client) => {
    await openToRead(client, path);
    const found = await fetchHead(client, uid);
    if (!found || found.bytes > maxMailBytes) return found && { ...found, source: undefined };
    const source = await fetchSource(client, uid, maxMailBytes);
    return source && { ...found, source };
  });
  if (!fetched) return { outcome: "failed", output: `There is no mail with uid ${uid} in ${path}; search again.` };
  const head = await deps.reader.head(fetched.raw, signal);
  const body = fetched.source && (await deps.reader.body(fetched.source, signal));
  const words = body?.text.trim() ?? "[The mail is too large to be read; these are its headers.]";
  const authServer = fetched.isWhole ? deps.email.authServer : "";
  const output = [...headLines(head, authServer), "", cut(words), ...fileLines(body?.files ?? [])].join("\n");
  return { outcome: "done", output, labels: [labelOf(head.from?.address ?? "unknown")] };
}

function headLines(head: MailHead, authServer: string): readonly string[] {
  const { from } = head;
  const isGenuine = from !== undefined && judgeSender(head.headers, from.address, authServer).isGenuine;
  return [
    `From: ${from ? (from.name ? `${from.name} <${from.original}>` : from.original) : "(not one sender)"}`,
    `Sender checked: ${isGenuine ? `yes, by ${authServer}` : "no, anybody may have written this name"}`,
    `To: ${head.to}`,
    ...(head.cc ? [`Cc: ${head.cc}`] : []),
    `Date: ${head.date}`,
    `Subject: ${head.subject}`,
  ];
}

function fileLines(files: MailBody["files"]): readonly string[] {
  if (files.length === 0) return [];
  return ["", "Attachments:", ...files.map((file) => `- ${file.name} (${file.mediaType}, ${file.data.length} bytes)`)];
}

function cut(text: string): string {
  const tidy = text.replace(/\r\n?/g, "\n");
  return tidy.length > mostCharacters
    ? `${tidy.slice(0, mostCharacters)}\n[The mail goes on; the rest is left out.]`
    : tidy;
}
