/** How long things may take; passed in, so that a test need not wait as long as a person would. */
export type Timings = {
  /** How long Telegram holds a poll when nothing is new, and how much longer its answer may take. */
  pollSeconds: number;
  pollGraceSeconds: number;
  callSeconds: number;
  fileSeconds: number;
  firstRetryMs: number;
  lastRetryMs: number;
  /** Between tries that help only after a person has done something. */
  refusedRetryMs: number;
  /** Two readers of one bot take turns, and each of them is answered in between: only after so long without the other one all is well. */
  contestedMs: number;
  /** How long the next poll waits for the updates of the last one to be kept. */
  patienceMs: number;
  /** After so many tries, and so long, an update that cannot be kept is given up. */
  hopelessTries: number;
  hopelessMs: number;
  /** In webhook mode: between questions whether the webhook still stands. */
  checkMs: number;
};

export const usualTimings: Timings = {
  pollSeconds: 25,
  pollGraceSeconds: 10,
  callSeconds: 30,
  fileSeconds: 180,
  firstRetryMs: 1_000,
  lastRetryMs: 60_000,
  refusedRetryMs: 300_000,
  contestedMs: 60_000,
  patienceMs: 1_000,
  hopelessTries: 20,
  hopelessMs: 600_000,
  checkMs: 60_000,
};
