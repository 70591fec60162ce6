import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** A newline ends a frame, and nothing else does: JSON may hold U+2028 and U+2029, at which readline would cut it in two. */
export function onLines(stream: Readable, take: (line: string) => void): void {
  const decoder = new StringDecoder("utf8");
  let begun = "";
  stream.on("data", (bytes: Buffer) => {
    const [first = "", ...others] = decoder.write(bytes).split("\n");
    begun += first;
    for (const next of others) {
      take(begun);
      begun = next;
    }
  });
}
