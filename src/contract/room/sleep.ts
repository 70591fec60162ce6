import { setTimeout as pause } from "node:timers/promises";

/** Its end tells nothing of why it ended: whoever sleeps looks at the signal. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return pause(ms, undefined, { signal }).catch(() => undefined);
}
