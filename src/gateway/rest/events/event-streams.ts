// Server-sent events for many readers: one write a round of the event loop, one heartbeat for all, nobody's slowness kept in memory.
import type { ServerResponse } from "node:http";
import type { Caller } from "../../../contract/caller.ts";

const maxUnsentBytes = 64 * 1024;
const emptyComment = ":\n\n";

export type EventStream = {
  /** Goes out together with everything else of this round of the event loop. */
  write(frame: string | Uint8Array): void;
  /** The reader is behind: nothing more is to be written before `drained`. */
  isFull(): boolean;
  /** Resolves when everything has been sent, or nobody is there any more. */
  drained(): Promise<void>;
  isOpen(): boolean;
  /** Called when the stream is over, whoever ended it. Returns how to take the listener back. */
  onClose(listener: () => void): () => void;
  end(): void;
};

export type EventStreams = {
  open(response: ServerResponse, caller: Caller, headers?: Readonly<Record<string, string>>): EventStream;
  count(): number;
};

export function openEventStreams(deps: {
  heartbeatMs: number;
  onAccessEnd(tokenId: string, listener: () => void): () => void;
}): EventStreams {
  const corked = new Set<ServerResponse>();
  const streams = new Set<EventStream>();
  let heartbeat: NodeJS.Timeout | undefined;

  return { open, count: () => streams.size };

  function open(response: ServerResponse, caller: Caller, headers: Readonly<Record<string, string>> = {}): EventStream {
    // a reader that goes away in mid-write is no trouble: the close below tidies up
    response.on("error", () => undefined);
    const stream = streamOn(response, corked);
    const forget = caller.tokenId === undefined ? () => {} : deps.onAccessEnd(caller.tokenId, stream.end);
    streams.add(stream);
    heartbeat ??= setInterval(beat, deps.heartbeatMs);
    stream.onClose(() => {
      forget();
      corked.delete(response);
      streams.delete(stream);
      if (streams.size > 0) return;
      clearInterval(heartbeat);
      heartbeat = undefined;
    });
    response.writeHead(200, {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      // proxies that collect an answer before they pass it on would hold the events back
      "x-accel-buffering": "no",
      ...headers,
    });
    response.flushHeaders();
    return stream;
  }

  function beat(): void {
    for (const stream of streams) if (!stream.isFull()) stream.write(emptyComment);
  }
}

function streamOn(response: ServerResponse, corked: Set<ServerResponse>): EventStream {
  const isOpen = () => !response.destroyed && !response.writableEnded;
  const closeListeners = new Set<() => void>();
  response.once("close", () => {
    for (const listener of closeListeners) listener();
  });
  return {
    write: (frame) => write(frame),
    isFull: () => response.writableLength > maxUnsentBytes,
    drained() {
      if (!isOpen()) return Promise.resolve();
      return new Promise((resolve) => {
        const forget = onClose(resolve);
        // the response's own drain does not count what is corked, so an empty comment is sent after the rest instead
        write(emptyComment, () => {
          forget();
          resolve();
        });
      });
    },
    isOpen,
    onClose,
    end() {
      if (corked.delete(response)) response.uncork();
      if (isOpen()) response.end();
    },
  };

  function onClose(listener: () => void): () => void {
    closeListeners.add(listener);
    return () => closeListeners.delete(listener);
  }

  function write(frame: string | Uint8Array, onSent?: () => void): void {
    if (!isOpen()) return;
    if (!corked.has(response)) {
      response.cork();
      if (corked.size === 0) setImmediate(uncorkAll, corked);
      corked.add(response);
    }
    response.write(frame, onSent);
  }
}

function uncorkAll(corked: Set<ServerResponse>): void {
  const all = [...corked];
  corked.clear();
  for (const response of all) response.uncork();
}

/** One frame; line breaks inside JSON are escaped, so the data is always one line. */
export function eventFrame(frame: { event?: string; id?: string; data: unknown }): string {
  const event = frame.event === undefined ? "" : `event: ${frame.event}\n`;
  const id = frame.id === undefined ? "" : `id: ${frame.id}\n`;
  return `${event}${id}data: ${JSON.stringify(frame.data)}\n\n`;
}

/** However many follow, an event is put into its frame once: what makes it is asked once for each object. */
export function onceForAll<Item extends object, Made>(make: (item: Item) => Made): (item: Item) => Made {
  const made = new WeakMap<Item, Made>();
  return (item) => {
    const known = made.get(item);
    if (known !== undefined) return known;
    const fresh = make(item);
    made.set(item, fresh);
    return fresh;
  };
}
