import { z } from "zod";
import { SendFailure } from "../../../contract/channel/outgoing-message.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult, textResult } from "../../../contract/tool.ts";
import { composeMail, messageIdOf, replySubject } from "../compose-mail.ts";
import { fetchHead, openToRead, visitImap } from "../imap-connection.ts";
import { renderEmail } from "../render.ts";
import { sendMail } from "../send.ts";
import { type EmailToolDeps, orFailed } from "./tool-deps.ts";

const recipient = z.email().max(320);

const SendArguments = z.object({
  to: z.array(recipient).min(1).max(20),
  cc: z.array(recipient).max(20).optional(),
  subject: z.string().trim().min(1).max(300),
  body: z.string().min(1).max(100_000).describe("Markdown"),
  replyToUid: z.number().int().min(1).max(0xff_ff_ff_ff).optional().describe("The mail it answers"),
});
type SendArguments = z.infer<typeof SendArguments>;

const Claim = z.object({ messageId: z.string() });

export function sendTool(deps: EmailToolDeps): Tool {
  return defineTool({
    name: "email_send",
    description: "Send a mail in the owner's name, from the owner's address.",
    arguments: SendArguments,
    result: textResult,
    effects: ["sends"],
    class: "unsafe",
    undo: { kind: "impossible", reason: "a mail that was sent cannot be called back" },
    destinations: recipientsOf,
    formatApproval,
    claim: async (context) => ({ messageId: idOf(deps, context) }),
    recover: async ({ signal }, args, claim) => {
      const { messageId } = Claim.parse(claim);
      // no copy does not prove that it has not gone out
      if (!(await deps.sent.holds(messageId, signal))) return { kind: "unknown" };
      return { kind: "finished", result: { outcome: "done", output: sentWords(args, []) } };
    },
    run: (context, args) => orFailed(deps, () => send(deps, context, args)),
  });
}

async function send(deps: EmailToolDeps, context: ToolContext, args: SendArguments): Promise<ToolResult> {
  const { signal } = context;
  const from = deps.email.address;
  const messageId = idOf(deps, context);
  const answered = args.replyToUid === undefined ? undefined : await answeredMail(deps, args.replyToUid, signal);
  if (answered === "missing")
    return { outcome: "failed", output: `There is no mail with uid ${args.replyToUid} to answer; search again.` };
  const pieces = renderEmail(args.body);
  const raw = await composeMail({
    messageId,
    from,
    to: args.to,
    ...(args.cc ? { cc: args.cc } : {}),
    subject: answered ? replySubject(args.subject) : args.subject,
    text: pieces.map((piece) => piece.plain).join("\n"),
    html: pieces.map((piece) => piece.markup).join("\n"),
    references: answered ?? [],
    atMs: deps.world.nowMs(),
    isAutomatic: false,
  });
  try {
    const { rejected } = await sendMail(deps.smtp, { from, to: recipientsOf(args) }, raw, signal);
    await deps.sent.keep(messageId, raw, signal).catch((cause: unknown) => {
      deps.trouble("Email: a mail was sent, but no copy could be kept in the Sent mailbox.", cause);
    });
    return { outcome: "done", output: sentWords(args, rejected) };
  } catch (cause) {
    if (!(cause instanceof SendFailure)) throw cause;
    return { outcome: "failed", output: await failedWords(deps, messageId, cause, signal) };
  }
}

async function failedWords(deps: EmailToolDeps, messageId: string, failure: SendFailure, signal: AbortSignal) {
  if (failure.arrived === "no") return `Nothing was sent. ${failure.message}`;
  // not being able to look is the same as not knowing
  const isThere = await deps.sent.holds(messageId, signal).catch(() => false);
  return isThere
    ? "It was sent, although the server did not say so: it lies in the Sent mailbox. Do not send it again."
    : `Nobody knows whether it was sent; tell the owner before trying again. ${failure.message}`;
}

async function answeredMail(
  deps: EmailToolDeps,
  uid: number,
  signal: AbortSignal,
): Promise<readonly string[] | "missing"> {
  const fetched = await visitImap(deps.imap, signal, async (client) => {
    await openToRead(client, deps.email.mailbox);
    return fetchHead(client, uid);
  });
  if (!fetched) return "missing";
  const { references, messageId } = await deps.reader.head(fetched.raw, signal);
  return messageId ? [...references.filter((id) => id !== messageId), messageId] : references;
}

/** The same call always gives the same one, so that it can be looked up after a crash. */
function idOf(deps: EmailToolDeps, { conversation, turn, callId }: ToolContext): string {
  return messageIdOf(JSON.stringify([conversation, turn, callId]), deps.email.address, false);
}

function recipientsOf({ to, cc = [] }: SendArguments): readonly string[] {
  return [...new Set([...to, ...cc])];
}

function sentWords(args: SendArguments, rejected: readonly string[]): string {
  const reached = recipientsOf(args).filter((address) => !rejected.includes(address));
  const missed = rejected.length > 0 ? ` The server refused ${rejected.join(", ")}.` : "";
  return `Sent to ${reached.join(", ")}.${missed}`;
}

function formatApproval({ to, cc, subject, body, replyToUid }: SendArguments): string {
  return [
    `To: ${to.join(", ")}`,
    ...(cc?.length ? [`Cc: ${cc.join(", ")}`] : []),
    `Subject: ${subject}`,
    ...(replyToUid === undefined ? [] : [`In answer to mail ${replyToUid}`]),
    "",
    body,
  ].join("\n");
}
