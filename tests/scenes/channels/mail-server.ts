// A real mail server of the operating system (Dovecot) on this machine, and a small one that sends: what it takes it hands on to
// Dovecot, or keeps, and it can be told to fail.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { ImapFlow } from "imapflow";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { SMTPServer, type SMTPServerSession } from "smtp-server";
import { eventually } from "../eventually.ts";

export const password = "correct-horse";

export type SentMail = { from: string; to: readonly string[]; raw: string };
/** What the sending server does with the next mail. `drop`: takes all of it and hangs up without a word; `silent`: takes it or not. */
export type SmtpFault =
  | { at: "recipient" | "end"; code: number; words: string }
  | { at: "end"; drop: true }
  | { at: "end"; silent: "before" | "after" };

export type MailServer = {
  imapPort: number;
  smtpPort: number;
  /** What the sending server was given, oldest first. */
  sent: readonly SentMail[];
  /** The next mail fails so; several, one after the other. */
  fail(...faults: readonly SmtpFault[]): void;
  /** How many mails have been met with silence. */
  held(): number;
  /** Puts a mail into a mailbox as the outside world would. */
  deliver(to: string, raw: string, from?: string): Promise<void>;
  /** A connection of the owner's own mail program. */
  visit<Value>(user: string, work: (client: ImapFlow) => Promise<Value>): Promise<Value>;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
  /** The settings of a channel that uses it. */
  settings(more?: Record<string, unknown>): Record<string, unknown>;
};

/** Users of all names exist; each has the same password. Whoever starts it closes it. */
export async function startMailServer(): Promise<MailServer> {
  const folder = await mkdtemp(join(tmpdir(), "steward-mail-"));
  const ports = { imap: await freePort(), lmtp: await freePort() };
  let dovecot: ChildProcess | undefined;
  await prepare(folder);
  // between finding a free port and using it, another program may take it
  for (let attempt = 0; ; attempt++) {
    try {
      await start();
      break;
    } catch (cause) {
      if (attempt === 4) throw cause;
      await stop();
      Object.assign(ports, { imap: await freePort(), lmtp: await freePort() });
    }
  }
  const sent: SentMail[] = [];
  const faults: SmtpFault[] = [];
  const silence = { count: 0 };
  const smtp = sendingServer({ sent, faults, silence }, (mail) => lmtp(ports.lmtp, mail));
  await once(smtp.listen(0, "127.0.0.1"), "listening");
  const smtpPort = (smtp.server.address() as AddressInfo).port;
  return {
    get imapPort() {
      return ports.imap;
    },
    ...{ smtpPort, sent, start, stop, visit, close },
    held: () => silence.count,
    fail: (...more) => void faults.push(...more),
    deliver: (to, raw, from = "outside@example.net") => lmtp(ports.lmtp, { from, to: [to], raw }),
    settings: (more) => ({
      address: "steward@example.org",
      imapHost: "127.0.0.1",
      imapPort: ports.imap,
      imapEncryption: "none",
      smtpHost: "127.0.0.1",
      smtpPort,
      smtpEncryption: "none",
      ...more,
    }),
  };

  async function close(): Promise<void> {
    await new Promise<void>((resolve) => smtp.close(() => resolve()));
    await stop();
    await rm(folder, { recursive: true, force: true });
  }

  async function start(): Promise<void> {
    await writeFile(join(folder, "dovecot.conf"), configuration(folder, ports));
    const child = spawn("dovecot", ["-F", "-c", join(folder, "dovecot.conf")], { stdio: ["ignore", "ignore", "pipe"] });
    dovecot = child;
    let said = "";
    let ended = false;
    child.stderr.on("data", (bytes) => {
      said += bytes;
    });
    child.once("error", (cause) => {
      said += `${cause.message}: apt-get install dovecot-imapd dovecot-lmtpd`;
      ended = true;
    });
    child.once("exit", () => {
      ended = true;
    });
    await eventually(async () => ended || ((await answers(ports.imap)) && (await answers(ports.lmtp))));
    if (ended)
      throw new Error(`Dovecot does not start. ${said}${await readFile(join(folder, "log"), "utf8").catch(() => "")}`);
  }

  async function stop(): Promise<void> {
    const child = dovecot;
    dovecot = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  }

  async function visit<Value>(user: string, work: (client: ImapFlow) => Promise<Value>): Promise<Value> {
    const client = new ImapFlow({
      ...{ host: "127.0.0.1", port: ports.imap, secure: false, logger: false, disableAutoIdle: true },
      auth: { user, pass: password },
    });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.logout();
    }
  }
}

