// For clients on the network: one WebSocket each, first-frame auth, then calls, answers and what happens.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import type { EventLog } from "../../store/log/event-log.ts";
import type { Access } from "../access/access.ts";
import { openUnidentifiedLimit } from "../access/unidentified-limit.ts";
import { type Outlet, openOutlet } from "../follow/outlet.ts";
import type { Gateway } from "../gateway.ts";
import type { Refusal } from "../http/refusal.ts";
import { refuseUpgrade } from "../http/write-answer.ts";
import { closeCode, closeSocket } from "./close-socket.ts";
import { welcomeText } from "./frames.ts";
import { type Admitted, type LetInDeps, letIn } from "./let-in.ts";
import type { SharedViews } from "./push-views.ts";
import { openRuns } from "./runs.ts";
import { serveCaller } from "./serve-caller.ts";
import { pushedFrames, tellViews } from "./tell-client.ts";

export type WebSocketEndpoint = ReturnType<typeof openWebSocketEndpoint>;

export type WebSocketDeps = LetInDeps & {
  gateway: Gateway;
  access: Pick<Access, "onEnd">;
  log: Pick<EventLog, "at" | "ofTurn" | "lastSeq">;
  nowMs(): number;
  beatMs?: number;
};

const maxFrameBytes = 32 * 1024 * 1024;
const maxUnsentBytes = 1024 * 1024;
const maxMissedBeats = 2;

export function openWebSocketEndpoint(deps: WebSocketDeps) {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxFrameBytes,
  });
  const unidentified = openUnidentifiedLimit({ overall: 64, fromOnePlace: 8 });
  const missedBeats = new Map<WebSocket, number>();
  const shared: SharedViews = { runs: openRuns(deps.log), steps: new WeakMap(), whole: new WeakMap() };
  const callerDeps = { ...deps, frames: pushedFrames(), shared };
  const beat = setInterval(beatAll, deps.beatMs ?? 20_000);
  beat.unref();
  let isClosing = false;

  return {
    /** Host and Origin have been checked; `from` is the address that limits are counted by. */
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, from: string) {
      if (isClosing || !unidentified.hasRoom(from)) return refuseUpgrade(socket, tooManyNow);
      const leave = unidentified.enter(from);
      socket.once("close", leave);
      server.handleUpgrade(request, socket, head, (webSocket) => {
        watch(webSocket);
        const { headers } = request;
        letIn(deps, { webSocket, socket, headers, from, headBytes: head.length }, (admitted) => {
          leave();
          serve(webSocket, socket, admitted);
        });
      });
    },
    /** Open sockets, whether they have said who they are or not. */
    count: () => missedBeats.size,
    /** Clients are told that this is a restart, so that they come again. */
    async close(): Promise<void> {
      isClosing = true;
      clearInterval(beat);
      await Promise.all([...missedBeats.keys()].map(sayGoodbye));
    },
  };

  function watch(webSocket: WebSocket): void {
    missedBeats.set(webSocket, 0);
    const noteLife = () => missedBeats.has(webSocket) && missedBeats.set(webSocket, 0);
    webSocket.on("pong", noteLife);
    webSocket.on("message", noteLife);
    // a frame against the protocol closes the socket by itself; the client's mistake is no trouble of ours
    webSocket.on("error", () => undefined);
    webSocket.once("close", () => missedBeats.delete(webSocket));
  }

  function serve(webSocket: WebSocket, socket: Duplex, { caller, events, early }: Admitted): void {
    const client = { webSocket, outlet: outletOf(webSocket, socket), caller, breakOff };
    const served = serveCaller(callerDeps, client);
    client.outlet.send(welcomeText(caller.scope, caller.conversation));
    const stopTelling = events === "views" ? tellViews(callerDeps, client) : () => {};
    const end = () => {
      served.end();
      stopTelling();
    };
    const forget = caller.tokenId === undefined ? () => {} : deps.access.onEnd(caller.tokenId, onTokenEnd);
    webSocket.on("message", (data: RawData, isBinary: boolean) => served.take({ data, isBinary }));
    webSocket.once("close", () => {
      end();
      forget();
    });
    for (const message of early) served.take(message);

    function onTokenEnd(): void {
      end();
      closeSocket(webSocket, closeCode.notLetIn, "the token has ended");
    }

    // a client that missed something it cannot know of must come again
    function breakOff(): void {
      end();
      closeSocket(webSocket, closeCode.broken, "come again");
    }
  }

  function beatAll(): void {
    for (const [webSocket, missed] of missedBeats) {
      if (missed >= maxMissedBeats) webSocket.terminate();
      else {
        missedBeats.set(webSocket, missed + 1);
        webSocket.ping();
      }
    }
  }
}

function outletOf(webSocket: WebSocket, socket: Duplex): Outlet {
  return openOutlet(
    {
      stream: socket,
      send: (frame, onSent) => webSocket.send(frame, { binary: false }, onSent),
      unsentBytes: () => webSocket.bufferedAmount,
      isOpen: () => webSocket.readyState === webSocket.OPEN,
      onClose: (listener) => webSocket.once("close", listener),
    },
    maxUnsentBytes,
  );
}

function sayGoodbye(webSocket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    webSocket.once("close", () => resolve());
    closeSocket(webSocket, closeCode.restart, "restart");
  });
}

const tooManyNow: Refusal = {
  status: 503,
  code: "too_many",
  message: "Too many connections have not said yet who they are. Try again.",
  headers: { "Retry-After": "2" },
};
