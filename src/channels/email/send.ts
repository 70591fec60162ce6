// Hands a mail to the server that sends, and tells exactly what became of it: before its first byte has gone out, it surely has not arrived.
import { Readable } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { SendFailure } from "../../contract/channel/outgoing-message.ts";
import { reasonOf } from "../../contract/failure.ts";
import type { Settings } from "../../contract/settings.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";

export type SmtpPlace = {
  host: string;
  port: number;
  encryption: "tls" | "starttls" | "none";
  user: string;
  password: string;
};

export type Envelope = { from: string; to: readonly string[] };
/** Recipients whom the server does not know; there is at least one other. */
export type Handed = { rejected: readonly string[] };

const connectionMs = 30_000;
const silenceMs = 2 * 60_000;
const refusedMs = 5 * 60_000;
const authCodes = new Set([530, 534, 535, 538]);

export function smtpPlace(email: Settings["channels"]["email"], password: string): SmtpPlace {
  const { smtpHost: host, smtpEncryption: encryption, user, address } = email;
  const port = email.smtpPort ?? (encryption === "tls" ? 465 : 587);
  return { host, port, encryption, user: user ?? address, password };
}

/** Throws a SendFailure. Never tries twice. */
export async function sendMail(
  place: SmtpPlace,
  envelope: Envelope,
  raw: Buffer,
  signal: AbortSignal,
): Promise<Handed> {
  const connection = await openConnection(place);
  const handed = Promise.withResolvers<Handed>();
  let isBodyOut = false;
  // read only once the server has asked for it
  const body = new Readable({
    read() {
      isBodyOut = true;
      this.push(raw);
      this.push(null);
    },
  });
  const fail = (cause: unknown) => handed.reject(failureOf(place, cause, isBodyOut));
  const stop = () => fail(new Error("it was stopped"));
  connection.on("error", fail);
  connection.on("end", () => fail(new Error("the server hung up")));
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  else signIn(connection, place, (cause) => (cause ? fail(cause) : send()));
  try {
    return await handed.promise;
  } finally {
    // the signal outlives the mail, and would keep it in memory
    signal.removeEventListener("abort", stop);
    connection.close();
  }

  function send(): void {
    const { from, to } = envelope;
    connection.send({ from, to: [...to], size: raw.length }, body, (cause, info) => {
      if (cause) return fail(cause);
      connection.quit();
      handed.resolve({ rejected: info?.rejected ?? [] });
    });
  }
}

async function openConnection(place: SmtpPlace): Promise<SMTPConnection> {
  const { default: Connection } = await import("nodemailer/lib/smtp-connection");
  return new Connection({
    host: place.host,
    port: place.port,
    secure: place.encryption === "tls",
    requireTLS: place.encryption === "starttls",
    ignoreTLS: place.encryption === "none",
    connectionTimeout: connectionMs,
    greetingTimeout: connectionMs,
    socketTimeout: silenceMs,
    logger: false,
  });
}

function signIn(connection: SMTPConnection, { user, password }: SmtpPlace, done: (cause: unknown) => void): void {
  connection.connect((cause) => {
    if (cause || !connection.allowsAuth) return done(cause);
    connection.login({ credentials: { user, pass: password } }, done);
  });
}

function failureOf(place: SmtpPlace, cause: unknown, isBodyOut: boolean): SendFailure {
  const { code, status } = codesOf(cause);
  const said = visibleLine(reasonOf(cause).replaceAll(place.password, "…"), 300);
  if (code === "EAUTH" || (status !== undefined && authCodes.has(status)))
    return new SendFailure(
      `${place.host} does not let ${place.user} send: check the name to sign in with and the password under Channels on the page. It says: ${said}`,
      { retry: "again", arrived: "no", retryAfterMs: refusedMs, cause },
    );
  const message = `The mail could not be handed to ${place.host}: ${said}`;
  // 503 speaks of the connection, not of the mail
  const isFinal = status !== undefined && status >= 500 && status !== 503;
  if (isFinal || (status === undefined && !isBodyOut && (code === "EENVELOPE" || code === "EMESSAGE")))
    return new SendFailure(message, { retry: "never", arrived: "no", cause });
  return new SendFailure(message, {
    retry: "again",
    arrived: isBodyOut && status === undefined ? "maybe" : "no",
    cause,
  });
}

function codesOf(cause: unknown): { code: string | undefined; status: number | undefined } {
  if (!(cause instanceof Error)) return { code: undefined, status: undefined };
  const code = "code" in cause ? String(cause.code) : undefined;
  const status = "responseCode" in cause && typeof cause.responseCode === "number" ? cause.responseCode : undefined;
  return { code, status };
}
