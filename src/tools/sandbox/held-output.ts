import type { CommandOutput } from "./command-output.ts";
import type { OutputTaker } from "./record/follow-record.ts";

type Stream = Parameters<CommandOutput["add"]>[0];
type Held = { stream: Stream; bytes: Buffer };

export type HeldOutput = OutputTaker & {
  /** The command has ended: what it wrote last waits for the last look, which somebody else makes. */
  endsSoon(): void;
  /** From now on nothing is looked at but by the last look, which was just asked for. */
  end(lastLook: Promise<boolean>): Promise<void>;
};

const mostForLastLook = 256 * 1024;

/**
 * Output that is given on only after a look has shown that the command could not have read anything it must not when it
 * wrote it. What has come since then waits for the next look; after a look that fails, nothing is given on any more.
 */
export function openHeldOutput(output: CommandOutput, isClear: () => Promise<boolean>): HeldOutput {
  const waiting: Held[] = [];
  let bytesHeld = 0;
  let looking: Promise<void> | undefined;
  let isShut = false;
  let isEnding = false;
  let isLast = false;
  let counted = 0;
  const bytesSeen = () => output.bytesSeen() + bytesHeld;
  const wasCut = () => bytesSeen() > output.limitBytes;
  return { add, countTo, bytesSeen, bytesWaiting: () => bytesHeld, wasCut, endsSoon, end };

  function add(stream: Stream, bytes: Buffer): void {
    if (isShut) return;
    bytesHeld += bytes.length;
    // whoever reads it uses the same memory again
    waiting.push({ stream, bytes: Buffer.from(bytes) });
    if (isEnding && bytesHeld < mostForLastLook) return;
    looking ??= giveOn().finally(() => {
      looking = undefined;
    });
  }

  /** Told further when nothing waits any more, or the same bytes would count twice. */
  function countTo(bytes: number): void {
    counted = Math.max(counted, bytes);
    if (bytesHeld === 0) output.countTo(counted);
  }

  function endsSoon(): void {
    isEnding = true;
  }

  async function end(lastLook: Promise<boolean>): Promise<void> {
    isLast = true;
    const [isClear] = await Promise.all([lastLook, looking]);
    if (!isShut) judge(waiting.splice(0), isClear);
    output.countTo(counted);
  }

  async function giveOn(): Promise<void> {
    while (waiting.length > 0 && !isLast) {
      // a look that breaks off has shown nothing
      judge(waiting.splice(0), await isClear().catch(() => false));
    }
  }

  function judge(lookedAt: readonly Held[], isClear: boolean): void {
    isShut = !isClear;
    for (const { stream, bytes } of isClear ? lookedAt : []) {
      bytesHeld -= bytes.length;
      output.add(stream, bytes);
    }
    if (isClear) return;
    waiting.length = 0;
    bytesHeld = 0;
  }
}
