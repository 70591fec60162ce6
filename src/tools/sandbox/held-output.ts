import type { CommandOutput } from "./command-output.ts";
import type { OutputTaker } from "./record/follow-record.ts";

type Stream = Parameters<CommandOutput["add"]>[0];

/**
 * Output that is given on only after a look has shown that the command could not have read anything it must not when it
 * wrote it. What has come since then waits for the next look; after a look that fails, nothing is given on any more.
 */
export function openHeldOutput(
  output: CommandOutput,
  isClear: () => Promise<boolean>,
): OutputTaker & { settled(): Promise<void> } {
  let waiting: { stream: Stream; bytes: Buffer }[] = [];
  let bytesHeld = 0;
  let looking: Promise<void> | undefined;
  let isShut = false;
  let counted = 0;
  const bytesSeen = () => output.bytesSeen() + bytesHeld;
  const wasCut = () => bytesSeen() > output.limitBytes;
  return { add, countTo, bytesSeen, bytesWaiting: () => bytesHeld, wasCut, settled };

  function add(stream: Stream, bytes: Buffer): void {
    if (isShut) return;
    bytesHeld += bytes.length;
    // whoever reads it uses the same memory again
    waiting.push({ stream, bytes: Buffer.from(bytes) });
    looking ??= giveOn().finally(() => {
      looking = undefined;
    });
  }

  /** Told further when nothing waits any more, or the same bytes would count twice. */
  function countTo(bytes: number): void {
    counted = Math.max(counted, bytes);
    if (looking === undefined) output.countTo(counted);
  }

  async function settled(): Promise<void> {
    await looking;
    output.countTo(counted);
  }

  async function giveOn(): Promise<void> {
    while (waiting.length > 0) {
      const lookedAt = waiting;
      waiting = [];
      // a look that breaks off has shown nothing
      isShut = !(await isClear().catch(() => false));
      if (isShut) break;
      for (const { stream, bytes } of lookedAt) {
        bytesHeld -= bytes.length;
        output.add(stream, bytes);
      }
    }
    if (!isShut) return;
    waiting = [];
    bytesHeld = 0;
  }
}
