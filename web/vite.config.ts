import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "/",
  logLevel: "warn",
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    // a polyfill would be an extra script for browsers that cannot run the page anyway
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // the largest grammar for code colours, which is asked for only when such code is shown
    chunkSizeWarningLimit: 900,
    assetsDir: "assets",
    rolldownOptions: {
      output: {
        // what the first page needs is one file: a dozen small ones would each wait for the one before
        codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] },
      },
    },
  },
});
