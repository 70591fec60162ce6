import type { ChannelBase } from "../../../contract/channel/channel.ts";
import { reasonOf } from "../../../contract/failure.ts";
import type { Settings } from "../../../contract/settings.ts";
import type { ToolResult } from "../../../contract/tool.ts";
import { visibleLine } from "../../../contract/words/visible-line.ts";
import type { ImapPlace } from "../imap-connection.ts";
import type { MailReader } from "../reading/mail-reader.ts";
import type { SmtpPlace } from "../send.ts";
import type { SentMailbox } from "../sent-mailbox.ts";

export type EmailToolDeps = Pick<ChannelBase, "world" | "trouble"> & {
  email: Settings["channels"]["email"];
  imap: ImapPlace;
  smtp: SmtpPlace;
  sent: SentMailbox;
  reader: MailReader;
};

/** A server that cannot be reached is an answer for the model, too. */
export async function orFailed(deps: EmailToolDeps, work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work();
  } catch (cause) {
    const said = visibleLine(reasonOf(cause).replaceAll(deps.imap.password, "…"));
    return { outcome: "failed", output: `The mailbox could not be used: ${said}` };
  }
}
