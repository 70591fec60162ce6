import type { FetchMessageObject, SearchObject } from "imapflow";
import { z } from "zod";
import { defineTool, type Tool, type ToolResult, textResult } from "../../../contract/tool.ts";
import { visibleLine } from "../../../contract/words/visible-line.ts";
import { answerMs, openToRead, visitImap, within } from "../imap-connection.ts";
import { labelOf } from "../read-update.ts";
import type { MailHead } from "../reading/read-mail.ts";
import { type EmailToolDeps, orFailed } from "./tool-deps.ts";

const word = z.string().trim().min(1).max(200).optional();
const day = z.iso.date().optional();

const SearchArguments = z.object({
  from: word,
  to: word,
  subject: word,
  words: word.describe("Anywhere in the mail"),
  since: day.describe("YYYY-MM-DD"),
  before: day,
  unseen: z.boolean().optional(),
  limit: z.number().int().min(1).max(50).optional(),
  mailbox: z.string().min(1).max(200).optional(),
});
type SearchArguments = z.infer<typeof SearchArguments>;

/** What a line shows of a mail. */
type Shown = Pick<FetchMessageObject, "uid" | "internalDate" | "flags"> & Pick<MailHead, "from" | "subject">;

const usualLimit = 20;
const longestHead = 16 * 1024;

export function searchTool(deps: EmailToolDeps): Tool {
  return defineTool({
    name: "email_search",
    description: "Find mails in the owner's mailbox, newest first. Read one with email_read and its uid.",
    arguments: SearchArguments,
    result: textResult,
    effects: ["reads"],
    class: "read",
    undo: { kind: "nothing to undo" },
    formatApproval: (args) => `Search the mailbox: ${JSON.stringify(args)}`,
    run: ({ signal }, args) => orFailed(deps, () => search(deps, args, signal)),
  });
}

async function search(deps: EmailToolDeps, args: SearchArguments, signal: AbortSignal): Promise<ToolResult> {
  const mailbox = args.mailbox ?? deps.email.mailbox;
  const found = await visitImap(deps.imap, signal, async (client) => {
    await openToRead(client, mailbox);
    const uids = await within(client, answerMs, client.search(queryOf(args), { uid: true }));
    if (!uids || uids.length === 0) return uids && { all: 0, mails: [] };
    const newest = uids.sort((one, other) => other - one).slice(0, args.limit ?? usualLimit);
    // the server's own view of them (ENVELOPE) names all recipients, and may be as long as a mail
    const query = { uid: true, headers: ["from", "subject"], internalDate: true, flags: true };
    return {
      all: uids.length,
      mails: await within(client, answerMs, client.fetchAll(newest.join(","), query, { uid: true })),
    };
  });
  if (!found) return { outcome: "failed", output: "The server did not understand this search." };
  const shown: Shown[] = [];
  for (const mail of found.mails.sort((one, other) => other.uid - one.uid)) {
    const { from, subject } = await deps.reader.head(mail.headers?.subarray(0, longestHead) ?? Buffer.alloc(0), signal);
    shown.push({ ...mail, from, subject });
  }
  if (shown.length === 0) return { outcome: "done", output: "No mail was found." };
  const more = found.all > shown.length ? [`[${found.all - shown.length} older ones are not shown.]`] : [];
  return {
    outcome: "done",
    output: [...shown.map(lineOf), ...more].join("\n"),
    labels: [...new Set(shown.map((mail) => labelOf(mail.from?.address ?? "unknown")))],
  };
}

function queryOf({ from, to, subject, words, since, before, unseen }: SearchArguments): SearchObject {
  const query: SearchObject = {};
  if (from) query.from = from;
  if (to) query.to = to;
  if (subject) query.subject = subject;
  if (words) query.text = words;
  if (since) query.since = new Date(since);
  if (before) query.before = new Date(before);
  if (unseen !== undefined) query.seen = !unseen;
  return Object.keys(query).length === 0 ? { all: true } : query;
}

function lineOf({ uid, internalDate, flags, from, subject }: Shown): string {
  const when = internalDate ? new Date(internalDate).toISOString().slice(0, 16).replace("T", " ") : "?";
  const sender = from?.name ? `${visibleLine(from.name, 80)} <${from.address}>` : (from?.address ?? "unknown");
  const isUnseen = flags?.has("\\Seen") === false;
  return `uid ${uid} | ${when} UTC | ${sender} | ${visibleLine(subject, 200) || "(no subject)"}${isUnseen ? " | unread" : ""}`;
}
