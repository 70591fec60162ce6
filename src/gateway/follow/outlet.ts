/** The way to one client over any protocol, which knows how much of what was sent has not left yet. */
export type Outlet = {
  /** Goes out together with everything else of this round of the event loop. */
  send(frame: string | Uint8Array): void;
  /** The client is behind: nothing more is to be sent before `drained`. */
  isFull(): boolean;
  /** Resolves when most of what was sent has left, or the client is gone. */
  drained(): Promise<void>;
  isClosed(): boolean;
};

/** What local socket, WebSocket and server-sent events differ in. */
export type Wire = {
  /** Holds back what is written while it is corked. */
  stream: { readonly writableCorked: number; cork(): void; uncork(): void };
  send(frame: string | Uint8Array, onSent: () => void): void;
  unsentBytes(): number;
  isOpen(): boolean;
  onClose(listener: () => void): void;
};

const drainedShare = 1 / 4;

export function openOutlet(wire: Wire, fullBytes: number): Outlet {
  const { stream } = wire;
  let waiting: (() => void)[] = [];
  wire.onClose(wakeAll);
  return {
    send(frame) {
      if (!wire.isOpen()) return;
      if (stream.writableCorked === 0) {
        stream.cork();
        setImmediate(letGo);
      }
      wire.send(frame, wakeWhenDrained);
    },
    isFull: () => wire.unsentBytes() > fullBytes,
    drained: () => new Promise((resolve) => (isDrained() ? resolve() : waiting.push(resolve))),
    isClosed: () => !wire.isOpen(),
  };

  // ending a stream lets it go by itself
  function letGo(): void {
    if (stream.writableCorked > 0) stream.uncork();
  }

  function isDrained(): boolean {
    return !wire.isOpen() || wire.unsentBytes() <= fullBytes * drainedShare;
  }

  // an error in sending closes the connection, which wakes everyone
  function wakeWhenDrained(): void {
    if (waiting.length > 0 && isDrained()) wakeAll();
  }

  function wakeAll(): void {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  }
}
