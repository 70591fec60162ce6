import type { CommandOutput } from "../command-output.ts";
import type { BoxRecord } from "./box-record.ts";

const chunkBytes = 16 * 1024;
const pauseMs = 20;

export type Followed = {
  /** Takes in what was printed last. */
  finish(): void;
  /** Whether the disk was seen full, so that something printed may be missing. */
  sawDiskFull(): boolean;
};

export type OutputTaker = Pick<CommandOutput, "add" | "countTo" | "bytesSeen" | "wasCut">;

/** Passes on what a box prints while it prints, up to the limit of the output; what comes after is counted. */
export function followRecord(record: BoxRecord, output: OutputTaker, onMore: () => void): Followed {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let position = 0;
  let sawFull = false;
  let timer = setTimeout(look, pauseMs);
  return { finish, sawDiskFull: () => sawFull };

  function look(): void {
    take();
    sawFull ||= record.isFull();
    timer = setTimeout(look, pauseMs);
  }

  function finish(): void {
    clearTimeout(timer);
    take();
    sawFull ||= record.isFull();
  }

  function take(): void {
    const before = output.bytesSeen();
    for (let length = 1; length > 0 && !output.wasCut(); position += length) {
      length = record.read(chunk, position);
      output.add("out", chunk.subarray(0, length));
    }
    if (output.wasCut()) output.countTo(record.printedBytes());
    if (output.bytesSeen() > before) onMore();
  }
}
