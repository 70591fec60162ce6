/** How long things may take, and how long is waited before they are tried again. */
export type Pace = {
  requestMs: number;
  transferMs: number;
  /** From dialling to Slack's hello. */
  helloMs: number;
  pingMs: number;
  /** Without a single frame for so long, a socket counts as dead. */
  silenceMs: number;
  /** The first wait after a failure; it doubles up to `longestWaitMs`. */
  firstWaitMs: number;
  longestWaitMs: number;
  /** A connection that held for so long was a good one: the waits begin anew. */
  steadyMs: number;
  refusedWaitMs: number;
};

export const usualPace: Pace = {
  requestMs: 20_000,
  transferMs: 120_000,
  helloMs: 20_000,
  pingMs: 20_000,
  silenceMs: 60_000,
  firstWaitMs: 1_000,
  longestWaitMs: 60_000,
  steadyMs: 60_000,
  refusedWaitMs: 300_000,
};

/** Half of it is chance, so that many do not come back at the same moment. */
export function waitAfter(pace: Pick<Pace, "firstWaitMs" | "longestWaitMs">, failures: number, chance: number): number {
  const wait = Math.min(pace.longestWaitMs, pace.firstWaitMs * 2 ** Math.min(failures, 20));
  return wait / 2 + (wait / 2) * chance;
}
