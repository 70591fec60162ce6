import type { ChannelBase } from "../../contract/channel/channel.ts";
import type { IncomingUpdate } from "../../contract/channel/incoming-update.ts";
import { type Pace, waitAfter } from "./pace.ts";

/**
 * Something that came in: the same key twice is the same thing, even if it came over another socket. line: the messages of one chat, or
 * the presses in it, which wait for no message.
 */
export type Incoming = { line: string; key: string; make(): Promise<IncomingUpdate> };

/** What comes in one line is taken in order, lines do not wait for each other, and nothing is let go before it was taken. */
export type Intake = {
  /** True when it has been taken, now or before; false if Steward closes first. */
  take(incoming: Incoming): Promise<boolean>;
  /** For whoever stands in the line already. */
  takeNow(incoming: Incoming): Promise<boolean>;
  inLine<Value>(line: string, work: () => Promise<Value>): Promise<Value>;
  settled(): Promise<void>;
};

const keptKeys = 5_000;

export function openIntake(
  base: Pick<ChannelBase, "take" | "sleep" | "trouble">,
  how: { pace: Pace; closing: AbortSignal },
): Intake {
  const lines = new Map<string, Promise<void>>();
  const waiting = new Map<string, Promise<boolean>>();
  const taken = new Set<string>();
  return {
    take(incoming) {
      const key = `${incoming.line} ${incoming.key}`;
      // Slack repeats what is not acknowledged within seconds: the second one waits for the same taking
      const already = waiting.get(key);
      if (already !== undefined) return already;
      const taking = inLine(incoming.line, () => takeNow(incoming)).finally(() => waiting.delete(key));
      waiting.set(key, taking);
      return taking;
    },
    takeNow,
    inLine,
    settled: async () => void (await Promise.allSettled(lines.values())),
  };

  function inLine<Value>(line: string, work: () => Promise<Value>): Promise<Value> {
    const done = (lines.get(line) ?? Promise.resolve()).then(work);
    const tail = done
      .then(
        () => undefined,
        // whoever asked for the work is told; the line goes on
        () => undefined,
      )
      .then(() => {
        if (lines.get(line) === tail) lines.delete(line);
      });
    lines.set(line, tail);
    return done;
  }

  async function takeNow({ line, key: own, make }: Incoming): Promise<boolean> {
    const key = `${line} ${own}`;
    for (let failures = 0; !how.closing.aborted; failures += 1) {
      if (taken.has(key)) return true;
      try {
        await base.take(await make());
        rememberTaken(key);
        return true;
      } catch (cause) {
        if (failures === 0) base.trouble("A Slack message could not be kept; it is tried again.", cause);
      }
      // a sleep that is broken off has done its duty, however it says so
      await base.sleep(waitAfter(how.pace, failures, Math.random()), how.closing).catch(() => undefined);
    }
    return false;
  }

  function rememberTaken(key: string): void {
    taken.add(key);
    const [oldest] = taken;
    if (taken.size > keptKeys && oldest !== undefined) taken.delete(oldest);
  }
}
