import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// biome-ignore lint/style/noProcessEnv: the one switch between the sampled and the whole run
const isLong = process.env.STEWARD_TEST_LONG === "1";

export default defineConfig({
  test: {
    include: isLong
      ? ["tests/**/*.sampled.test.ts"]
      : ["src/**/*.test.ts", "web/src/**/*.test.ts", "tests/**/*.test.ts"],
    globalSetup: "tests/scenes/print-seed.ts",
    // a test that passes does not wait for these; a machine with other work to do needs them
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: "forks",
    // tests wait more than they work, so that one more than there are cores keeps all of them busy
    maxWorkers: Math.min(availableParallelism() + 1, 8),
  },
});
