import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// biome-ignore lint/style/noProcessEnv: the one switch between the sampled and the whole run
const isLong = process.env.STEWARD_TEST_LONG === "1";
const rules = ["src/**/*.test.ts", "web/src/**/*.test.ts"];
const walks = [isLong ? "tests/**/*.sampled.test.ts" : "tests/**/*.test.ts"];

export default defineConfig({
  test: {
    globalSetup: "tests/scenes/before-all-tests.ts",
    // a test that passes does not wait for these; a machine with other work to do needs them
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: "forks",
    // tests wait more than they work, so that one more than there are cores keeps all of them busy
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    projects: [
      // a rule keeps no state of its own, so that one process can test many of them
      { extends: true, test: { name: "rules", include: isLong ? [] : rules, isolate: false } },
      { extends: true, test: { name: "walks", include: walks } },
    ],
  },
});
