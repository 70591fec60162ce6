// Keeps one socket to Slack open: what comes in are the reasons why one ends, what goes out are envelopes and the truth about it.
import type { ChannelBase, Life } from "../../../contract/channel/channel.ts";
import { reasonOf } from "../../../contract/failure.ts";
import { waitAfter } from "../pace.ts";
import { Refusal } from "./slack-failure.ts";
import { openSocket, type SlackSocket, type SocketDeps } from "./socket.ts";

export type Connection = {
  start(): void;
  reconnect(): void;
  close(): Promise<void>;
  life(): Pick<Life, "state" | "detail">;
};

export type ConnectionDeps = SocketDeps & {
  base: Pick<ChannelBase, "sleep" | "world">;
  /** Signs in and says as whom; throws a Refusal if a person must do something. */
  signIn(signal: AbortSignal): Promise<string>;
  /** The address of the next socket. */
  askForSocket(signal: AbortSignal): Promise<string>;
  /** A socket is open. missed: for a while there was none, and Slack does not repeat what was said meanwhile. */
  opened(missed: boolean): void;
};

const switchedOff =
  "Socket mode is switched off for the Slack app: open api.slack.com/apps, your app, Socket Mode, and switch it on.";

export function openConnection(deps: ConnectionDeps): Connection {
  const closing = new AbortController();
  const sockets = new Set<SlackSocket>();
  let told: ReturnType<Connection["life"]> = { state: "connecting", detail: "Connecting to Slack." };
  let current: SlackSocket | undefined;
  let attempt = new AbortController();
  let failures = 0;
  let running = Promise.resolve();
  let isStarted = false;

  return {
    start() {
      if (isStarted) return;
      isStarted = true;
      running = keepConnected();
    },
    reconnect() {
      if (closing.signal.aborted) return;
      told = { state: "connecting", detail: "Connecting to Slack again." };
      attempt.abort();
      for (const socket of sockets) socket.terminate();
    },
    async close() {
      told = { state: "closed", detail: "closed" };
      closing.abort();
      attempt.abort();
      for (const socket of sockets) socket.terminate();
      await running;
    },
    life: () => told,
  };

  async function keepConnected(): Promise<void> {
    while (!closing.signal.aborted) {
      attempt = new AbortController();
      const waitMs = await connectOnce(attempt.signal).catch(waitAfterFailure);
      if (closing.signal.aborted) return;
      // a sleep that is broken off has done its duty, however it says so
      if (waitMs > 0) await deps.base.sleep(waitMs, attempt.signal).catch(() => undefined);
    }
  }

  /** Returns when the socket has ended: how long to wait before the next one. */
  async function connectOnce(signal: AbortSignal): Promise<number> {
    const name = await deps.signIn(signal);
    const url = await deps.askForSocket(signal);
    // what Slack repeats may come in one breath with its hello, and must not overtake what was missed
    const caughtUp = Promise.withResolvers<void>();
    const receive: SocketDeps["receive"] = (envelope) => caughtUp.promise.then(() => deps.receive(envelope));
    const socket = openSocket({ ...deps, receive }, url);
    sockets.add(socket);
    void socket.closed.then(() => sockets.delete(socket));
    if (signal.aborted) socket.terminate();
    await socket.ready;
    const missed = !current?.isOpen();
    current?.retire();
    current = socket;
    if (closing.signal.aborted) return 0;
    told = { state: "connected", detail: `connected as ${name}` };
    deps.opened(missed);
    caughtUp.resolve();
    const beganMs = deps.base.world.nowMs();
    const end = await socket.ended;
    failures = deps.base.world.nowMs() - beganMs >= deps.pace.steadyMs ? 0 : failures + 1;
    if (end === "disabled") throw new Refusal(switchedOff);
    if (signal.aborted || (end === "moving" && failures <= 1)) return 0;
    if (end === "closed") notConnected("The connection broke off. Steward is connecting again.");
    return waitAfter(deps.pace, failures, Math.random());
  }

  function waitAfterFailure(cause: unknown): number {
    if (closing.signal.aborted || attempt.signal.aborted) return 0;
    if (cause instanceof Refusal) {
      if (told.detail !== cause.message) deps.trouble(cause.message, cause);
      told = { state: "refused", detail: cause.message };
      return deps.pace.refusedWaitMs;
    }
    failures += 1;
    if (failures === 1) deps.trouble("Slack cannot be reached; it is tried again.", cause);
    notConnected(`Slack could not be reached: ${reasonOf(cause)}`);
    return waitAfter(deps.pace, failures, Math.random());
  }

  function notConnected(detail: string): void {
    if (!closing.signal.aborted && !current?.isOpen()) told = { state: "connecting", detail };
  }
}
