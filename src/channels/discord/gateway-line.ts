// One connection to the gateway, from the first byte to its end: it never comes back by itself, the next one is another line.
import type { SessionInfo, WebSocketShard } from "@discordjs/ws";

export type GatewayLine = {
  /** Settles when it is of no more use, and never rejects. */
  over: Promise<LineEnd>;
  /** Throws it away at once. */
  drop(keepsSession: boolean): void;
};

/** How the gateway closed it, or undefined: it broke or was never answered. */
export type LineEnd = { code: number | undefined; reason: string };

export type LineEvents = {
  /** Discord has answered something. */
  proof(): void;
  /** A new session: what happened before it is not told again. */
  ready(greeting: unknown): void;
  /** The old session: what happened meanwhile has been told. */
  resumed(): void;
  dispatch(type: string, content: unknown): void;
};

export type LinePlace = {
  token: string;
  url: string;
  /** Kept by whoever opens the lines, so that the next one can go on where this one ended. */
  session: { current: SessionInfo | undefined };
  connectMs: number;
  mayIdentify(signal: AbortSignal): Promise<void>;
};

// GUILDS, GUILD_MESSAGES, DIRECT_MESSAGES, MESSAGE_CONTENT
const intents = (1 << 0) | (1 << 9) | (1 << 12) | (1 << 15);
const [closeForGood, closeToResume] = [1000, 4200];

export async function openGatewayLine(place: LinePlace, events: LineEvents): Promise<GatewayLine> {
  const library = await import("@discordjs/ws");
  const { session } = place;
  let end: (how: LineEnd) => void = () => undefined;
  let isOver = false;
  let saidHello = false;
  const over = new Promise<LineEnd>((resolve) => {
    end = (how) => {
      clearTimeout(limit);
      isOver = true;
      resolve(how);
    };
  });
  const limit = setTimeout(() => end({ code: undefined, reason: "it was not answered in time" }), place.connectMs);

  const shard = new library.WebSocketShard(
    {
      options: {
        ...library.DefaultWebSocketManagerOptions,
        token: place.token,
        intents,
        shardCount: 1,
        version: "10",
        handshakeTimeout: place.connectMs,
        // both are within the limit of this file, which ends the line instead of trying again at once and for ever
        ...{ helloTimeout: null, readyTimeout: null },
        gatewayInformation: { url: place.url, shards: 1, session_start_limit: noLimit },
      },
      // after the end of a connection the library makes another one on its own half a second later; this never lets it begin
      retrieveSessionInfo: () => (isOver ? new Promise<never>(() => undefined) : (session.current ?? null)),
      updateSessionInfo(_, info) {
        if (info) session.current = /^wss?:\/\/[^/]/.test(info.resumeURL) ? info : { ...info, resumeURL: place.url };
        // a network that is down is no reason to begin anew; what the gateway itself said is
        else if (saidHello) session.current = undefined;
      },
      waitForIdentify: (_, signal) => place.mayIdentify(signal),
    },
    0,
  );
  listen(shard, events, {
    hello: () => {
      saidHello = true;
      if (isOver) cut(shard, closeToResume);
    },
    isReady: () => clearTimeout(limit),
    end: (how) => end(how),
  });
  // what is wrong is also told as an event
  shard.connect().catch(() => end({ code: undefined, reason: "the connection failed" }));
  return {
    over,
    drop(keepsSession) {
      const kept = session.current;
      end({ code: undefined, reason: "it was given up" });
      cut(shard, keepsSession ? closeToResume : closeForGood);
      session.current = keepsSession ? kept : undefined;
    },
  };
}

const noLimit = { total: 1_000, remaining: 1_000, reset_after: 0, max_concurrency: 1 };

function listen(
  shard: WebSocketShard,
  events: LineEvents,
  line: { hello(): void; isReady(): void; end(how: LineEnd): void },
): void {
  // the names are strings in an enum of the library's, which only types may know before it is loaded
  const on = shard.on.bind(shard) as unknown as (
    name: string,
    told: (what: { [key: string]: unknown }) => void,
  ) => void;
  on("hello", () => {
    events.proof();
    line.hello();
  });
  on("heartbeat", () => events.proof());
  on("ready", ({ data }) => {
    line.isReady();
    events.proof();
    events.ready(data);
  });
  on("resumed", () => {
    line.isReady();
    events.proof();
    events.resumed();
  });
  on("dispatch", ({ data }) => {
    events.proof();
    const { t, d } = data as { t: string; d: unknown };
    events.dispatch(t, d);
  });
  on("closed", ({ code }) => line.end({ code: Number(code), reason: `it was closed (${String(code)})` }));
  on("error", () => line.end({ code: undefined, reason: "the connection broke" }));
}

/** The library waits half a minute for the other side to say goodbye, which a dead one never does. */
function cut(shard: WebSocketShard, code: number): void {
  const socket: unknown = Reflect.get(shard, "connection");
  void shard.destroy({ code, reason: "Steward ends this connection" }).catch(() => undefined);
  if (!isSocket(socket)) return;
  // to end one that is still being opened is told as an error, which nobody waits for any more
  socket.on("error", () => undefined);
  setTimeout(() => socket.terminate(), 500).unref();
}

type Socket = { terminate(): void; on(event: "error", told: () => void): void };

function isSocket(value: unknown): value is Socket {
  return typeof value === "object" && value !== null && "terminate" in value && "on" in value;
}
