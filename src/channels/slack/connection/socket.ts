// One WebSocket to Slack. Its own library closes the old socket before it has a new one, and that only seconds later.
import { WebSocket } from "ws";
import { z } from "zod";
import { reasonOf } from "../../../contract/failure.ts";
import type { Pace } from "../pace.ts";

export const Envelope = z.object({
  type: z.string(),
  envelope_id: z.string().optional(),
  payload: z.unknown().optional(),
});
export type Envelope = z.infer<typeof Envelope>;
const Disconnect = z.object({ type: z.literal("disconnect"), reason: z.string().default("warning") });

/** moving: Slack will close it soon and wants a new one. disabled: the owner of the app has switched socket mode off. */
export type SocketEnd = "closed" | "moving" | "disabled";

export type SlackSocket = {
  /** Slack has said hello; rejects if it never does. */
  ready: Promise<void>;
  /** It is of no more use, though it may stay open for a while. */
  ended: Promise<SocketEnd>;
  closed: Promise<void>;
  isOpen(): boolean;
  /** Closes when everything that came over it is acknowledged. */
  retire(): void;
  terminate(): void;
};

export type SocketDeps = {
  pace: Pace;
  proof(): void;
  /** Whether it is to be acknowledged. */
  receive(envelope: Envelope): Promise<boolean>;
  trouble(message: string, cause: unknown): void;
};

export function openSocket(deps: SocketDeps, url: string): SlackSocket {
  const { pace } = deps;
  const socket = new WebSocket(url, { handshakeTimeout: pace.helloMs, perMessageDeflate: false });
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<SocketEnd>();
  const closed = Promise.withResolvers<void>();
  // whoever waits for the end need not wait for the beginning
  ready.promise.catch(() => undefined);
  let unacknowledged = 0;
  let isRetiring = false;

  const silence = setTimeout(() => socket.terminate(), pace.silenceMs);
  const hello = setTimeout(() => fail("Slack has not said hello"), pace.helloMs);
  const pinging = setInterval(() => {
    if (socket.readyState === WebSocket.OPEN) socket.ping();
  }, pace.pingMs);
  const heard = () => {
    deps.proof();
    silence.refresh();
  };
  socket.on("ping", heard);
  socket.on("pong", heard);
  socket.on("message", (data) => {
    heard();
    take(String(data));
  });
  socket.on("error", (cause) => ready.reject(new Error(`Slack's socket failed: ${reasonOf(cause)}`)));
  socket.on("close", () => {
    clearTimeout(silence);
    clearTimeout(hello);
    clearInterval(pinging);
    ready.reject(new Error("Slack's socket closed before it had said hello"));
    ended.resolve("closed");
    closed.resolve();
  });

  return {
    ready: ready.promise,
    ended: ended.promise,
    closed: closed.promise,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    retire() {
      isRetiring = true;
      closeIfIdle();
    },
    terminate: () => socket.terminate(),
  };

  function take(text: string): void {
    const frame = readFrame(text);
    if (frame === undefined) return;
    const disconnect = Disconnect.safeParse(frame);
    if (disconnect.success) {
      ended.resolve(disconnect.data.reason === "link_disabled" ? "disabled" : "moving");
      return;
    }
    const envelope = Envelope.safeParse(frame);
    if (!envelope.success) return;
    if (envelope.data.type === "hello") {
      clearTimeout(hello);
      ready.resolve();
      return;
    }
    const id = envelope.data.envelope_id;
    if (id === undefined) return;
    unacknowledged += 1;
    deps
      .receive(envelope.data)
      .then((isTaken) => isTaken && acknowledge(id))
      .catch((cause: unknown) => deps.trouble("A Slack event could not be taken; Slack will send it again.", cause))
      .finally(() => {
        unacknowledged -= 1;
        closeIfIdle();
      });
  }

  // on a socket that is gone nothing is lost: Slack sends the envelope again over the next one
  function acknowledge(id: string): void {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ envelope_id: id }), () => undefined);
  }

  function closeIfIdle(): void {
    if (isRetiring && unacknowledged === 0) socket.close(1000);
  }

  function fail(reason: string): void {
    ready.reject(new Error(reason));
    socket.terminate();
  }
}

function readFrame(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // a frame that is no JSON concerns nobody
    return undefined;
  }
}
