// Email: mails of those who are allowed are answered in their thread, and the owner's mailbox can be searched, read and written from.
import type { ChannelDefinition } from "../../contract/channel/channel.ts";
import type { Settings } from "../../contract/settings.ts";

export const emailChannel: ChannelDefinition = {
  name: "email",
  title: "Email",
  capabilities: {
    receives: true,
    edits: false,
    buttons: false,
    files: true,
    groups: false,
    identity: "claimed",
    repeats: "found",
    editEveryMs: 0,
  },
  secrets: () => ["EMAIL_PASSWORD"],
  problem: ({ channels }) => problemOf(channels.email),
  async open(base) {
    const { openEmail } = await import("./open-email.ts");
    return openEmail(base);
  },
};

function problemOf(email: Settings["channels"]["email"]): string | undefined {
  if (!/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(email.address))
    return "Set channels.email.address to the address of the mailbox, such as steward@example.org.";
  for (const [setting, host, encryption] of [
    ["imap", email.imapHost, email.imapEncryption],
    ["smtp", email.smtpHost, email.smtpEncryption],
  ] as const) {
    if (host === "")
      return `Set channels.email.${setting}Host to the name of the server, such as ${setting}.example.org.`;
    if (encryption === "none" && !isThisMachine(host))
      return `channels.email.${setting}Encryption is "none", which would send your password in the clear to ${host}: set it to "tls" or "starttls".`;
  }
  return undefined;
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
