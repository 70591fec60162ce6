import { z } from "zod";

const positive = z.number().int().positive();
const flag = (byDefault: boolean, description: string) => z.boolean().default(byDefault).describe(description);
const id = z.string().trim().min(1).max(200);
const ids = (description: string, each: z.ZodType<string> = id) => z.array(each).default([]).describe(description);
const number = id.regex(/^\d+$/, "write the number that never changes, not a name");
const section = <Shape extends z.ZodRawShape>(description: string, shape: Shape) =>
  z
    .strictObject(shape)
    .describe(description)
    .prefault({} as never);
const webAddress = (byDefault: string, description: string) =>
  z
    .url({ protocol: /^https?$/ })
    .default(byDefault)
    .describe(description);
const port = (description: string) =>
  z.number().int().min(1).max(65_535).nullable().default(null).describe(description);
const encryption = (description: string) => z.enum(["tls", "starttls", "none"]).default("tls").describe(description);

const allowed = (whose: string, each?: z.ZodType<string>) =>
  ids(`${whose} Everybody named here speaks as the owner. Empty: only those who were let in by a pairing code.`, each);

const Telegram = section("Telegram, by a bot of your own.", {
  enabled: flag(false, "Connect. The token of the bot comes from TELEGRAM_BOT_TOKEN."),
  allowedUserIds: allowed("Numbers of Telegram users.", number),
  mode: z
    .enum(["polling", "webhook"])
    .default("polling")
    .describe("polling: Steward asks for news. webhook: Telegram calls gateway.publicUrl, which must be reachable."),
  apiUrl: webAddress("https://api.telegram.org", "Where the Bot API is; another one for a server of your own."),
});

const Slack = section("Slack, by an app of your own in socket mode.", {
  enabled: flag(false, "Connect. The tokens come from SLACK_BOT_TOKEN (xoxb-) and SLACK_APP_TOKEN (xapp-)."),
  allowedUserIds: allowed("Ids of Slack members, such as U024BE7LH."),
  apiUrl: webAddress("https://slack.com/api/", "Where the Web API is."),
});

const Discord = section("Discord, by a bot of your own.", {
  enabled: flag(false, "Connect. The token of the bot comes from DISCORD_BOT_TOKEN."),
  allowedUserIds: allowed("Numbers of Discord users.", number),
  apiUrl: webAddress("https://discord.com/api", "Where the API is."),
});

const Email = section("A mailbox: mails are answered, searched and sent, and a new one can begin a task.", {
  enabled: flag(false, "Connect. The password comes from EMAIL_PASSWORD."),
  address: z.string().trim().max(320).default("").describe("The address of the mailbox, from which mails are sent."),
  user: z.string().max(320).nullable().default(null).describe("The name to sign in with. Null: the address."),
  imapHost: z.string().max(253).default("").describe("The server that holds the mails, such as imap.example.org."),
  imapPort: port("Its port. Null: 993, or 143 without tls."),
  imapEncryption: encryption("How the connection to it is protected. none is only for a server on this machine."),
  smtpHost: z.string().max(253).default("").describe("The server that sends, such as smtp.example.org."),
  smtpPort: port("Its port. Null: 465, or 587 without tls."),
  smtpEncryption: encryption("How the connection to it is protected. none is only for a server on this machine."),
  mailbox: z.string().min(1).max(200).default("INBOX").describe("The folder that is watched."),
  allowedUserIds: ids(
    "Addresses whose mails are answered. They never count as the owner: they get no access to your files, memory or mails, and what they ask to change is asked elsewhere first.",
  ),
  authServer: z
    .string()
    .max(253)
    .default("")
    .describe(
      "The name by which your mail server signs its Authentication-Results. A mail is answered only if that line says that its sender is genuine (DMARC, or DKIM of the same domain). Empty: no mail is answered; searching, reading, sending and tasks work all the same.",
    ),
});

const Ntfy = section("Push messages to your phone by ntfy, with buttons to approve and deny.", {
  enabled: flag(
    false,
    "Connect. A token, if the server wants one, comes from NTFY_TOKEN, and one for the buttons from NTFY_PRESS_TOKEN.",
  ),
  url: webAddress("https://ntfy.sh", "Where the server is; best one of your own."),
  topic: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,64}$/, "a topic is letters, digits, - and _")
    .default("")
    .describe(
      "The topic your phone follows. Whoever knows it can read along and press the buttons: choose one that nobody guesses.",
    ),
});

export const ChannelSettings = section("Where people write to Steward beside the page and the terminal.", {
  telegram: Telegram,
  slack: Slack,
  discord: Discord,
  email: Email,
  ntfy: Ntfy,
  pairing: flag(true, "Codes let new people in. False: only those who are named in the settings."),
  askElsewhereAfterSeconds: z
    .number()
    .int()
    .min(0)
    .max(86_400)
    .default(20)
    .describe("A question from the page or the terminal that nobody has answered by then is also asked in your chat."),
  lateAfterMinutes: positive
    .max(100_000)
    .default(10)
    .describe("An answer that could not be delivered for so long says when it was written."),
  transcribeCommand: z
    .array(z.string().min(1))
    .default([])
    .describe(
      "A program with its arguments that turns a voice message into text: the file is put in for {file}, what it prints is the text. Empty: you are told that voice is not understood.",
    ),
});
