// A Steward that runs one long command and is killed from outside while it does.
import { usualLimits } from "../../../src/tools/sandbox/sandbox.ts";
import { bwrapWith } from "./sandbox-driver.ts";

const [stewardHome = "", workspace = "", script = "echo running; sleep 97.6543"] = process.argv.slice(2);
const sandbox = await bwrapWith(stewardHome);
console.log("begun");
const running = sandbox.run({
  argv: ["/bin/sh", "-c", script],
  cwd: workspace,
  workspace,
  readOnly: [],
  writable: [],
  environment: {},
  network: { kind: "none" },
  limits: usualLimits,
  signal: new AbortController().signal,
});
for await (const piece of running.output) console.log(piece.text);
