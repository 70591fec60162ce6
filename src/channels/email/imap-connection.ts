// Connections to the server that holds the mails. Every wait has an end: a server that has fallen silent is hung up on.
import type { ImapFlow } from "imapflow";
import type { Settings } from "../../contract/settings.ts";

export type ImapPlace = {
  host: string;
  port: number;
  encryption: "tls" | "starttls" | "none";
  user: string;
  password: string;
};

export const answerMs = 60_000;
const longestHead = 256 * 1024;
const visitMs = 5 * 60_000;
const farewellMs = 2_000;

export function imapPlace(email: Settings["channels"]["email"], password: string): ImapPlace {
  const { imapHost: host, imapEncryption: encryption, user, address } = email;
  const port = email.imapPort ?? (encryption === "tls" ? 993 : 143);
  return { host, port, encryption, user: user ?? address, password };
}

/** The connection is closed when the signal is aborted. */
export async function connectImap(place: ImapPlace, signal: AbortSignal): Promise<ImapFlow> {
  const { ImapFlow } = await import("imapflow");
  signal.throwIfAborted();
  const client = new ImapFlow({
    host: place.host,
    port: place.port,
    secure: place.encryption === "tls",
    doSTARTTLS: place.encryption === "starttls",
    auth: { user: place.user, pass: place.password },
    disableAutoIdle: true,
    logger: false,
    connectionTimeout: 30_000,
    greetingTimeout: 30_000,
    socketTimeout: visitMs,
  });
  // whoever waits for an answer hears of it there; without a listener it would end the program
  client.on("error", () => undefined);
  const hangUp = () => client.close();
  signal.addEventListener("abort", hangUp, { once: true });
  client.once("close", () => signal.removeEventListener("abort", hangUp));
  try {
    await within(client, answerMs, client.connect());
    return client;
  } catch (cause) {
    client.close();
    throw cause;
  }
}

/** Hangs up on a server that does not answer in time. */
export async function within<Value>(client: ImapFlow, limitMs: number, answer: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error("the server does not answer"));
      client.close();
    }, limitMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A short connection of its own, so that whoever watches the mailbox is not disturbed. */
export async function visitImap<Value>(
  place: ImapPlace,
  signal: AbortSignal,
  work: (client: ImapFlow) => Promise<Value>,
): Promise<Value> {
  const client = await connectImap(place, signal);
  try {
    return await within(client, visitMs, work(client));
  } finally {
    // the work is done, whether or not the server says goodbye
    await within(client, farewellMs, client.logout()).catch(() => undefined);
    client.close();
  }
}

/** For reading only: no mail is marked as read by it. */
export async function openToRead(client: ImapFlow, mailbox: string) {
  return within(client, answerMs, client.mailboxOpen(mailbox, { readOnly: true }));
}

/** Undefined: there is none with this number any more. `isWhole`: its headers are not longer than what is read of them. */
export async function fetchHead(client: ImapFlow, uid: number) {
  const headers = [{ key: "header", maxLength: longestHead }];
  const query = { uid: true, size: true, internalDate: true, bodyParts: headers } as const;
  const head = await within(client, answerMs, client.fetchOne(uid, query, { uid: true }));
  if (!head) return noneOrLost(client);
  const raw = head.headers ?? Buffer.alloc(0);
  return {
    raw,
    isWhole: raw.length < longestHead,
    bytes: head.size ?? 0,
    atMs: head.internalDate ? new Date(head.internalDate).getTime() : undefined,
  };
}

/** The mail, or its beginning if it is larger than that. Undefined: there is none with this number any more. */
export async function fetchSource(client: ImapFlow, uid: number, maxBytes: number): Promise<Buffer | undefined> {
  const query = { uid: true, source: { start: 0, maxLength: maxBytes } } as const;
  const found = await within(client, visitMs, client.fetchOne(uid, query, { uid: true }));
  return (found ? found.source : undefined) ?? noneOrLost(client);
}

/** The library answers nothing on a lost connection, too, and then the mail is there all the same. */
function noneOrLost(client: ImapFlow): undefined {
  if (!client.usable) throw new Error("the connection was lost");
}
