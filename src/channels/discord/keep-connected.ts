// Keeps one line to the gateway open: a line that ends is followed by another, later each time, until the channel is closed.
import type { SessionInfo } from "@discordjs/ws";
import { z } from "zod";
import type { ChannelBase, Life } from "../../contract/channel/channel.ts";
import { giveWords } from "../secret-words.ts";
import type { Api } from "./api/api.ts";
import { readFailure } from "./api/discord-failure.ts";
import { type GatewayLine, type LineEnd, type LineEvents, openGatewayLine } from "./gateway-line.ts";
import { Greeting } from "./read-update.ts";
import { type Timings, waitAfter } from "./timings.ts";

export type KeptConnection = {
  start(): void;
  reconnect(): Promise<void>;
  life(): Life;
  /** Resolves when the last line is gone; `closing` has been aborted before. */
  ended(): Promise<void>;
};

export type ConnectionPlace = {
  base: Pick<ChannelBase, "world" | "sleep" | "trouble" | "note">;
  api: Api;
  token: string;
  timings: Timings;
  closing: AbortSignal;
};

const Gateway = z.object({
  url: z.string().regex(/^wss?:\/\/[^/]/),
  session_start_limit: z.object({ remaining: z.number(), reset_after: z.number() }),
});
type Waiting = { state: "connecting" | "refused"; detail: string; waitMs: number };

// a bot that signs in more than a thousand times a day loses its token
const keptSignIns = 20;

export function keepConnected(place: ConnectionPlace, events: Pick<LineEvents, "ready" | "dispatch">): KeptConnection {
  const { base, api, timings, closing } = place;
  const session: { current: SessionInfo | undefined } = { current: undefined };
  let now: Omit<Life, "lastProofMs"> = { state: "connecting", detail: "Connecting to Discord." };
  let lastProofMs: number | undefined;
  let lastIdentifyMs = 0;
  let failures = 0;
  let name = "a bot";
  let running = Promise.resolve();
  // aborted to throw away the line, or to end the waiting for the next one
  let turn = new AbortController();

  return {
    start() {
      running = run();
    },
    async reconnect() {
      failures = 0;
      if (!closing.aborted) now = { state: "connecting", detail: "Connecting to Discord again." };
      turn.abort();
    },
    life: () => (closing.aborted ? { state: "closed", detail: "Closed.", lastProofMs } : { ...now, lastProofMs }),
    ended: () => running,
  };

  async function run(): Promise<void> {
    while (!closing.aborted) {
      turn = new AbortController();
      const stop = AbortSignal.any([turn.signal, closing]);
      const next = await connectOnce(stop).catch((cause: unknown) => judgeFailure(cause));
      if (stop.aborted) continue;
      if (next.state === "refused" && next.detail !== now.detail) base.trouble(next.detail, undefined);
      base.note("discord is not connected", { why: next.detail, waitMs: Math.round(next.waitMs) });
      now = next;
      await base.sleep(next.waitMs, stop);
    }
  }

  /** Returns when the connection has ended: why, and how long to wait. Throws a DiscordFailure. */
  async function connectOnce(stop: AbortSignal): Promise<Waiting> {
    // three times in vain: perhaps the old session is what is wrong
    if (failures >= 3) session.current = undefined;
    let url = session.current?.resumeURL;
    if (url === undefined) {
      const gateway = Gateway.safeParse(await api.ask({ method: "GET", path: "/gateway/bot", signal: stop }));
      if (!gateway.success) return trying("Discord did not say where its gateway is.", backOff());
      const { remaining, reset_after } = gateway.data.session_start_limit;
      if (remaining < keptSignIns)
        return trying("Discord lets this bot sign in again only later.", Math.max(reset_after, backOff()));
      url = gateway.data.url;
    }
    let readyMs: number | undefined;
    const line = await openGatewayLine(
      { token: place.token, url, session, connectMs: timings.connectMs, mayIdentify },
      {
        dispatch: events.dispatch,
        proof: () => {
          lastProofMs = base.world.nowMs();
        },
        ready(greeting) {
          const read = Greeting.safeParse(greeting);
          if (read.success) name = `${read.data.user.username} (${read.data.user.id})`;
          connected();
          events.ready(greeting);
        },
        resumed: connected,
      },
    );
    const ended = await endOf(line, stop);
    if (readyMs !== undefined && base.world.nowMs() - readyMs >= timings.provenMs) failures = 0;
    return judgeEnd(ended);

    function connected(): void {
      readyMs = base.world.nowMs();
      if (!stop.aborted) now = { state: "connected", detail: `Connected as ${name}.` };
    }
  }

  async function mayIdentify(signal: AbortSignal): Promise<void> {
    const stop = AbortSignal.any([signal, closing]);
    await base.sleep(Math.max(0, lastIdentifyMs + timings.identifyEveryMs - base.world.nowMs()), stop);
    stop.throwIfAborted();
    lastIdentifyMs = base.world.nowMs();
  }

  function judgeFailure(cause: unknown): Waiting {
    const failure = readFailure(cause);
    if (failure.status === 401) return { state: "refused", detail: wrongToken, waitMs: timings.refusedRetryMs };
    return trying(failure.message, Math.max(backOff(), failure.retryAfterMs ?? 0));
  }

  function judgeEnd({ code, reason }: LineEnd): Waiting {
    const refusal = code === undefined ? undefined : refusals[code];
    if (refusal !== undefined) return { state: "refused", detail: refusal, waitMs: timings.refusedRetryMs };
    return trying(`The connection to Discord ended: ${reason}.`, backOff());
  }

  function backOff(): number {
    return waitAfter(timings, failures++);
  }
}

const trying = (words: string, waitMs: number): Waiting => ({
  state: "connecting",
  detail: `${words} Steward goes on trying.`,
  waitMs,
});

async function endOf(line: GatewayLine, stop: AbortSignal): Promise<LineEnd> {
  const givenUp = () => line.drop(false);
  stop.addEventListener("abort", givenUp, { once: true });
  if (stop.aborted) givenUp();
  const ended = await line.over;
  stop.removeEventListener("abort", givenUp);
  // whatever is left of a line that broke or was never answered
  if (!stop.aborted) line.drop(true);
  return ended;
}

const wrongToken =
  "Discord does not know the bot's token. Make a new one at https://discord.com/developers/applications (Bot, Reset Token) and " +
  giveWords("DISCORD_BOT_TOKEN");
const ourFault = "Discord refuses how Steward connects. Update Steward; if that does not help, report it";

/** Closing codes after which coming back is of no use until a person has done something. */
const refusals: Readonly<Record<number, string>> = {
  4004: wrongToken,
  4010: `${ourFault} (4010).`,
  4011: "The bot is in more servers than one connection can serve (4011). Take it out of some.",
  4012: `${ourFault} (4012).`,
  4013: `${ourFault} (4013).`,
  4014: "Discord does not let the bot read messages (4014). At https://discord.com/developers/applications open your application, choose Bot and switch on Message Content Intent; Steward tries again within five minutes.",
};
