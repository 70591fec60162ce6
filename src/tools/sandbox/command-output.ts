import { StringDecoder } from "node:string_decoder";
import type { OutputPiece } from "./sandbox.ts";

export type CommandOutput = ReturnType<typeof openCommandOutput>;

/** Keeps at most `limitBytes` for the reader, and goes on counting what it drops. */
export function openCommandOutput(limitBytes: number) {
  const waiting: OutputPiece[] = [];
  const decoders = { out: new StringDecoder("utf8"), err: new StringDecoder("utf8") };
  let seen = 0;
  let ended = false;
  let wake = Promise.withResolvers<void>();
  const pieces = { [Symbol.asyncIterator]: read };
  return { pieces, limitBytes, add, countTo, note, end, bytesSeen: () => seen, wasCut };

  function add(stream: keyof typeof decoders, bytes: Buffer): void {
    const room = Math.max(0, limitBytes - seen);
    seen += bytes.length;
    if (room > 0) keep(decoders[stream].write(bytes.subarray(0, room)));
  }

  /** So many bytes there were, whether they were added or not. */
  function countTo(bytes: number): void {
    seen = Math.max(seen, bytes);
  }

  function wasCut(): boolean {
    return seen > limitBytes;
  }

  /** Words of our own, which no limit cuts. */
  function note(text: string): void {
    keep(decoders.err.end());
    keep(text);
  }

  function end(): void {
    if (ended) return;
    keep(decoders.out.end());
    keep(decoders.err.end());
    ended = true;
    wake.resolve();
  }

  function keep(text: string): void {
    if (text === "") return;
    waiting.push({ text });
    wake.resolve();
  }

  async function* read(): AsyncGenerator<OutputPiece> {
    for (;;) {
      const piece = waiting.shift();
      if (piece) yield piece;
      else if (ended) return;
      else {
        await wake.promise;
        wake = Promise.withResolvers<void>();
      }
    }
  }
}
