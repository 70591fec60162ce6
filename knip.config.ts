import type { KnipConfig } from "knip";

// what carries a `!` counts in production mode too, which looks for code that only tests use
const config: KnipConfig = {
  entry: [
    "src/main.ts!",
    "scripts/{steward,run-main,build-program,test,failure-reporter,check,bench,check-layers,check-docs,complete-lock}.mjs!",
    "web/vite.config.ts!",
    "web/src/main.ts!",
    "{src,web/src,tests}/**/*.test.ts",
    "bench/*.bench.ts",
    "tests/scenes/{kill-at-event,guard/stage-process,guard/show-roots-files,memory/forget-process,memory/index-process}.ts",
  ],
  project: ["{src,web}/**/*.ts!", "scripts/*.mjs!", "!**/*.test.ts!", "{tests,bench}/**/*.ts"],
  ignoreDependencies: ["@biomejs/biome"],
  rules: { binaries: "off" },
  // what its own file uses is alive, and a test beside the file may reach for it
  ignoreExportsUsedInFile: process.argv.includes("--production") || { interface: true, type: true },
};

export default config;
