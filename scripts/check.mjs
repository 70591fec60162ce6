// `npm run check`: everything a machine can say about the code without running it.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled } from "./ensure-installed.mjs";
import { refuseOldNode } from "./node-version.mjs";
import { pathWithPinnedNode, pinnedNodePath } from "./pinned-node.mjs";
import { projectRoot } from "./project-root.mjs";

const steps = [
  { name: "types", command: ["node_modules/typescript/bin/tsc", "--noEmit"] },
  { name: "page types", command: ["node_modules/typescript/bin/tsc", "--noEmit", "-p", "web"] },
  { name: "lint", command: ["node_modules/@biomejs/biome/bin/biome", "check"] },
  { name: "walls", command: ["scripts/check-layers.mjs"] },
  { name: "docs", command: ["scripts/check-docs.mjs"] },
  { name: "dead code", command: ["node_modules/knip/bin/knip.js"] },
  { name: "unused", command: ["node_modules/knip/bin/knip.js", "--production"] },
];

refuseOldNode();
await ensureInstalled(projectRoot);

const failed = steps.filter((step) => !passes(step));
console.log(failed.length === 0 ? "All checks passed." : `Failed: ${failed.map((step) => step.name).join(", ")}.`);
process.exitCode = failed.length === 0 ? 0 : 1;

function passes({ name, command }) {
  const startedAtMs = performance.now();
  const [script, ...args] = command;
  const { status, stdout, stderr, error } = spawnSync(
    pinnedNodePath(projectRoot),
    [join(projectRoot, script), ...args],
    {
      cwd: projectRoot,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, PATH: pathWithPinnedNode(projectRoot) },
    },
  );
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
  console.log(`${name.padEnd(10)} ${status === 0 ? "ok" : "FAILED"}  ${seconds} s`);
  if (status !== 0) console.log(`${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}`.trim());
  return status === 0;
}
