import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** The way to one client, which knows how much of what was sent has not left yet. */
export type Outlet = {
  send(frame: string | Buffer): void;
  isFull(): boolean;
  /** Resolves when most of what was sent has left, or the client is gone. */
  drained(): Promise<void>;
};

const fullBytes = 1024 * 1024;
const drainedBytes = fullBytes / 4;

export function openOutlet(webSocket: WebSocket, socket: Duplex): Outlet {
  let waiting: (() => void)[] = [];
  webSocket.once("close", wakeAll);
  return {
    send(frame) {
      if (webSocket.readyState !== webSocket.OPEN) return;
      // what is said in one round of the event loop goes out in one piece
      if (socket.writableCorked === 0) {
        socket.cork();
        setImmediate(() => socket.uncork());
      }
      webSocket.send(frame, { binary: false }, wakeWhenDrained);
    },
    isFull: () => webSocket.bufferedAmount > fullBytes,
    drained: () => new Promise((resolve) => (isDrained() ? resolve() : waiting.push(resolve))),
  };

  function isDrained(): boolean {
    return webSocket.readyState !== webSocket.OPEN || webSocket.bufferedAmount <= drainedBytes;
  }

  // an error in sending closes the socket, which wakes everyone
  function wakeWhenDrained(): void {
    if (waiting.length > 0 && isDrained()) wakeAll();
  }

  function wakeAll(): void {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  }
}
