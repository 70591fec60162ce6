// What all tests of a run share; it is in the environment of each of them.
import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
// the scripts are plain JavaScript, so their types are said here
const building: string = new URL("../../scripts/ensure-program.mjs", import.meta.url).href;
type Building = { ensureProgram(root: string): Promise<string> };

/** Runs once for each kind of tests; what one of them has found out stands for all. */
export async function setup(): Promise<void> {
  if (process.env.STEWARD_TEST_PROGRAM) return;
  // every file of a run takes its sample by the same seed
  process.env.STEWARD_TEST_SEED ??= String(randomInt(1, 1_000_000));
  console.log(`Samples are taken with STEWARD_TEST_SEED=${process.env.STEWARD_TEST_SEED}`);
  // what people start is what is tested
  const { ensureProgram }: Building = await import(building);
  const program = await ensureProgram(root);
  if (program.endsWith(".ts")) throw new Error("Steward could not be built.");
  process.env.STEWARD_TEST_PROGRAM = program;
}
