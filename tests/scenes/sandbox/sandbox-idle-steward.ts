// A Steward that runs a few commands and then has nothing to do, while a box waits for the next one.
import { usualLimits } from "../../../src/tools/sandbox/sandbox.ts";
import { bwrapWith, runToEnd } from "./sandbox-driver.ts";

const [stewardHome = "", workspace = ""] = process.argv.slice(2);
const sandbox = await bwrapWith(stewardHome);
for (let count = 0; count < 2; count++)
  await runToEnd(sandbox, {
    argv: ["/bin/sh", "-c", "true"],
    cwd: workspace,
    workspace,
    readOnly: [],
    writable: [],
    environment: {},
    network: { kind: "none" },
    limits: usualLimits,
    signal: new AbortController().signal,
  });
console.log("idle");
// stays until its input ends; then nothing is left to do
process.stdin.resume();
