import { setTimeout as pause } from "node:timers/promises";
import type { CommandOutput } from "../command-output.ts";
import type { BoxRecord } from "./box-record.ts";

const chunkBytes = 16 * 1024;
/** So that others have their turn while a box prints as fast as it can. */
const bytesPerLook = 1024 ** 2;
const pauseMs = 20;
const shortPauseMs = 1;

export type Followed = {
  /** Takes in what was printed last. */
  finish(): Promise<void>;
  /** Whether the disk was seen full, or could not be read, so that something printed may be missing. */
  sawDiskFull(): boolean;
};

export type OutputTaker = Pick<CommandOutput, "add" | "countTo" | "bytesSeen" | "wasCut"> & {
  /** What was added and is not given on yet. */
  bytesWaiting?(): number;
};

/**
 * Passes on what a box prints while it prints, up to the limit of the output; what comes after is counted. `onMore` hears
 * how much was printed so far, also of what was not read yet.
 */
export function followRecord(
  record: Pick<BoxRecord, "read" | "printedBytes" | "isFull">,
  output: OutputTaker,
  onMore: (printedBytes: number) => void,
): Followed {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let position = 0;
  let told = 0;
  let sawFull = false;
  let timer = setTimeout(look, pauseMs);
  return { finish, sawDiskFull: () => sawFull };

  function look(): void {
    const isAllTaken = takeSome();
    timer = setTimeout(look, isAllTaken ? pauseMs : shortPauseMs);
  }

  async function finish(): Promise<void> {
    clearTimeout(timer);
    while (!takeSome()) await pause(shortPauseMs);
  }

  /** Answers whether nothing is left to be taken for now. */
  function takeSome(): boolean {
    try {
      const isAllTaken = read();
      const printed = record.printedBytes();
      if (output.wasCut()) output.countTo(printed);
      if (printed > told) onMore(printed);
      told = printed;
      sawFull ||= record.isFull();
      return isAllTaken;
    } catch {
      // of a disk that cannot be read something may be missing, as of one that is full; the next look tries again
      sawFull = true;
      return true;
    }
  }

  function read(): boolean {
    // what waits to be given on is held in memory, what was not read lies on the disk
    if ((output.bytesWaiting?.() ?? 0) >= bytesPerLook) return false;
    const end = position + bytesPerLook;
    let length = 1;
    while (length > 0 && position < end && !output.wasCut()) {
      length = record.read(chunk, position);
      if (length > 0) output.add("out", chunk.subarray(0, length));
      position += length;
    }
    return length === 0 || output.wasCut();
  }
}