/** The mails in a mailbox as text, oldest first. */
export async function mailsIn(server: MailServer, user: string, mailbox = "INBOX"): Promise<string[]> {
  return server.visit(user, async (client) => {
    const { exists } = await client.mailboxOpen(mailbox, { readOnly: true });
    if (exists === 0) return [];
    const all = await client.fetchAll("1:*", { source: true });
    return all.map((mail) => mail.source?.toString() ?? "");
  });
}

async function prepare(folder: string): Promise<void> {
  await mkdir(join(folder, "mail"));
  if (process.getuid?.() !== 0) return;
  // its processes run as other users, who must get there; a mailbox of root is refused
  await chmod(folder, 0o755);
  await chown(join(folder, "mail"), mailUser, mailUser);
}

// "mail" on every Debian
const mailUser = 8;

function configuration(folder: string, ports: { imap: number; lmtp: number }): string {
  const { uid, gid, username } = userInfo();
  const isRoot = uid === 0;
  const owner = isRoot ? `uid=${mailUser} gid=${mailUser}` : `uid=${uid} gid=${gid}`;
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap lmtp
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
auth_failure_delay = 0
default_internal_user = ${username}
default_internal_group = ${isRoot ? "root" : gid}
default_login_user = ${isRoot ? "dovenull" : username}
first_valid_uid = 1
first_valid_gid = 1
mail_location = maildir:~/Maildir
mail_max_userip_connections = 100
auth_username_format = %Lu
recipient_delimiter =
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = ${owner} home=${folder}/mail/%Lu allow_all_users=yes
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${ports.imap}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
  # a wrong password must not slow down the next test
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service lmtp {
  inet_listener lmtp {
    port = ${ports.lmtp}
  }
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    special_use = \\Sent
    auto = create
  }
}
`;
}

type Sending = { sent: SentMail[]; faults: SmtpFault[]; silence: { count: number } };

function sendingServer({ sent, faults, silence }: Sending, handOn: (mail: SentMail) => Promise<void>): SMTPServer {
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    closeTimeout: 200,
    onAuth: (auth, _session, done) =>
      auth.password === password ? done(null, { user: auth.username }) : done(new Error("wrong password")),
    onRcptTo(_address, _session, done) {
      const fault = faults[0];
      if (fault?.at !== "recipient") return done();
      faults.shift();
      done(refusal(fault.code, fault.words));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const fault = faults[0]?.at === "end" ? faults.shift() : undefined;
        if (fault && "code" in fault) return done(refusal(fault.code, fault.words));
        const silent = fault && "silent" in fault ? fault.silent : undefined;
        const holdBack = () => void silence.count++;
        if (silent === "before") return holdBack();
        const mail = { ...envelopeOf(session), raw: Buffer.concat(chunks).toString() };
        sent.push(mail);
        handOn(mail).then(
          () => (silent ? holdBack() : fault ? hangUp() : done()),
          (cause: Error) => done(refusal(451, cause.message)),
        );
      });
    },
  });
  server.server.on(
    "connection",
    (socket: Socket) => void sockets.add(socket.once("close", () => sockets.delete(socket))),
  );
  server.on("error", () => undefined);
  return server;

  function hangUp(): void {
    for (const socket of sockets) socket.destroy();
  }
}

function refusal(responseCode: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode });
}

function envelopeOf(session: SMTPServerSession) {
  const { mailFrom, rcptTo } = session.envelope;
  return { from: mailFrom === false ? "" : mailFrom.address, to: rcptTo.map((one) => one.address) };
}

async function lmtp(port: number, { from, to, raw }: SentMail): Promise<void> {
  const connection = new SMTPConnection({
    host: "127.0.0.1",
    port,
    lmtp: true,
    secure: false,
    ignoreTLS: true,
    logger: false,
  });
  await new Promise<void>((resolve, reject) => {
    connection.on("error", reject);
    connection.connect((cause) => {
      if (cause) return reject(cause);
      connection.send({ from, to: [...to] }, raw, (failure) => (failure ? reject(failure) : resolve()));
    });
  }).finally(() => connection.close());
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Whether a server says hello there. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    return await new Promise<boolean>((resolve) => {
      socket.once("data", () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("close", () => resolve(false));
      // a port may be open before anybody serves it
      socket.setTimeout(5_000, () => resolve(false));
    });
  } finally {
    socket.destroy();
  }
}
