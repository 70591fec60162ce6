export type MailServers = { imapHost: string; smtpHost: string };

const known: Readonly<Record<string, MailServers>> = {
  "gmail.com": { imapHost: "imap.gmail.com", smtpHost: "smtp.gmail.com" },
  "googlemail.com": { imapHost: "imap.gmail.com", smtpHost: "smtp.gmail.com" },
  "icloud.com": { imapHost: "imap.mail.me.com", smtpHost: "smtp.mail.me.com" },
  "me.com": { imapHost: "imap.mail.me.com", smtpHost: "smtp.mail.me.com" },
  "yahoo.com": { imapHost: "imap.mail.yahoo.com", smtpHost: "smtp.mail.yahoo.com" },
  "gmx.net": { imapHost: "imap.gmx.net", smtpHost: "mail.gmx.net" },
  "gmx.de": { imapHost: "imap.gmx.net", smtpHost: "mail.gmx.net" },
  "web.de": { imapHost: "imap.web.de", smtpHost: "smtp.web.de" },
  "posteo.de": { imapHost: "posteo.de", smtpHost: "posteo.de" },
  "fastmail.com": { imapHost: "imap.fastmail.com", smtpHost: "smtp.fastmail.com" },
};

/** The servers of an address, known or as most places name them; undefined while it is no whole address. */
export function guessServers(address: string): MailServers | undefined {
  const domain = /^[^@\s]+@([^@\s.]+(?:\.[^@\s.]+)+)$/.exec(address.trim().toLowerCase())?.[1];
  if (domain === undefined) return undefined;
  return Object.hasOwn(known, domain) ? known[domain] : { imapHost: `imap.${domain}`, smtpHost: `smtp.${domain}` };
}
