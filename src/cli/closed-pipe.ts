import type { Writable } from "node:stream";
import type { CommandConsole } from "../contract/room/command.ts";

export type WatchedConsole = {
  /** The same console; whoever listens for interruptions also hears that nobody reads the output any more. */
  console: CommandConsole;
  closed(): boolean;
  /** Resolves when everything written has been handed on. */
  flush(): Promise<void>;
};

/** Whoever reads our output may stop early, as `head` does; then the work ends quietly. */
export function watchForClosedPipe(console: CommandConsole): WatchedConsole {
  const streams: readonly Writable[] = [console.output, console.errors];
  const listeners = new Set<(why: "terminate") => void>();
  let closed = false;
  for (const stream of streams)
    stream.on("error", () => {
      closed = true;
      for (const listener of listeners) listener("terminate");
    });
  return { console: { ...console, onInterrupt }, closed: () => closed, flush };

  function onInterrupt(listener: Parameters<CommandConsole["onInterrupt"]>[0]): () => void {
    const stopListening = console.onInterrupt(listener);
    listeners.add(listener);
    if (closed) queueMicrotask(() => listener("terminate"));
    return () => {
      listeners.delete(listener);
      stopListening();
    };
  }

  async function flush(): Promise<void> {
    await Promise.all(streams.map(drained));
  }
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableEnded) resolve();
    else stream.write("", () => resolve());
  });
}
