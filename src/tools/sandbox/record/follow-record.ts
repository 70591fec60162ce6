import type { CommandOutput } from "../command-output.ts";
import type { BoxRecord } from "./box-record.ts";

const chunkBytes = 64 * 1024;
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
  const chunk = Buffer.alloc(chunkBytes);
  let position = 0;
  let sawFull = false;
  let timer = setTimeout(look, pauseMs);
  return { finish, sawDiskFull: () => sawFull };

  function look(): void {
    take();
    timer = setTimeout(look, pauseMs);
  }

  function finish(): void {
    clearTimeout(timer);
    take();
  }

  function take(): void {
    const before = output.bytesSeen();
    while (!output.wasCut()) {
      const length = record.read(chunk, position);
      if (length === 0) break;
      position += length;
      output.add("out", chunk.subarray(0, length));
    }
    output.countTo(record.printedBytes());
    sawFull ||= record.isFull();
    if (output.bytesSeen() > before) onMore();
  }
}
