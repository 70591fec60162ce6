// `npm run bench`: every measurement one after the other, or those named: `npm run bench -- start`.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled } from "./ensure-installed.mjs";
import { refuseOldNode } from "./node-version.mjs";
import { runPinned } from "./pinned-node.mjs";
import { projectRoot } from "./project-root.mjs";

const ending = ".bench.ts";

refuseOldNode();
await ensureInstalled(projectRoot);

const all = readdirSync(join(projectRoot, "bench")).filter((file) => file.endsWith(ending));
const names = all.map((file) => file.slice(0, -ending.length)).sort();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0 || names.length === 0) {
  console.error(
    `There is no bench called ${unknown.join(", ") || "anything"}. There are: ${names.join(", ") || "none"}.`,
  );
  process.exit(1);
}
for (const name of wanted.length > 0 ? wanted : names) {
  console.log(`\n${name}`);
  const exitCode = await runPinned(projectRoot, [`bench/${name}${ending}`], { cwd: projectRoot });
  if (exitCode !== 0) process.exitCode = 1;
}
