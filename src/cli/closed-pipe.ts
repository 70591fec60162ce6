import type { Writable } from "node:stream";
import type { CommandConsole } from "../contract/room/command.ts";

/** Whoever reads our output may stop early, as `head` does; then the work ends quietly. */
export function watchForClosedPipe(console: CommandConsole) {
  const streams: readonly Writable[] = [console.output, console.errors];
  const listeners = new Set<(why: "terminate") => void>();
  let closed = false;
  for (const stream of streams)
    stream.on("error", () => {
      closed = true;
      for (const listener of listeners) listener("terminate");
    });
  return { console: { ...console, onInterrupt }, closed: () => closed, flush };

  /** Whoever listens for interruptions also hears that nobody reads the output any more. */
  function onInterrupt(listener: Parameters<CommandConsole["onInterrupt"]>[0]): () => void {
    const stopListening = console.onInterrupt(listener);
    listeners.add(listener);
    if (closed) queueMicrotask(() => listener("terminate"));
    return () => {
      listeners.delete(listener);
      stopListening();
    };
  }

  /** Resolves when everything written has been handed on. */
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
