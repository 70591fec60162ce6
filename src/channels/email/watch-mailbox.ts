// Stays connected to the mailbox, hears at once of what comes in (IDLE), and notices when the server has gone silent.
import type { ImapFlow } from "imapflow";
import type { ChannelBase, Life } from "../../contract/channel/channel.ts";
import { reasonOf } from "../../contract/failure.ts";
import { visibleLine } from "../../contract/words/visible-line.ts";
import { giveWords } from "../secret-words.ts";
import { answerMs, connectImap, type ImapPlace, openToRead, within } from "./imap-connection.ts";
import { type MailTaker, NotKept } from "./take-mails.ts";

export type MailboxWatch = {
  start(): void;
  close(): Promise<void>;
  reconnect(): Promise<void>;
  life(): Life;
};

type WatchDeps = { base: ChannelBase; place: ImapPlace; taker: MailTaker; times?: Times };
/** After how long a quiet connection is asked whether it still stands, and how long the server may take to answer. */
type Times = { renewMs: number; answerMs: number };

// servers end an IDLE after half an hour, and routers forget a quiet connection earlier
const usualTimes: Times = { renewMs: 4 * 60_000, answerMs };
// without IDLE the mailbox is looked at so often
const pollMs = 60_000;
const firstRetryMs = 1_000;
const lastRetryMs = 60_000;
const longestGoodbyeMs = 1_500;
const refusedMs = 5 * 60_000;

export function watchMailbox({ base, place, taker, times = usualTimes }: WatchDeps): MailboxWatch {
  const email = base.settings.channels.email;
  const closing = new AbortController();
  let round = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let life: Life = { state: "connecting", lastProofMs: undefined, detail: `Connecting to ${place.host}.` };
  return {
    start() {
      running = run();
    },
    async close() {
      closing.abort();
      life = { ...life, state: "closed", detail: "closed" };
      // a mail that is just being written to disk may take its time; nothing else is waited for
      const enough = new AbortController();
      await Promise.race([running.finally(() => enough.abort()), base.sleep(longestGoodbyeMs, enough.signal)]);
    },
    reconnect: async () => round.abort(),
    life: () => life,
  };

  async function run(): Promise<void> {
    let failures = 0;
    while (!closing.signal.aborted) {
      round = new AbortController();
      if (life.state === "connected") life = { ...life, state: "connecting", detail: `Connecting to ${place.host}.` };
      const signal = AbortSignal.any([closing.signal, round.signal]);
      let waitMs = 0;
      try {
        await follow(signal, () => {
          failures = 0;
        });
      } catch (cause) {
        if (!signal.aborted) waitMs = tell(cause, failures++);
      }
      // a connection that was thrown away on purpose is made anew at once
      if (waitMs > 0) await base.sleep(waitMs, signal);
    }
  }

  async function follow(signal: AbortSignal, onTaken: () => void): Promise<void> {
    const client = await connectImap(place, signal);
    try {
      prove();
      const bell = hangBell(client, signal);
      await openToRead(client, email.mailbox);
      await taker.begin(client);
      life = { state: "connected", lastProofMs: life.lastProofMs, detail: connectedWords() };
      for (let failures = 0; ; ) {
        bell.silence();
        const isAllTaken = await takeAll(client, failures);
        // not before: a mail at which the server hangs up must not be asked for again at once
        if (isAllTaken) onTaken();
        failures = isAllTaken ? 0 : failures + 1;
        if (!isAllTaken) await bell.orAfter(retryMs(failures), false);
        else if (!bell.hasRung()) await idle(client, bell, times.renewMs);
        await within(client, times.answerMs, client.noop());
        prove();
        signal.throwIfAborted();
      }
    } finally {
      client.close();
    }
  }

  async function takeAll(client: ImapFlow, failures: number): Promise<boolean> {
    try {
      await taker.takeNew(client);
      prove();
      return true;
    } catch (cause) {
      if (!(cause instanceof NotKept)) throw cause;
      if (failures === 0) base.trouble("Email: a mail could not be kept; it is tried again.", cause.cause);
      return false;
    }
  }

  function tell(cause: unknown, failures: number): number {
    const refusal = refusalOf(cause);
    const waitMs = refusal ? refusedMs : retryMs(failures);
    if (refusal) {
      if (life.state !== "refused") base.trouble(`Email: ${refusal}`, undefined);
      life = { ...life, state: "refused", detail: refusal };
    } else if (life.state !== "refused")
      life = { ...life, state: "connecting", detail: `${place.host} could not be reached: ${wordsOf(cause)}` };
    return waitMs;
  }

  function refusalOf(cause: unknown): string | undefined {
    if (!(cause instanceof Error)) return undefined;
    const code = "serverResponseCode" in cause ? String(cause.serverResponseCode) : "";
    // a server that is busy says so when one signs in, too
    const isBusy = /^(UNAVAILABLE|INUSE|LIMIT|SERVERBUG)$/.test(code);
    if ("authenticationFailed" in cause && !isBusy)
      return `${place.host} does not let ${place.user} in. Check the name to sign in with and the password (many providers want an app password): ${giveWords("EMAIL_PASSWORD")}`;
    if ("mailboxMissing" in cause && cause.mailboxMissing)
      return `${place.host} has no mailbox called ${email.mailbox}: check channels.email.mailbox.`;
    return undefined;
  }

  function prove(): void {
    life = { ...life, lastProofMs: base.world.nowMs() };
  }

  function connectedWords(): string {
    const known = `${email.address} at ${place.host}`;
    if (email.allowedUserIds.length === 0 || email.authServer !== "") return known;
    return `${known}; no mail is answered until channels.email.authServer is set`;
  }

  function wordsOf(cause: unknown): string {
    return visibleLine(base.redact(reasonOf(cause).replaceAll(place.password, "…")), 200);
  }
}

/** Waits until something comes in; a server that cannot push is looked at again after a while. */
async function idle(client: ImapFlow, bell: Bell, renewMs: number): Promise<void> {
  let isPushed = true;
  const idling = client.idle().then(() => {
    isPushed = false;
  });
  // it reports a lost connection by ending; the NOOP after it then says what is wrong
  await Promise.race([idling.catch(() => undefined), bell.orAfter(renewMs, true)]);
  if (!isPushed && !bell.hasRung()) await bell.orAfter(pollMs, true);
}

type Bell = {
  hasRung(): boolean;
  silence(): void;
  /** Ends when it is over with the connection, too; and when something comes in, if `isHeard`. */
  orAfter(ms: number, isHeard: boolean): Promise<void>;
};

function hangBell(client: ImapFlow, signal: AbortSignal): Bell {
  const waiting = new Set<{ end(): void; isHeard: boolean }>();
  let rung = false;
  client.on("exists", () => {
    rung = true;
    for (const one of waiting) if (one.isHeard) one.end();
  });
  client.on("close", () => {
    for (const one of waiting) one.end();
  });
  return {
    hasRung: () => rung,
    silence() {
      rung = false;
    },
    orAfter(ms, isHeard) {
      if (client.isClosed || signal.aborted || (isHeard && rung)) return Promise.resolve();
      return new Promise((resolve) => {
        const one = { end, isHeard };
        const timer = setTimeout(end, ms);
        waiting.add(one);
        function end() {
          clearTimeout(timer);
          waiting.delete(one);
          resolve();
        }
      });
    },
  };
}

function retryMs(failures: number): number {
  const longest = Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(failures, 10));
  return longest * (0.5 + Math.random() / 2);
}
