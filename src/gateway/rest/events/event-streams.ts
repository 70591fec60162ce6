// Server-sent events for many readers: one write a round of the event loop, one heartbeat for all, nobody's slowness kept in memory.
import type { ServerResponse } from "node:http";
import type { Caller } from "../../../contract/wire/caller.ts";
import type { Followed } from "../../../contract/wire/client.ts";
import type { Selection } from "../../follow/follow-log.ts";
import { openOutlet } from "../../follow/outlet.ts";
import type { Gateway } from "../../gateway.ts";

const maxUnsentBytes = 64 * 1024;
const emptyComment = ":\n\n";

export type EventStream = ReturnType<typeof streamOn>;
export type EventStreams = ReturnType<typeof openEventStreams>;

export function openEventStreams(deps: {
  heartbeatMs: number;
  onAccessEnd(tokenId: string, listener: () => void): () => void;
}) {
  const streams = new Set<EventStream>();
  let heartbeat: NodeJS.Timeout | undefined;

  return { open, count: () => streams.size };

  function open(response: ServerResponse, caller: Caller, headers: Readonly<Record<string, string>> = {}): EventStream {
    // a reader that goes away in mid-write is no trouble: the close below tidies up
    response.on("error", () => undefined);
    const stream = streamOn(response);
    const forget = caller.tokenId === undefined ? () => {} : deps.onAccessEnd(caller.tokenId, stream.end);
    streams.add(stream);
    heartbeat ??= setInterval(beat, deps.heartbeatMs);
    stream.onClose(() => {
      forget();
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
    for (const stream of streams) if (!stream.isFull()) stream.send(emptyComment);
  }
}

function streamOn(response: ServerResponse) {
  const isOpen = () => !response.destroyed && !response.writableEnded;
  const outlet = openOutlet(
    {
      stream: response,
      send: (frame, onSent) => response.write(frame, onSent),
      unsentBytes: () => response.writableLength,
      isOpen,
      onClose,
    },
    maxUnsentBytes,
  );
  return {
    ...outlet,
    onClose,
    end(): void {
      if (isOpen()) response.end();
    },
  };

  // the stream is over, whoever ended it; whoever went away before the answer began sends no further sign of it
  function onClose(listener: () => void): void {
    if (response.destroyed) listener();
    else response.once("close", listener);
  }
}

/** Tells a stream what happens until either side ends it. */
export function followInto(
  deps: { gateway: Pick<Gateway, "follow"> },
  stream: EventStream,
  what: { caller: Caller; since: number; selection?: Selection; write(followed: Followed): void },
): void {
  const { write } = what;
  stream.onClose(deps.gateway.follow(what.caller, what.since, { ...stream, write, close: stream.end }, what.selection));
}

/** One frame; line breaks inside JSON are escaped, so the data is always one line. */
export function eventFrame(frame: { event?: string; id?: string; data: unknown }): string {
  const event = frame.event === undefined ? "" : `event: ${frame.event}\n`;
  const id = frame.id === undefined ? "" : `id: ${frame.id}\n`;
  return `${event}${id}data: ${JSON.stringify(frame.data)}\n\n`;
}
