import { randomInt } from "node:crypto";

/** Runs before the first test: every file of a run takes its sample by the same seed. */
export function setup(): void {
  process.env.STEWARD_TEST_SEED ??= String(randomInt(1, 1_000_000));
  console.log(`Samples are taken with STEWARD_TEST_SEED=${process.env.STEWARD_TEST_SEED}`);
}
