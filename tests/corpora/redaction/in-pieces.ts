import type { RandomSource } from "./random-source.ts";

type Streaming = { stream(): { write(piece: string): string; end(): string } };

/** A text as a stream may bring it: in pieces of random lengths, or letter by letter. */
export function inPieces(redactor: Streaming, text: string, random: RandomSource | undefined): string {
  const pass = redactor.stream();
  const largest = random ? random.pick([2, 7, 40, 300]) : 1;
  let output = "";
  for (let at = 0; at < text.length; ) {
    const length = random ? 1 + random.below(largest) : 1;
    output += pass.write(text.slice(at, at + length));
    at += length;
  }
  return output + pass.end();
}
