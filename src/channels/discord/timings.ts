/** How long things may take; passed in, so that a test need not wait as long as a person would. */
export type Timings = {
  requestMs: number;
  /** Of a request with a file. */
  uploadMs: number;
  /** From the first byte until Discord has said READY or RESUMED. */
  connectMs: number;
  firstRetryMs: number;
  lastRetryMs: number;
  /** Between tries that help only after a person has done something. */
  refusedRetryMs: number;
  /** Discord lets a bot identify once in this time. */
  identifyEveryMs: number;
  /** A connection that has stood for so long has worked: the next failure counts as the first one. */
  provenMs: number;
};

export const usualTimings: Timings = {
  requestMs: 30_000,
  uploadMs: 180_000,
  connectMs: 30_000,
  firstRetryMs: 500,
  lastRetryMs: 60_000,
  refusedRetryMs: 300_000,
  identifyEveryMs: 5_000,
  provenMs: 60_000,
};

/** Twice as long each time, and never the same, so that many do not come back at once. */
export function waitAfter(timings: Timings, failures: number): number {
  const longestMs = Math.min(timings.lastRetryMs, timings.firstRetryMs * 2 ** Math.min(failures, 20));
  return longestMs * (0.5 + Math.random() / 2);
}
