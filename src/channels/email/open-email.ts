// The email channel: new mails in, answers out, and the tools with which the owner's mailbox is used.
import type { Address } from "../../contract/channel/address.ts";
import type { Channel, ChannelBase } from "../../contract/channel/channel.ts";
import type { OutgoingMessage, Sent } from "../../contract/channel/outgoing-message.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import { composeMail, messageIdOf, replySubject, shortThread } from "./compose-mail.ts";
import { imapPlace } from "./imap-connection.ts";
import { openMailReader } from "./reading/mail-reader.ts";
import { renderEmail } from "./render.ts";
import { sendMail, smtpPlace } from "./send.ts";
import { sentMailbox } from "./sent-mailbox.ts";
import { openMailTaker } from "./take-mails.ts";
import { readTool } from "./tools/read-tool.ts";
import { searchTool } from "./tools/search-tool.ts";
import { sendTool } from "./tools/send-tool.ts";
import { watchMailbox } from "./watch-mailbox.ts";

export async function openEmail(base: ChannelBase): Promise<Channel> {
  const email = base.settings.channels.email;
  const password = base.secret("EMAIL_PASSWORD");
  const imap = imapPlace(email, password);
  const smtp = smtpPlace(email, password);
  const sent = sentMailbox(imap);
  const reader = openMailReader(base);
  const watch = watchMailbox({ base, place: imap, taker: openMailTaker(base, reader) });
  const toolDeps = { email, imap, smtp, sent, reader, world: base.world, trouble: base.trouble };
  const tools = [searchTool(toolDeps), readTool(toolDeps), sendTool(toolDeps)];
  return {
    ...watch,
    async close() {
      await Promise.all([watch.close(), reader.close()]);
    },
    render: renderEmail,
    send,
    async find(to, key, signal) {
      const messageId = idFor(to, key);
      // between the server's taking a mail and the copy among the sent ones nobody knows of it
      return (await sent.holds(messageId, signal)) ? { ref: messageId } : "unknown";
    },
    directAddress: async (personId) => ({ chat: personId.toLowerCase() }),
    tools: async () => tools,
  };

  async function send(to: Address, message: OutgoingMessage, signal: AbortSignal): Promise<Sent> {
    const { details, piece, file } = message;
    const messageId = idFor(to, message.key);
    const references = shortThread((details.references ?? details.messageId ?? "").split(" "));
    // the part before the @ may have capital letters that matter to its server
    const recipient = details.to?.toLowerCase() === to.chat ? details.to : to.chat;
    const subject = details.subject || "Steward";
    const isAnswer = details.subject !== undefined;
    const raw = await composeMail({
      messageId,
      from: email.address,
      to: [recipient],
      subject: isAnswer ? replySubject(subject) : subject,
      text: piece?.plain ?? visibleLine(file?.name ?? ""),
      html: piece?.markup,
      references,
      file,
      atMs: base.world.nowMs(),
      isAutomatic: true,
    });
    await sendMail(smtp, { from: email.address, to: [recipient] }, raw, signal);
    await sent.keep(messageId, raw, signal).catch((cause: unknown) => {
      // it is sent: that no copy is left must not send it again
      base.trouble("Email: a mail was sent, but no copy could be kept in the Sent mailbox.", cause);
    });
    return {
      ref: messageId,
      details: { ...details, subject, messageId, references: shortThread([...references, messageId]).join(" ") },
    };
  }

  function idFor(to: Address, key: string): string {
    return messageIdOf(key, email.address, to.thread === undefined);
  }
}
