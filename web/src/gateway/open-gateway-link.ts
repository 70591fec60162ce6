// The way to the gateway: connects, signs in by the cookie, follows the log, and comes back after every break.
import type { Followed } from "../../../src/contract/wire/client.ts";
import type { MethodInput, MethodName, MethodResult } from "../../../src/contract/wire/method.ts";
import { openWatched } from "../state/watched.ts";
import type { GatewayLink, LinkState } from "./gateway-link.ts";
import { openPendingCalls } from "./pending-calls.ts";
import { reconnectDelayMs } from "./reconnect-delay.ts";
import { readServerFrame, type ServerFrame } from "./server-frame.ts";
import type { Connect, Socket } from "./socket.ts";
import { openStepsUnderWay } from "./steps-under-way.ts";
import type { Timers } from "./timers.ts";

export type LinkDeps = {
  connect: Connect;
  timers: Timers;
  /** Between 0 and 1. */
  random(): number;
  /** The log is younger than what this page has seen: everything shown belongs to another installation. */
  startedOver(): void;
};

export type OpenLink = GatewayLink & {
  /** The network or the person is back: look now instead of waiting. Also after signing in. */
  wake(): void;
  close(): void;
};

const notSignedIn = 4401;
const quietMs = 25_000;
const patienceMs = 20_000;
const hurriedPatienceMs = 5000;

export function openGatewayLink(deps: LinkDeps): OpenLink {
  const { timers } = deps;
  const state = openWatched<LinkState>("connecting");
  const calls = openPendingCalls(timers);
  const listeners = new Set<(followed: Followed) => void>();
  const underWay = openStepsUnderWay();
  let lastSeq: number | undefined;
  let failures = 0;
  let socket: Socket | undefined;
  let isGreeting = false;
  let isClosed = false;
  let stopWaiting = () => {};
  let stopWatching = () => {};
  attempt();

  return {
    state,
    get lastSeq() {
      return lastSeq ?? 0;
    },
    async call<Name extends MethodName>(name: Name, params: MethodInput<Name>) {
      return (await calls.add(name, params)) as MethodResult<Name>;
    },
    follow(listener) {
      listeners.add(listener);
      // after the caller has what this returns, and before anything else can arrive
      queueMicrotask(() => {
        if (listeners.has(listener)) for (const signal of underWay.soFar()) listener(signal);
      });
      return () => listeners.delete(listener);
    },
    wake() {
      if (isClosed) return;
      if (!socket) attempt();
      else if (state.value === "open") probe(hurriedPatienceMs);
    },
    close() {
      isClosed = true;
      leave();
    },
  };

  function attempt(): void {
    stopWaiting();
    if (state.value === "signed-out") state.set("connecting");
    const mine: Socket = deps.connect({
      opened: () => mine === socket && mine.send(JSON.stringify({ type: "auth", events: "none" })),
      received: (text) => mine === socket && received(text),
      closed: (code) => mine === socket && closed(code),
    });
    socket = mine;
    isGreeting = true;
    expectFrame(patienceMs);
  }

  function received(text: unknown): void {
    waitForQuiet();
    const frame = readServerFrame(text);
    if (frame) take(frame);
  }

  function take(frame: ServerFrame): void {
    switch (frame.kind) {
      case "welcome":
        ask("health", "health.check", {});
        break;
      // the server closes after it, and the code says whether trying again makes sense
      case "unwelcome":
        break;
      case "result":
        if (isGreeting && frame.id === "health") greeted(frame.result);
        else calls.answered(frame.id, frame.result);
        break;
      case "refusal":
        if (isGreeting && frame.id === "health") closed(0);
        else calls.refused(frame.id, frame.reason, frame.message);
        break;
      case "event":
        if (lastSeq !== undefined && frame.event.seq <= lastSeq) return;
        lastSeq = frame.event.seq;
        tell(frame.event);
        break;
      case "live":
        tell(frame.signal);
        break;
      default:
        frame satisfies never;
    }
  }

  // a page that has seen nothing starts from now; one that was away starts from what it saw last
  function greeted(health: unknown): void {
    const newest = Number(Reflect.get(Object(health), "lastSeq")) || 0;
    if (lastSeq !== undefined && newest < lastSeq) {
      isClosed = true;
      leave();
      deps.startedOver();
      return;
    }
    lastSeq ??= newest;
    isGreeting = false;
    failures = 0;
    ask("follow", "events.follow", { since: lastSeq });
    // known to be open before the waiting calls go out, so that whoever watches sees them in that order
    state.set("open");
    calls.open((text) => socket?.send(text));
  }

  function closed(code: number): void {
    leave();
    if (code === notSignedIn) {
      state.set("signed-out");
      calls.refuse("forbidden", "You are signed out.");
      return;
    }
    // the first break is often over in a blink and not worth a banner
    state.set(state.value === "open" ? "connecting" : "lost");
    stopWaiting = timers.after(reconnectDelayMs(failures, deps.random()), attempt);
    failures += 1;
  }

  function leave(): void {
    const gone = socket;
    socket = undefined;
    stopWatching();
    stopWaiting();
    calls.lost();
    gone?.close();
  }

  // the browser answers the server's pings unseen, so silence is broken by asking
  function waitForQuiet(): void {
    stopWatching();
    stopWatching = timers.after(quietMs, () => probe(patienceMs));
  }

  function probe(ms: number): void {
    ask("probe", "health.check", {});
    expectFrame(ms);
  }

  function expectFrame(ms: number): void {
    stopWatching();
    stopWatching = timers.after(ms, () => closed(0));
  }

  function ask(id: string, method: string, params: unknown): void {
    socket?.send(JSON.stringify({ id, method, params }));
  }

  function tell(followed: Followed): void {
    underWay.take(followed);
    for (const listener of [...listeners]) listener(followed);
  }
}
