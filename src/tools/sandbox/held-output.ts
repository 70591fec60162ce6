import type { CommandOutput } from "./command-output.ts";
import type { OutputPiece } from "./sandbox.ts";

/**
 * Output that is given on only after a look has shown that the command could not have read anything it must not when it
 * wrote it. What has come since then waits for the next look; after a look that fails, nothing is given on any more.
 */
export function openHeldOutput(output: CommandOutput, isClear: () => Promise<boolean>) {
  let waiting: { stream: OutputPiece["stream"]; bytes: Buffer }[] = [];
  let looking: Promise<void> | undefined;
  let isShut = false;
  return { add, bytesSeen, settled: async () => looking };

  function bytesSeen(): number {
    return waiting.reduce((sum, { bytes }) => sum + bytes.length, output.bytesSeen());
  }

  function add(stream: OutputPiece["stream"], bytes: Buffer): void {
    if (isShut) return;
    waiting.push({ stream, bytes });
    looking ??= giveOn().finally(() => {
      looking = undefined;
    });
  }

  async function giveOn(): Promise<void> {
    while (waiting.length > 0) {
      const before = waiting;
      waiting = [];
      isShut = !(await isClear());
      if (isShut) waiting = [];
      else for (const { stream, bytes } of before) output.add(stream, bytes);
    }
  }
}
